#include "skinlight/rig/rigid_pose.h"
#include "skinlight/core/detail/eigen.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace skinlight {

namespace {

// The rotation R that maximises trace(R^T A): its quaternion is the eigenvector of the largest eigenvalue of
// a symmetric matrix made of A [Horn 1987]. Defined for every A, singular or mirroring; of 0 it is the
// identity.
Eigen::Quaterniond nearest_rotation(const Eigen::Matrix3d& A) {
  if (A.isZero(0)) return Eigen::Quaterniond::Identity();
  const double trace = A.trace();
  Eigen::Matrix4d N;  // order w, x, y, z
  N(0, 0) = trace;
  N.block<1, 3>(0, 1) << A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1);
  N.block<3, 1>(1, 0) = N.block<1, 3>(0, 1).transpose();
  N.block<3, 3>(1, 1) = A + A.transpose() - trace * Eigen::Matrix3d::Identity();
  const Eigen::Vector4d q = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(N).eigenvectors().col(3);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

// Root mean square of the three singular values.
double scale_of(const Mat4x3d& m) { return eigen_linear(m).norm() / std::sqrt(3.0); }

double common_scale(const Pose& pose, std::span<const BoneReach> reach) {
  std::vector<double> scales;
  for (std::size_t s = 0; s < reach.size(); ++s)
    if (reach[s].weight > 0) scales.push_back(scale_of(pose.M[s]));
  if (scales.empty()) return pose.orientation;
  const auto middle = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2);
  std::nth_element(scales.begin(), middle, scales.end());
  return pose.orientation * *middle;
}

Quat quat(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }

}  // namespace

std::vector<BoneReach> bone_reach(const RiggedMesh& mesh) {
  std::vector<BoneReach> reach(static_cast<std::size_t>(mesh.bone_count));
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k) {
      BoneReach& bone = reach[static_cast<std::size_t>(mesh.bones_of(v)[k])];
      bone.weight += mesh.weights_of(v)[k];
      bone.centre += mesh.p0[static_cast<std::size_t>(v)] * mesh.weights_of(v)[k];
    }
  for (BoneReach& bone : reach)
    if (bone.weight > 0) bone.centre = bone.centre / bone.weight;
  return reach;
}

RigidPose rigid_part(const Pose& pose, std::span<const BoneReach> reach) {
  if (reach.size() > pose.M.size())
    throw InputError(
        "", "pose",
        "has " + std::to_string(pose.M.size()) + " entries, the mesh needs " + std::to_string(reach.size()));
  RigidPose rigid;
  rigid.scale = common_scale(pose, reach);
  Warning bent;
  bent.count = 0;
  for (std::size_t s = 0; s < pose.M.size(); ++s) {
    const Eigen::Matrix3d A = eigen_linear(pose.M[s]);
    const Eigen::Quaterniond r = nearest_rotation(pose.orientation * A);
    const Eigen::Matrix3d rest = A - rigid.scale * r.toRotationMatrix();  // what a rigid bone has not
    const BoneReach bone = s < reach.size() ? reach[s] : BoneReach();
    const bool is_rigid = rest.norm() <= kRigidTolerance * std::sqrt(3.0) * std::abs(rigid.scale);
    Eigen::Vector3d t = eigen(pose.M[s][3]);
    if (!is_rigid) {
      t += rest * eigen(bone.centre);
      if (bone.weight > 0 && bent.count++ == 0) bent.element = "bone " + std::to_string(s);
    }
    const Eigen::Quaterniond d(0.5 * (Eigen::Quaterniond(0, t.x(), t.y(), t.z()) * r).coeffs());
    rigid.bones.push_back({quat(r), quat(d)});
  }
  bent.reason = "is scaled, sheared or mirrored unlike the others; only its nearest rotation is used";
  if (bent.count > 0) rigid.warnings.push_back(bent);
  return rigid;
}

}  // namespace skinlight
