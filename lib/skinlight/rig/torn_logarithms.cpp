#include "skinlight/rig/torn_logarithms.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/rig/bone_reach.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/rig/twist.h"

namespace skinlight {

namespace {

// Bones that are half a turn apart themselves have logarithms just as far apart, from which rounding takes or to which it
// adds what log_of() may.
constexpr double kTorn = M_PI + 4 * kHalfTurn;

}  // namespace

TornLogarithms torn_logarithms(const RiggedMesh& mesh, const Pose& pose) {
  const Binding binding = binding_of(mesh);
  const PoseGroups groups = pose_groups(binding, pose);
  std::vector<std::vector<Vec3d>> turns;  // of each group's bones
  for (const CommonScale& common : groups.groups) {
    std::vector<Vec3d>& turn = turns.emplace_back();
    for (const DualQuat& bone : rigid_part(pose, binding.reach, common).bones)
      turn.push_back(log_of(bone).turn);
  }
  TornLogarithms torn;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const std::vector<Vec3d>& turn = turns[groups.group_of(v)];
    const auto bones = mesh.bones_of(v);
    const auto weights = mesh.weights_of(v);
    bool any = false;
    for (std::size_t i = 0; i < weights.size(); ++i)
      for (std::size_t j = i + 1; j < weights.size(); ++j) {
        if (!(weights[i] > 0) || !(weights[j] > 0)) continue;
        const double apart =
            length(turn[static_cast<std::size_t>(bones[i])] - turn[static_cast<std::size_t>(bones[j])]);
        if (!(apart > kTorn)) continue;
        any = true;
        if (apart > torn.apart) torn = {torn.vertices, bones[i], bones[j], apart};
      }
    torn.vertices += any;
  }
  return torn;
}

Warning torn_warning(const TornLogarithms& torn, std::string bones) {
  const long degrees = std::lround(torn.apart * 180 / M_PI);
  return {
      std::move(bones),
      "have logarithms " + std::to_string(degrees) +
          " degrees apart: log-matrix blending tears the surface between them, logarithms about the dual quaternion "
          "blend ('dib') do not",
      torn.vertices};
}

std::optional<Warning> torn_in(const Model& model, const Clip& clip, std::span<const double> times) {
  TornLogarithms worst;
  for (const double seconds : times) {
    const TornLogarithms torn = torn_logarithms(model.mesh, pose_at(model.skeleton, clip, seconds));
    if (torn.vertices > worst.vertices) worst = torn;
  }
  if (worst.vertices == 0) return std::nullopt;
  const auto name = [&](int bone) {
    const int node = model.skeleton.bone_node[static_cast<std::size_t>(bone)];
    return "'" + model.skeleton.nodes[static_cast<std::size_t>(node)].name + "'";
  };
  return torn_warning(worst,
                      "clip " + clip.name + ", bones " + name(worst.first) + " and " + name(worst.second));
}

}  // namespace skinlight
