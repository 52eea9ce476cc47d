#include "skinlight/skinning/spherical_centres.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "skinlight/core/detail/decompositions.h"
#include "skinlight/core/detail/eigen.h"

namespace skinlight {

namespace {

struct RigidMotion {
  Eigen::Matrix3d R;
  Eigen::Vector3d translation;
};

RigidMotion motion(const DualQuat& q) {
  const Eigen::Quaterniond r(q.r[3], q.r[0], q.r[1], q.r[2]), d(q.d[3], q.d[0], q.d[1], q.d[2]);
  return {r.toRotationMatrix(), 2 * (d * r.conjugate()).vec()};
}

// With r = reach + x: the sum over pairs of |(R_i - R_j) x + M_i reach - M_j reach|^2 is least where A x = b,
// A = sum D^T D, b = -sum D^T (M_i reach - M_j reach), D = R_i - R_j. The eigenvalues of one pair are 0 along
// the axis of the rotation between both and (2 sin(angle / 2))^2 across.
Eigen::Vector3d centre(std::span<const int> bones, const std::vector<RigidMotion>& motions,
                       const Eigen::Vector3d& reach) {
  const auto of = [&](int bone) -> const RigidMotion& { return motions[static_cast<std::size_t>(bone)]; };
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < bones.size(); ++i)
    for (std::size_t j = i + 1; j < bones.size(); ++j) {
      const RigidMotion &m = of(bones[i]), &n = of(bones[j]);
      const Eigen::Matrix3d D = m.R - n.R;
      A += D.transpose() * D;
      b -= D.transpose() * (D * reach + m.translation - n.translation);
    }
  const SymmetricEigen<3> eigen_of_A = symmetric_eigen(A);
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  for (int k = 0; k < 3; ++k) {
    const double value = eigen_of_A.values[k];
    const Eigen::Vector3d direction = eigen_of_A.vectors.col(k);
    if (value > kParallelBones * kParallelBones) x += direction * (direction.dot(b) / value);
  }
  return reach + x;
}

}  // namespace

BoneSets bone_sets(const RiggedMesh& mesh, const VertexSlots& slots) {
  BoneSets sets;
  std::map<std::vector<int>, int> index;
  std::vector<int> vertices;  // #sets
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    std::vector<int> bones;
    for (int s = 0; s < slots.slots; ++s)
      if (slots.weight[slots.at(v, s)] > 0) bones.push_back(slots.bone[slots.at(v, s)]);
    std::sort(bones.begin(), bones.end());
    bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
    const auto [entry, is_new] = index.try_emplace(bones, static_cast<int>(sets.bones.size()));
    if (is_new) {
      sets.bones.push_back(bones);
      sets.reach.emplace_back(0.0);
      vertices.push_back(0);
    }
    const auto set = static_cast<std::size_t>(entry->second);
    sets.reach[set] += mesh.p0[static_cast<std::size_t>(v)];
    ++vertices[set];
    sets.of_vertex.push_back(entry->second);
  }
  for (std::size_t i = 0; i < sets.reach.size(); ++i)
    sets.reach[i] = sets.reach[i] / static_cast<double>(vertices[i]);
  return sets;
}

std::vector<Vec3d> spherical_centres(const BoneSets& sets, const RigidPose& pose) {
  std::vector<RigidMotion> motions;
  for (const DualQuat& q : pose.bones) motions.push_back(motion(q));
  std::vector<Vec3d> centres;
  for (std::size_t i = 0; i < sets.bones.size(); ++i) {
    const Eigen::Vector3d r = centre(sets.bones[i], motions, pose.scale * eigen(sets.reach[i]));
    centres.emplace_back(r.x(), r.y(), r.z());
  }
  return centres;
}

}  // namespace skinlight
