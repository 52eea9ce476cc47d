// Motions of any kind as keys of the library's channels.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "skinlight/rig/skeleton.h"

namespace skinlight::fbx {

// Up to four numbers that move in time, and their rates.
struct Motion {
  std::array<double, 4> value{}, rate{};
};

// Keys of a channel of `width` numbers that follow `motion(time, inside)` (as Curve::at takes them) within
// `tolerance`: between breakpoints (seconds, ascending) the motion is smooth, at them it may jump. Lines
// (great arcs for rotations) where they are enough, otherwise cubic splines with as many keys more as it takes;
// false when that is more than a thousand between two breakpoints. Fills interpolation, times and values.
struct Track {
  Interpolation interpolation = Interpolation::linear;
  std::vector<double> times, values;
  bool is_close = true;
};
Track resample(const std::function<Motion(double, double)>& motion, std::size_t width, bool is_rotation,
               const std::vector<double>& breakpoints, double tolerance);

}  // namespace skinlight::fbx
