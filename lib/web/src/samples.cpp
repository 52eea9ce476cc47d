// Characters made from formulas, for those who have no file at hand: what skinlight.h lacks for that.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "skinlight/c/detail/call.h"
#include "skinlight/rig/partway.h"
#include "skinlight/samples/skirt.h"

using namespace skinlight;

namespace {

struct Sample {
  RiggedMesh mesh;
  std::vector<NamedPose> poses;
};

// 0: the pill, 1: the skirt.
Sample sample(std::int32_t which) {
  if (which == 0) return {pill({.segments = 32}).mesh, {{"shear", pill_pose()}}};
  if (which == 1) return {skirt().mesh, skirt_poses()};
  throw InputError("", "sample", std::to_string(which) + " is unknown");
}

}  // namespace

extern "C" {

SKINLIGHT_API skinlight_status skinlight_sample(std::int32_t which, skinlight_rig** rig) {
  return c::call([&] {
    Model model;
    model.mesh = sample(which).mesh;
    c::needed(rig, "rig") = new skinlight_rig{Character(std::move(model), {}, 1)};
  });
}

// Its pose at a time: from 0 to 1 it goes from rest to each of its poses and back.
SKINLIGHT_API skinlight_status skinlight_sample_pose(std::int32_t which, double time, skinlight_output pose) {
  return c::call([&] {
    const std::vector<NamedPose> poses = sample(which).poses;
    const double at = std::clamp(time, 0.0, 1.0) * static_cast<double>(poses.size());
    const std::size_t now = std::min(static_cast<std::size_t>(at), poses.size() - 1);
    const double swing = std::sin(std::numbers::pi * (at - static_cast<double>(now)));
    const Pose posed = partway(poses[now].pose, swing * swing);
    c::write(pose, posed.M.size(), 12, "pose", [&](std::size_t b, std::size_t k) {
      return posed.M[b][static_cast<int>(k % 4)][static_cast<int>(k / 4)];
    });
  });
}

}  // extern "C"
