// The yardstick of the benchmark: what an engine does without this library, one vertex after the other.
#pragma once

#include <vector>

namespace skinlight::bench {

// Four influences per vertex; everything by 3 but bones and weights.
struct Palette {
  std::vector<float> matrices;  // #bones by 16, columns
  std::vector<int> bone;
  std::vector<float> weight, p0, n0, t0;
  std::vector<float> p, n, t;  // posed, not normalised
};

// A plain loop of Eigen matrices over the vertices. Needs AVX2 and FMA.
void pose_avx2(Palette& palette);

}  // namespace skinlight::bench
