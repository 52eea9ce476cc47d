// Welding: vertices that a file splits (uv seams, per-primitive layout, no indices) are one point of the
// surface.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "skinlight/core/glsl.h"

namespace skinlight {

// Vertices closer than this share of the bounding box's diagonal are at one place: single precision stores
// coordinates to 6e-8 of their size (weld.cpp allows far meshes more), and the two sides of a seam may be written differently.
inline constexpr double kSamePlace = 2e-7;

// Groups vertices at one place for which same(a, b) holds against the first member of a group; positions that
// are not finite stay alone. p: #V by 3. Returns #V: the group of each vertex, numbered 0, 1, ... in order of
// first appearance.
std::vector<int> weld_vertices(std::span<const Vec3d> p, const std::function<bool(int a, int b)>& same);

}  // namespace skinlight
