#include "skinlight/rig/typical_poses.h"

#include <Eigen/Geometry>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/random.h"

namespace skinlight {

std::vector<Pose> clip_poses(const Skeleton& skeleton, std::span<const Clip> clips, int per_clip) {
  if (per_clip < 1)
    throw InputError("", "poses per clip " + std::to_string(per_clip), "at least 1 is needed");
  std::vector<Pose> poses;
  for (const Clip& clip : clips)
    for (int k = 0; k < per_clip; ++k)
      poses.push_back(pose_at(skeleton, clip, clip.duration * (k + .5) / per_clip));
  return poses;
}

std::vector<Pose> random_joint_poses(const Skeleton& skeleton, int count, double radians,
                                     std::uint64_t seed) {
  Random random(seed);
  std::vector<Pose> poses;
  for (int k = 0; k < count; ++k) {
    Skeleton turned = skeleton;
    for (const int n : skeleton.bone_node) {
      if (n < 0 || n >= static_cast<int>(turned.nodes.size())) continue;  // default_pose() names it
      Node& node = turned.nodes[static_cast<std::size_t>(n)];
      const Vec3d axis = random.direction();
      const Eigen::Quaterniond turn(
          Eigen::AngleAxisd(random.uniform(-radians, radians), Eigen::Vector3d(axis.x, axis.y, axis.z)));
      if (node.has_matrix) continue;
      const Quat& r = node.rotation;
      const Eigen::Quaterniond q = Eigen::Quaterniond(r[3], r[0], r[1], r[2]) * turn;
      node.rotation = {q.x(), q.y(), q.z(), q.w()};
    }
    poses.push_back(default_pose(turned));
  }
  return poses;
}

}  // namespace skinlight
