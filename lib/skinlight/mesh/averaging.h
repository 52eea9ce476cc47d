// How the faces around a vertex are weighted when a per-face quantity is averaged into the vertex [TPS14
// Sec. 3.2].
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "skinlight/core/glsl.h"

namespace skinlight {

enum class Averaging {
  mixed_voronoi,  // Meyer et al. 2003: Voronoi area, bounded on obtuse triangles; the default
  area,           // face area
  angle,          // corner angle (Thuermer and Wuethrich 1998)
  angle_area,     // corner angle times area
  uniform,        // one per face
  max1999,        // sin(angle) / (|e1| |e2|): exact on spheres (Max 1999)
  cotangent,      // sum of the cotangents at the two other corners: positive, without bound on slivers
  voronoi,        // circumcentric Voronoi area; signed: blows up on obtuse triangles, for experiments only
};

// All schemes in the order above.
std::span<const Averaging> all_averagings();

// "mixed-voronoi", "area", ...
std::string_view name(Averaging scheme);

// The inverse of name(). Throws InputError listing the names.
Averaging averaging_from_name(std::string_view name);

// The weight of the triangle (p, q, r) in the average at its corner p. 0 for triangles without area.
double corner_weight(Averaging scheme, Vec3d p, Vec3d q, Vec3d r);

// The same at all three corners: of p, q, r.
std::array<double, 3> corner_weights(Averaging scheme, Vec3d p, Vec3d q, Vec3d r);

}  // namespace skinlight
