// How methods that blend rotations move points, by Eigen: quaternions for DQS and CRS, matrix exponentials for
// log-matrix blending. An oracle: no line of the code under test.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <unsupported/Eigen/MatrixFunctions>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/rig/pose.h"

namespace skinlight::test_motions {

inline Eigen::Matrix4d whole(const Mat4x3d& m) {
  Eigen::Matrix4d w = Eigen::Matrix4d::Identity();
  w.topRows<3>() = eigen(m);
  return w;
}

// The motion of a method at weights of the bones, the first of which chooses sides.
inline Eigen::Matrix4d blended(FrameBlend method, const Pose& pose, std::span<const int> bones,
                               std::span<const double> weights, const Eigen::Vector3d& centre) {
  if (method == FrameBlend::logarithms) {
    Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
    for (std::size_t s = 0; s < bones.size(); ++s)
      if (weights[s] != 0) sum += weights[s] * whole(pose.M[static_cast<std::size_t>(bones[s])]).log();
    return sum.exp();
  }
  using Eigen::Quaterniond;
  const auto rotation = [&](int bone) {
    return Quaterniond(eigen_linear(pose.M[static_cast<std::size_t>(bone)]));
  };
  const Quaterniond first = rotation(bones[0]);
  Eigen::Vector4d r = Eigen::Vector4d::Zero(), d = r;
  Eigen::Vector3d goes = Eigen::Vector3d::Zero();
  for (std::size_t s = 0; s < bones.size(); ++s) {
    Quaterniond q = rotation(bones[s]);
    if (q.dot(first) < 0) q.coeffs() *= -1;
    const Eigen::Vector3d t = eigen(pose.M[static_cast<std::size_t>(bones[s])][3]);
    const Quaterniond dual = Quaterniond(0, t.x() / 2, t.y() / 2, t.z() / 2) * q;
    r += weights[s] * q.coeffs();
    d += weights[s] * dual.coeffs();
    goes += weights[s] * (q * centre + t);
  }
  const double size = r.norm();
  const Quaterniond R(Eigen::Vector4d(r / size)), D(Eigen::Vector4d(d / size));
  Eigen::Matrix4d M = Eigen::Matrix4d::Identity();
  M.topLeftCorner<3, 3>() = R.toRotationMatrix();
  if (method == FrameBlend::dual_quaternions)
    M.topRightCorner<3, 1>() = 2 * (D * R.conjugate()).vec();
  else
    M.topRightCorner<3, 1>() = goes - R * centre;
  return M;
}

}  // namespace skinlight::test_motions
