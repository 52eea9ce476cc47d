// Vertex normals of a triangle surface.
#pragma once

#include <span>
#include <vector>

#include "skinlight/mesh/averaging.h"
#include "skinlight/mesh/surface.h"

namespace skinlight {

// Unit normals of the surface with corners at p, averaged over the welded one-rings.
// p: #V by 3 file vertices. Returns #V by 3; twins get identical normals. A vertex whose faces have no area
// or cancel gets (0, 0, 1) and is counted in `*undefined` when given.
std::vector<Vec3d> vertex_normals(const Surface& surface, std::span<const Vec3d> p, Averaging scheme,
                                  int* undefined = nullptr);

// Area shares: a third of each incident face, divided evenly among twins, so that the sum is the surface's
// area. p: #V by 3. Returns #V, in squared units of p. This is the weighting of all error statistics.
std::vector<double> vertex_areas(const Surface& surface, std::span<const Vec3d> p);

}  // namespace skinlight
