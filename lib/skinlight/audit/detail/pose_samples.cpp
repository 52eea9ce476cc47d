#include "skinlight/audit/detail/pose_samples.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "skinlight/core/angle.h"
#include "skinlight/core/random.h"
#include "skinlight/rig/clip_times.h"
#include "skinlight/rig/turn.h"

namespace skinlight {

namespace {

constexpr int kFewestFrames = 2, kMostFrames = 8;  // of one clip

// The Hamilton product: b, then a.
Quat product(const Quat& a, const Quat& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

void turn(Node& node, Vec3d axis, double radians) {
  if (node.has_matrix) {
    node.matrix = compose(node.matrix, turn_about(Vec3d(0.0), axis, radians));
    return;
  }
  const double s = std::sin(radians / 2);
  node.rotation = product(node.rotation, {axis.x * s, axis.y * s, axis.z * s, std::cos(radians / 2)});
}

}  // namespace

std::vector<PoseSample> clip_samples(const Model& model, int most) {
  std::vector<PoseSample> samples;
  const int clips = static_cast<int>(model.clips.size());
  if (clips == 0) return samples;
  const int frames = std::clamp(most / clips, kFewestFrames, kMostFrames);
  for (const Clip& clip : model.clips)
    // The first frame is left out: most clips start and end alike.
    for (int frame = 1; frame <= frames; ++frame) {
      const double time = time_within(clip, static_cast<double>(frame) / frames);
      char at[32];
      std::snprintf(at, sizeof at, " at %.2f s", time);
      samples.push_back({clip.name + at, pose_at(model.skeleton, clip, time)});
      if (!model.morphs.empty())
        samples.back().morph_weights = morph_weights_at(model.morph_weights, clip, time);
    }
  return samples;
}

std::vector<PoseSample> bend_samples(const Model& model, int count) {
  std::vector<PoseSample> samples;
  Random random(1);
  const std::set<int> nodes(model.skeleton.bone_node.begin(), model.skeleton.bone_node.end());
  for (int i = 0; i < count; ++i) {
    Skeleton bent = model.skeleton;
    for (const int n : nodes)
      turn(bent.nodes[static_cast<std::size_t>(n)], random.direction(), kBendDegrees / kDegrees);
    samples.push_back({"bend " + std::to_string(i + 1), default_pose(bent), model.morph_weights});
  }
  return samples;
}

}  // namespace skinlight
