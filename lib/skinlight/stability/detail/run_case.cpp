#include "skinlight/stability/detail/run_case.h"

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

GuardInput case_guard(const VertexCase& c, Guard guard) {
  const GuardInput with = guard_input(row(guard).usual, scaled_pose(c.scale));
  return {static_cast<float>(with.limit), static_cast<float>(with.kept)};
}

double case_side(const VertexCase& c, NormalSide side) {
  return normal_side(side, c.handedness, scaled_pose(c.scale).orientation);
}

double case_side(const VertexCase& c, NormalMode mode) { return case_side(c, row(mode).side); }

}  // namespace skinlight::stability
