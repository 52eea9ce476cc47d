#include <algorithm>
#include <cmath>
#include <span>

#include "skinlight/audit/detail/health_checks.h"

namespace skinlight::health {

namespace {

struct Influences {
  std::span<const int> bone;
  std::span<const double> weight;
};

// The largest weight that stands in a slot beside another slot of the same bone; 0: every bone stands once.
double duplicated(const Influences& vertex) {
  double largest = 0;
  for (std::size_t a = 0; a < vertex.bone.size(); ++a)
    for (std::size_t b = a + 1; b < vertex.bone.size(); ++b)
      if (vertex.bone[a] == vertex.bone[b])
        largest = std::max(largest, std::min(std::abs(vertex.weight[a]), std::abs(vertex.weight[b])));
  return largest;
}

}  // namespace

void check_weights(const RawAttributes& raw, std::vector<Finding>& findings) {
  Tally not_finite, negative, zero, unnormalised, duplicate;
  const auto slots = static_cast<std::size_t>(raw.slots);
  const int vertices = slots == 0 ? 0 : static_cast<int>(raw.weight.size() / slots);
  for (int v = 0; v < vertices; ++v) {
    const std::size_t base = static_cast<std::size_t>(v) * slots;
    const Influences vertex{{raw.bone.data() + base, slots}, {raw.weight.data() + base, slots}};
    double sum = 0;
    for (const double w : vertex.weight) sum += w;
    if (!std::isfinite(sum)) {
      not_finite.add(v, 0);
      continue;
    }
    const double least = *std::min_element(vertex.weight.begin(), vertex.weight.end());
    const double most = *std::max_element(vertex.weight.begin(), vertex.weight.end());
    if (least < 0) negative.add(v, -least);
    if (most <= 0)
      zero.add(v, 0);
    else if (std::abs(sum - 1) > kWeightSumTolerance)
      unnormalised.add(v, std::abs(sum - 1));
    if (const double weight = duplicated(vertex); weight > 0) duplicate.add(v, weight);
  }
  const auto vertex = [&](int v) { return vertex_name(raw, v); };
  const auto sum_of = [&](int v) {
    double sum = 0;
    for (std::size_t k = 0; k < slots; ++k) sum += raw.weight[static_cast<std::size_t>(v) * slots + k];
    return "they sum to " + std::to_string(sum);
  };
  add(findings, "weights-not-finite", Part::vertex, not_finite, vertices, vertex);
  add(findings, "weights-negative", Part::vertex, negative, vertices, vertex);
  add(findings, "weights-zero", Part::vertex, zero, vertices, vertex);
  add(findings, "weights-unnormalised", Part::vertex, unnormalised, vertices, vertex, sum_of);
  add(findings, "joints-duplicate", Part::vertex, duplicate, vertices, vertex);
}

}  // namespace skinlight::health
