// Angles between directions.
#pragma once

#include <cmath>

#include "skinlight/core/glsl.h"

namespace skinlight {

inline constexpr double kDegrees = 57.29577951308232;  // per radian

// The angle between two vectors in radians, accurate near 0 and pi, where acos of the dot product is not.
inline double angle_between(Vec3d a, Vec3d b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

}  // namespace skinlight
