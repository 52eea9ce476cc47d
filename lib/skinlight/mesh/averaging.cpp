// Meyer, Desbrun, Schroeder, Barr 2003: Discrete differential-geometry operators for triangulated 2-manifolds
// (mixed Voronoi areas, Sec. 3.3). Max 1999: Weights for computing vertex normals from facet normals.
#include "skinlight/mesh/averaging.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

constexpr std::array kSchemes = {Averaging::mixed_voronoi, Averaging::area,    Averaging::angle,
                                 Averaging::angle_area,    Averaging::uniform, Averaging::max1999,
                                 Averaging::cotangent,     Averaging::voronoi};
constexpr std::array<std::string_view, kSchemes.size()> kNames = {
    "mixed-voronoi", "area", "angle", "angle-area", "uniform", "max-1999", "cotangent", "voronoi"};

}  // namespace

std::span<const Averaging> all_averagings() { return kSchemes; }

std::string_view name(Averaging scheme) { return kNames[static_cast<std::size_t>(scheme)]; }

Averaging averaging_from_name(std::string_view wanted) {
  std::string known;
  for (Averaging scheme : kSchemes) {
    if (name(scheme) == wanted) return scheme;
    known += (known.empty() ? "" : ", ") + std::string(name(scheme));
  }
  throw InputError("", "averaging '" + std::string(wanted) + "'", "unknown; choose one of " + known);
}

double corner_weight(Averaging scheme, Vec3d p, Vec3d q, Vec3d r) {
  const Vec3d pq = q - p, pr = r - p, qr = r - q;
  const double double_area = length(cross(pq, pr));
  if (!(double_area > 0) || !std::isfinite(double_area)) return 0;
  // Dot products of the edges at each corner: positive where the angle is acute.
  const double at_p = dot(pq, pr), at_q = -dot(pq, qr), at_r = dot(pr, qr);
  const auto angle = [&] { return std::atan2(double_area, at_p); };
  // |pr|^2 cot(q) + |pq|^2 cot(r), an eighth of which is the circumcentric area at p.
  const auto voronoi = [&] { return (dot(pr, pr) * at_q + dot(pq, pq) * at_r) / (8 * double_area); };

  switch (scheme) {
    case Averaging::mixed_voronoi:
      if (at_p < 0) return double_area / 4;
      if (at_q < 0 || at_r < 0) return double_area / 8;
      return voronoi();
    case Averaging::area:
      return double_area / 2;
    case Averaging::angle:
      return angle();
    case Averaging::angle_area:
      return angle() * double_area / 2;
    case Averaging::uniform:
      return 1;
    case Averaging::max1999:
      return double_area / (dot(pq, pq) * dot(pr, pr));
    case Averaging::cotangent:
      return (at_q + at_r) / double_area;
    case Averaging::voronoi:
      return voronoi();
  }
  return 0;
}

}  // namespace skinlight
