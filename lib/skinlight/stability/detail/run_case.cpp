#include "skinlight/stability/detail/run_lanes.h"

#include <cmath>

#include "skinlight/skinning/detail/pose_reader.h"

namespace skinlight::stability {

namespace {

Pose scaled_pose(float scale) {
  Pose pose;
  pose.scale = std::abs(scale);
  pose.orientation = scale < 0 ? -1 : 1;
  return pose;
}

}  // namespace

GuardInput guard_at(float scale, Guard guard) {
  const GuardInput with = guard_input(row(guard).usual, scaled_pose(scale));
  return {static_cast<float>(with.limit), static_cast<float>(with.kept)};
}

GuardInput case_guard(const VertexCase& c, Guard guard) { return guard_at(c.scale, guard); }

double case_side(const VertexCase& c, NormalMode mode) {
  return normal_side(row(mode).side, c.handedness, scaled_pose(c.scale).orientation);
}

}  // namespace skinlight::stability
