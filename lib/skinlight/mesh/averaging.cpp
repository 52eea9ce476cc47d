// Meyer, Desbrun, Schroeder, Barr 2003: Discrete differential-geometry operators for triangulated 2-manifolds
// (mixed Voronoi areas, Sec. 3.3). Max 1999: Weights for computing vertex normals from facet normals.
#include "skinlight/mesh/averaging.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skinlight/core/names.h"

namespace skinlight {

namespace {

constexpr std::array kSchemes = {Averaging::mixed_voronoi, Averaging::area,    Averaging::angle,
                                 Averaging::angle_area,    Averaging::uniform, Averaging::max1999,
                                 Averaging::cotangent,     Averaging::voronoi};
constexpr std::array<std::string_view, kSchemes.size()> kNames = {
    "mixed-voronoi", "area", "angle", "angle-area", "uniform", "max-1999", "cotangent", "voronoi"};

// What a scheme reads of a triangle at its corner p.
struct CornerShape {
  double double_area;
  double at_p, at_q, at_r;  // dot products of the edges at each corner: positive where the angle is acute
  double pq, pr;            // squared lengths
};

inline double weight_at(Averaging scheme, const CornerShape& t) {
  if (!(t.double_area > 0) || !std::isfinite(t.double_area)) return 0;
  const auto angle = [&] { return std::atan2(t.double_area, t.at_p); };
  // |pr|^2 cot(q) + |pq|^2 cot(r), an eighth of which is the circumcentric area at p.
  const auto voronoi = [&] { return (t.pr * t.at_q + t.pq * t.at_r) / (8 * t.double_area); };

  switch (scheme) {
    case Averaging::mixed_voronoi:
      if (t.at_p < 0) return t.double_area / 4;
      if (t.at_q < 0 || t.at_r < 0) return t.double_area / 8;
      return voronoi();
    case Averaging::area:
      return t.double_area / 2;
    case Averaging::angle:
      return angle();
    case Averaging::angle_area:
      return angle() * t.double_area / 2;
    case Averaging::uniform:
      return 1;
    case Averaging::max1999:
      return t.double_area / (t.pq * t.pr);
    case Averaging::cotangent:
      return (t.at_q + t.at_r) / t.double_area;
    case Averaging::voronoi:
      return voronoi();
  }
  return 0;
}

}  // namespace

std::span<const Averaging> all_averagings() { return kSchemes; }

std::string_view name(Averaging scheme) { return kNames[static_cast<std::size_t>(scheme)]; }

Averaging averaging_from_name(std::string_view wanted) {
  return row_named(kSchemes, wanted, "averaging", [](Averaging scheme) { return name(scheme); });
}

double corner_weight(Averaging scheme, Vec3d p, Vec3d q, Vec3d r) {
  const Vec3d pq = q - p, pr = r - p, qr = r - q;
  return weight_at(scheme,
                   {length(cross(pq, pr)), dot(pq, pr), -dot(pq, qr), dot(pr, qr), dot(pq, pq), dot(pr, pr)});
}

std::array<double, 3> corner_weights(Averaging scheme, Vec3d p, Vec3d q, Vec3d r) {
  const Vec3d pq = q - p, pr = r - p, qr = r - q;
  const double at_p = dot(pq, pr), at_q = -dot(pq, qr), at_r = dot(pr, qr);
  const double pq2 = dot(pq, pq), pr2 = dot(pr, pr), qr2 = dot(qr, qr);
  // The area from each corner's own edges: as corner_weight() has it, to the last bit.
  const CornerShape corners[3] = {{length(cross(pq, pr)), at_p, at_q, at_r, pq2, pr2},
                                  {length(cross(pq, qr)), at_q, at_r, at_p, qr2, pq2},
                                  {length(cross(pr, qr)), at_r, at_p, at_q, pr2, qr2}};
  // The default with the choice taken outside, so that the compiler writes it out.
  if (scheme == Averaging::mixed_voronoi)
    return {weight_at(Averaging::mixed_voronoi, corners[0]), weight_at(Averaging::mixed_voronoi, corners[1]),
            weight_at(Averaging::mixed_voronoi, corners[2])};
  return {weight_at(scheme, corners[0]), weight_at(scheme, corners[1]), weight_at(scheme, corners[2])};
}

}  // namespace skinlight
