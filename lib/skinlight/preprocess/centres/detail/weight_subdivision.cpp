#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/core/detail/at.h"
#include "skinlight/preprocess/centres/weighted_surface.h"

namespace skinlight {

namespace {

constexpr double kSmallestThreshold = 0.01, kLargestThreshold = 2;

class Bisection {
 public:
  Bisection(const WeightedSurface& surface, double threshold)
      : squared_threshold_(threshold * threshold), fine_{{}, surface.p, surface.weights} {}

  // Depth first; both halves keep the triangle's orientation.
  void add(const Face& whole) {
    std::vector<Face> pending = {whole};
    while (!pending.empty()) {
      const Face f = pending.back();
      pending.pop_back();
      const std::size_t c = largest_edge(f);
      const int a = f[c], b = f[(c + 1) % 3], opposite = f[(c + 2) % 3];
      if (squared_length(a, b) <= squared_threshold_) {
        fine_.faces.push_back(f);
        continue;
      }
      const int middle = middle_of(a, b);
      pending.push_back({middle, b, opposite});
      pending.push_back({a, middle, opposite});
    }
  }
  WeightedSurface take() { return std::move(fine_); }

 private:
  double squared_length(int a, int b) const { return squared_distance(fine_.weights, a, fine_.weights, b); }

  // The first of equals: c of the edge from corner c to the next.
  std::size_t largest_edge(const Face& f) const {
    std::size_t largest = 0;
    double length = -1;
    for (std::size_t c = 0; c < 3; ++c)
      if (const double l = squared_length(f[c], f[(c + 1) % 3]); l > length) {
        largest = c;
        length = l;
      }
    return largest;
  }

  // One vertex per edge, so that neighbours stay neighbours.
  int middle_of(int a, int b) {
    const auto [entry, fresh] = middle_.try_emplace(std::minmax(a, b), fine_.vertex_count());
    if (fresh) {
      fine_.p.push_back((fine_.p[at(a)] + fine_.p[at(b)]) * 0.5);
      constexpr double kHalves[2] = {0.5, 0.5};
      const int ends[2] = {a, b};
      append_blend(fine_.weights, ends, kHalves, fine_.weights);
    }
    return entry->second;
  }

  double squared_threshold_;
  WeightedSurface fine_;
  std::map<std::pair<int, int>, int> middle_;
};

}  // namespace

void require_subdivision_threshold(double threshold) {
  if (!(threshold >= kSmallestThreshold && threshold <= kLargestThreshold))
    throw InputError("", "subdivision threshold " + std::to_string(threshold), "must lie in [0.01, 2]");
}

WeightedSurface subdivide_by_weights(const WeightedSurface& surface, double threshold) {
  require_subdivision_threshold(threshold);
  Bisection bisection(surface, threshold);
  for (const Face& f : surface.faces) bisection.add(f);
  return bisection.take();
}

}  // namespace skinlight
