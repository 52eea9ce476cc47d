#include "skinlight/rig/rigid_pose.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "skinlight/core/detail/decompositions.h"
#include "skinlight/core/detail/eigen.h"
#include "skinlight/rig/twist.h"

namespace skinlight {

namespace {

// The unit eigenvector of the largest eigenvalue of a symmetric matrix without a trace, by power iteration where that is
// quick: with `shift` added, about a third of that eigenvalue, the other three nearly vanish where bones are nearly rigid.
// That they are within a tenth of it is seen by the squares of all four, which sum to those of the entries.
std::optional<Eigen::Vector4d> iterated_eigenvector(const Eigen::Matrix4d& N, double shift) {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();  // of a product of 4 x 4, relative
  const Eigen::Matrix4d shifted = N + shift * Eigen::Matrix4d::Identity();
  Eigen::Index largest;
  shifted.diagonal().maxCoeff(&largest);
  Eigen::Vector4d q = shifted.col(largest).normalized();
  for (int product = 0; product < 8; ++product) {
    const Eigen::Vector4d turned = shifted * q;
    const double value = turned.norm();
    if (!(shifted.squaredNorm() <= 1.01 * value * value)) break;
    const double change = (turned / value - q).norm();
    q = turned / value;
    if (change <= kRounding) return q;
  }
  return std::nullopt;
}

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
  // Of half a turn both signs are as good, and which way others blend with it is the sign's: the solver's, always.
  const std::optional<Eigen::Vector4d> quick = iterated_eigenvector(N, A.norm() / std::sqrt(3.0));
  const bool found = quick && std::abs((*quick)[0]) > kHalfTurn;
  const Eigen::Vector4d q = found ? *quick : symmetric_eigen(N).vectors.col(3);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

Quat quat(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }

struct Motion {
  DualQuat q;
  bool is_rigid;
};

// common: of the bone and those it blends with. centre: of the bone's reach.
Motion motion_of(const Mat4x3d& m, const CommonScale& common, Vec3d centre) {
  const double scale = common.orientation * common.middle;
  const Eigen::Matrix3d A = eigen_linear(m);
  const Eigen::Quaterniond r = nearest_rotation(common.orientation * A);
  const Eigen::Matrix3d rest = A - scale * r.toRotationMatrix();  // what a rigid bone has not
  const bool is_rigid = rest.norm() <= kRigidTolerance * std::sqrt(3.0) * std::abs(scale);
  Eigen::Vector3d t = eigen(m[3]);
  if (!is_rigid) t += rest * eigen(centre);
  const Eigen::Quaterniond d(0.5 * (Eigen::Quaterniond(0, t.x(), t.y(), t.z()) * r).coeffs());
  return {{quat(r), quat(d)}, is_rigid};
}

}  // namespace

RigidPose rigid_part(const Pose& pose, std::span<const BoneReach> reach) {
  const CommonScale common = common_scale(pose, reach);
  const std::vector<CommonScale> islands = island_scales(pose, reach);
  RigidPose rigid = rigid_part(pose, reach, common);
  Warning bent;
  bent.count = 0;
  for (std::size_t s = 0; s < reach.size(); ++s) {
    if (!(reach[s].weight > 0)) continue;
    const CommonScale& own = islands[static_cast<std::size_t>(reach[s].island)];
    if (motion_of(pose.M[s], own, reach[s].centre).is_rigid) continue;
    if (bent.count++ == 0) bent.element = "bone " + std::to_string(s);
  }
  bent.reason = "is scaled, sheared or mirrored unlike the others; only its nearest rotation is used";
  if (bent.count > 0) rigid.warnings.push_back(bent);
  return rigid;
}

RigidPose rigid_part(const Pose& pose, std::span<const BoneReach> reach, const CommonScale& common) {
  RigidPose rigid;
  rigid.scale = common.orientation * common.middle;
  for (std::size_t s = 0; s < pose.M.size(); ++s)
    rigid.bones.push_back(motion_of(pose.M[s], common, s < reach.size() ? reach[s].centre : Vec3d(0.0)).q);
  return rigid;
}

}  // namespace skinlight
