// Welding: vertices that a file splits (uv seams, per-primitive layout, no indices) are one point of the
// surface.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "skinlight/core/glsl.h"

namespace skinlight {

// Groups vertices at bitwise equal positions for which same(a, b) holds against the first member of a group.
// p: #V by 3. Returns #V: the group of each vertex, numbered 0, 1, ... in order of first appearance.
std::vector<int> weld_vertices(std::span<const Vec3d> p, const std::function<bool(int a, int b)>& same);

}  // namespace skinlight
