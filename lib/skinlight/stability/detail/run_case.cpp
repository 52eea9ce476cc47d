#include "skinlight/stability/detail/run_case.h"

#include <cmath>

#include "skinlight/skinning/detail/pose_reader.h"

namespace skinlight::stability {

namespace {

Pose scaled_pose(const VertexCase& c) {
  Pose pose;
  pose.scale = std::abs(c.scale);
  pose.orientation = c.scale < 0 ? -1 : 1;
  return pose;
}

}  // namespace

GuardInput case_guard(const VertexCase& c, Guard guard) {
  const GuardInput with = guard_input(row(guard).usual, scaled_pose(c));
  return {static_cast<float>(with.limit), static_cast<float>(with.kept)};
}

double case_side(const VertexCase& c, NormalMode mode) {
  return normal_side(row(mode).side, c.handedness, scaled_pose(c).orientation);
}

}  // namespace skinlight::stability
