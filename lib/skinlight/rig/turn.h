// Rotations of bones for rigs made from formulas.
#pragma once

#include <cmath>

#include "skinlight/core/glsl.h"

namespace skinlight {

// The rotation by `radians` about the line through `pivot` along the unit vector `axis`, right-handed.
inline Mat4x3d turn_about(Vec3d pivot, Vec3d axis, double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  const auto turned = [&](Vec3d v) { return v * c + cross(axis, v) * s + axis * (dot(axis, v) * (1 - c)); };
  return {turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1}), pivot - turned(pivot)};
}

}  // namespace skinlight
