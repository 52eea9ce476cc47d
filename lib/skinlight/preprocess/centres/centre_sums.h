// The sums over all triangles behind the centres of rotation [BTGM19 Eq. 6, 10; LH16], in three ways. Most
// callers want rotation_centres().
#pragma once

#include <functional>
#include <vector>

#include "skinlight/core/cpu.h"
#include "skinlight/preprocess/centres/weighted_surface.h"

namespace skinlight {

// Two bones of a vertex and what they put into the similarity.
struct BonePair {
  int j, k;         // j < k
  double product;   // w_j w_k
  double w_j, w_k;  // of the vertex
};

// The vertices whose centres are wanted.
struct CentreTargets {
  std::vector<int> vertex;        // #targets: of the surface
  std::vector<int> offset = {0};  // #targets + 1, into pairs
  std::vector<BonePair> pairs;    // of each target, ascending by (j, k)

  int count() const { return static_cast<int>(offset.size()) - 1; }
  std::span<const BonePair> pairs_of(int i) const {
    const auto at = static_cast<std::size_t>(i);
    return {pairs.data() + offset[at], static_cast<std::size_t>(offset[at + 1] - offset[at])};
  }
};

// Every vertex of the surface. Vertices on a single bone have a similarity of 0 to everything and Eq. 10
// reads 0 / 0; those with other bones in their one-ring get the limit of Eq. 10 for a weight of that ring's
// mean that goes to 0, so that the centres go on continuously to where weights begin to change. The rest get
// no pairs.
CentreTargets centre_targets(const WeightedSurface& surface);

// Exponents of Eq. 6 end here: exp of more loses its digits in double, and then is 0.
inline constexpr double kLargestExponent = 700;

// Every n-th of the targets: a sample to time a slow way on.
CentreTargets every_nth(const CentreTargets& targets, int n);

// [BTGM19 Eq. 6]. Differs from paper: it prints the sum over all j and k; as in [LH16] the pairs j = k are
// left out, for they would make every two vertices on one bone similar, however different their other
// weights.
double similarity(std::span<const BonePair> pairs, const WeightedTriangles& triangles, int t, double sigma);

// Denominator and numerator of Eq. 10.
struct CentreSum {
  double weight = 0;  // sum a_t s
  Vec3d first{0.0};   // sum a_t s v_t
};

struct SumOptions {
  double sigma = 0.1;
  int threads = 0;                                  // 0: all cores; the result does not depend on it
  std::function<void(double share)> progress = {};  // as parallel_tasks
  // Of sum_by_bone_pairs(): one of usable_instruction_sets(). The bytes of the result do not depend on it.
  InstructionSet instructions = best_instruction_set();
};

// Every target against every triangle: the reference.
std::vector<CentreSum> sum_naively(const WeightedTriangles& triangles, const CentreTargets& targets,
                                   const SumOptions& options);

// The same sums, exact, from what can contribute: a pair of bones sees only the triangles that have both, and
// targets with equal weights of both see the same.
std::vector<CentreSum> sum_by_bone_pairs(const WeightedTriangles& triangles, const CentreTargets& targets,
                                         const SumOptions& options);

// Thresholds of [BTGM19 Alg. 4], after [LH16]. The paper's list of values prints two epsilons: 0.1 is that of
// the subdivision, 1e-6 that of the search.
struct SearchLimits {
  double cutoff = 1e-6;  // epsilon: the search goes on from triangles at least that similar
  double omega = 0.1;  // it starts from the triangles of vertices closer in weights than this, |w_a - w_b|_2
};

// [BTGM19 Alg. 4]: from the triangles of similar vertices over the surface as far as triangles are similar.
// An approximation: similar triangles beyond dissimilar ones are not found, and some targets find none at
// all. `triangles` are those of `surface`.
std::vector<CentreSum> sum_breadth_first(const WeightedSurface& surface, const WeightedTriangles& triangles,
                                         const CentreTargets& targets, const SearchLimits& limits,
                                         const SumOptions& options);

}  // namespace skinlight
