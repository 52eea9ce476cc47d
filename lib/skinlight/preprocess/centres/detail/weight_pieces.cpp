#include "skinlight/preprocess/centres/detail/weight_pieces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "skinlight/core/detail/at.h"

namespace skinlight {

namespace {

// A triangle laid out flat by the distances of its weights: the longest edge along s from 0 to `width`, the
// third corner at (apex, height). Weights are linear in the triangle, so that distances of weights anywhere
// in it are distances here.
struct Layout {
  std::size_t a, b, c;  // corners: ends of the longest edge and the third
  double width, apex, height;

  double s(const Barycentric& l) const { return width * l[b] + apex * l[c]; }
  double h(const Barycentric& l) const { return height * l[c]; }
  // Of the triangle above a point of the longest edge.
  double top(double s) const {
    return s <= apex ? (apex > 0 ? height * s / apex : height) : height * (width - s) / (width - apex);
  }
};

Layout layout(const WeightVectors& weights, const Face& f) {
  double squared[3];  // of the edge from corner i to the next
  for (std::size_t i = 0; i < 3; ++i) squared[i] = squared_distance(weights, f[i], weights, f[(i + 1) % 3]);
  const auto a = static_cast<std::size_t>(std::max_element(squared, squared + 3) - squared);
  Layout flat{a, (a + 1) % 3, (a + 2) % 3, std::sqrt(squared[a]), 0, 0};
  if (flat.width == 0) return flat;
  const double from_a = squared[flat.c], from_b = squared[flat.b];
  flat.apex = std::clamp((from_a + squared[a] - from_b) / (2 * flat.width), 0.0, flat.width);
  flat.height = std::sqrt(std::max(0.0, from_a - flat.apex * flat.apex));
  return flat;
}

// `count` strips across the longest edge, strip i cut along it into rows[i] cells.
struct Cuts {
  std::vector<double> top;  // #strips: height of each
  std::vector<int> rows;
  int cells = 0;
};

// Cells of as many strips that are no larger than the threshold; no strips when there are too few.
Cuts cuts_of(const Layout& flat, int strips, double threshold) {
  Cuts cuts;
  const double width = flat.width / strips;
  const double room = threshold * threshold - width * width;  // squared height of a cell
  for (int i = 0; i < strips; ++i) {
    const double low = i * width, high = (i + 1) * width;
    const double top =
        low <= flat.apex && flat.apex <= high ? flat.height : std::max(flat.top(low), flat.top(high));
    if (top > 0 && !(room > 0)) return {};
    const int rows = top > 0 ? std::max(1, static_cast<int>(std::ceil(top / std::sqrt(room)))) : 1;
    cuts.top.push_back(top);
    cuts.rows.push_back(rows);
    cuts.cells += rows;
  }
  return cuts;
}

// The number of strips that leaves the fewest cells: more than twice the least of them never does.
Cuts fewest_cuts(const Layout& flat, double threshold) {
  const int least = std::max(1, static_cast<int>(std::ceil(flat.width / threshold)));
  Cuts best;
  for (int strips = least; strips <= 2 * least + 1; ++strips) {
    Cuts cuts = cuts_of(flat, strips, threshold);
    if (!cuts.rows.empty() && (best.rows.empty() || cuts.cells < best.cells)) best = std::move(cuts);
  }
  return best;
}

// The part of a convex polygon where value(corner) >= limit, or <= with `sign` -1.
template <class Value>
Polygon clipped(const Polygon& polygon, Value value, double limit, double sign) {
  Polygon inside;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Barycentric &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double at_p = sign * (value(p) - limit), at_q = sign * (value(q) - limit);
    if (at_p >= 0) inside.push_back(p);
    if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) {
      const double x = at_p / (at_p - at_q);
      inside.push_back({p[0] + (q[0] - p[0]) * x, p[1] + (q[1] - p[1]) * x, p[2] + (q[2] - p[2]) * x});
    }
  }
  return inside;
}

// Share of the triangle's area, and centroid.
std::pair<double, Barycentric> middle_of(const Polygon& polygon) {
  double area = 0;
  Barycentric first{};
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const Barycentric &p = polygon[0], &q = polygon[i - 1], &r = polygon[i];
    const double twice = std::fabs((q[1] - p[1]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[1] - p[1]));
    area += twice;
    for (std::size_t c = 0; c < 3; ++c) first[c] += twice * (p[c] + q[c] + r[c]) / 3;
  }
  if (area > 0)
    for (double& x : first) x /= area;
  return {area, first};
}

}  // namespace

std::vector<Polygon> pieces_of(const WeightVectors& weights, const Face& f, double threshold) {
  const Polygon whole = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Layout flat = layout(weights, f);
  if (flat.width <= threshold) return {whole};
  const auto s = [&](const Barycentric& l) { return flat.s(l); };
  const auto h = [&](const Barycentric& l) { return flat.h(l); };
  const Cuts cuts = fewest_cuts(flat, threshold);
  std::vector<Polygon> pieces;
  pieces.reserve(at(cuts.cells));
  Polygon rest = whole;
  for (std::size_t i = 0; i < cuts.rows.size(); ++i) {
    const bool last = i + 1 == cuts.rows.size();
    const double end = flat.width * static_cast<double>(i + 1) / static_cast<double>(cuts.rows.size());
    Polygon strip = last ? rest : clipped(rest, s, end, -1);
    if (!last) rest = clipped(rest, s, end, 1);
    for (int row = 1; row < cuts.rows[i]; ++row) {
      const double cut = cuts.top[i] * row / cuts.rows[i];
      pieces.push_back(clipped(strip, h, cut, -1));
      strip = clipped(strip, h, cut, 1);
    }
    pieces.push_back(std::move(strip));
  }
  return pieces;
}

WeightedTriangles weighted_pieces(const WeightedSurface& surface, double threshold) {
  require_subdivision_threshold(threshold);
  WeightedTriangles pieces;
  for (const Face& f : surface.faces) {
    const Vec3d a = surface.p[at(f[0])], b = surface.p[at(f[1])], c = surface.p[at(f[2])];
    const double whole = length(cross(b - a, c - a)) / 2;
    for (const Polygon& piece : pieces_of(surface.weights, f, threshold)) {
      const auto [share, middle] = middle_of(piece);
      if (share == 0) continue;
      pieces.area.push_back(std::isfinite(whole) ? whole * share : 0);
      pieces.centroid.push_back(a * middle[0] + b * middle[1] + c * middle[2]);
      append_blend(surface.weights, f, middle, pieces.weights);
    }
  }
  return pieces;
}

}  // namespace skinlight
