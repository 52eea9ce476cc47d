#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

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

// What the file says of how a vertex's weights are stored.
struct Storage {
  int unit = 0;  // as RawPrimitive has it
  bool lacks_flag = false;
};

std::vector<Storage> storage_of_vertices(const RawAttributes& raw, int vertices) {
  std::vector<Storage> storage(static_cast<std::size_t>(vertices));
  for (const RawPrimitive& p : raw.primitives)
    std::fill_n(storage.begin() + p.first, p.count, Storage{p.weight_unit, p.weights_lack_flag});
  return storage;
}

// How far from the origin each vertex stands at rest: an engine that does not normalise displaces it by this times what
// its sum is off.
struct AtRest {
  std::vector<double> distance;
  double size = 0;
};

AtRest at_rest(const Model& model) {
  const Pose pose = default_pose(model.skeleton);
  AtRest rest;
  std::vector<Vec3d> posed;
  for (int v = 0; v < model.mesh.vertex_count(); ++v) {
    Vec3d p(0.0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(model.mesh.slots); ++k)
      if (const double w = model.mesh.weights_of(v)[k]; w > 0)
        p = p + transform_point(pose.M[static_cast<std::size_t>(model.mesh.bones_of(v)[k])],
                                model.mesh.p0[static_cast<std::size_t>(v)]) *
                    w;
    posed.push_back(p);
    rest.distance.push_back(length(p));
  }
  rest.size = std::max(diagonal(posed), std::numeric_limits<double>::min());
  return rest;
}

}  // namespace

void check_weights(const Model& model, const RawAttributes& raw, std::vector<Finding>& findings) {
  Tally not_finite, negative, zero, unnormalised, rounded, duplicate, no_flag;
  const auto slots = static_cast<std::size_t>(raw.slots);
  const int vertices = slots == 0 ? 0 : static_cast<int>(raw.weight.size() / slots);
  const std::vector<Storage> storage = storage_of_vertices(raw, vertices);
  const AtRest rest = at_rest(model);
  std::vector<double> sums(static_cast<std::size_t>(vertices));  // of integers without flag in their unit
  for (int v = 0; v < vertices; ++v) {
    const std::size_t i = static_cast<std::size_t>(v), base = i * slots;
    const Influences vertex{{raw.bone.data() + base, slots}, {raw.weight.data() + base, slots}};
    for (const double w : vertex.weight) sums[i] += w;
    if (storage[i].lacks_flag) {
      no_flag.add(v, 0);
      sums[i] /= storage[i].unit;
    }
    if (!std::isfinite(sums[i])) {
      not_finite.add(v, 0);
      continue;
    }
    const double least = *std::min_element(vertex.weight.begin(), vertex.weight.end());
    const double most = *std::max_element(vertex.weight.begin(), vertex.weight.end());
    const auto used =
        std::count_if(vertex.weight.begin(), vertex.weight.end(), [](double w) { return w != 0; });
    const double off = std::abs(sums[i] - 1);
    // Sums of integers are exact (glTF 2.0, section 3.7.3.3); half of a step tells them from rounding here.
    const bool wrong_integer = storage[i].unit != 0 && off * storage[i].unit > .5;
    if (least < 0) negative.add(v, -least);
    if (most <= 0)
      zero.add(v, 0);
    else if (wrong_integer || off > kWeightSumTolerance || off * rest.distance[i] > kUnseenShift * rest.size)
      unnormalised.add(v, off);
    else if (storage[i].unit == 0 && off > kSumRounding * static_cast<double>(used))
      rounded.add(v, off);
    if (const double weight = duplicated(vertex); weight > 0) duplicate.add(v, weight);
  }
  const auto vertex = [&](int v) { return vertex_name(raw, v); };
  const auto sum_of = [&](int v) {
    const auto i = static_cast<std::size_t>(v);
    const double shift = std::abs(sums[i] - 1) * rest.distance[i];
    const std::string sum = storage[i].unit == 0 ? std::to_string(sums[i])
                                                 : printed("%.0f", sums[i] * storage[i].unit) +
                                                       " instead of " + std::to_string(storage[i].unit);
    return "they sum to " + sum + "; an engine that does not normalise moves it by " +
           printed("%.3g", shift) +
           printed(" at rest, %.2g %% of the size of the mesh", 100 * shift / rest.size);
  };
  add(findings, "weights-not-finite", Part::vertex, not_finite, vertices, vertex);
  add(findings, "weights-negative", Part::vertex, negative, vertices, vertex);
  add(findings, "weights-zero", Part::vertex, zero, vertices, vertex);
  add(findings, "weights-flag-missing", Part::vertex, no_flag, vertices, vertex);
  add(findings, "weights-unnormalised", Part::vertex, unnormalised, vertices, vertex, sum_of);
  add(findings, "weights-rounded", Part::vertex, rounded, vertices, vertex, sum_of);
  add(findings, "joints-duplicate", Part::vertex, duplicate, vertices, vertex);
}

}  // namespace skinlight::health
