// GLSL's vocabulary as Eigen's.
#pragma once

#include <Eigen/Core>

#include "skinlight/core/glsl.h"

namespace skinlight {

inline Eigen::Vector3d eigen(Vec3d v) { return {v.x, v.y, v.z}; }
inline Vec3d vec(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

inline Eigen::Matrix3d eigen(const Mat3d& m) {
  Eigen::Matrix3d e;
  e << eigen(m[0]), eigen(m[1]), eigen(m[2]);
  return e;
}

inline Eigen::Matrix3d eigen_linear(const Mat4x3d& m) {
  Eigen::Matrix3d e;
  e << eigen(m[0]), eigen(m[1]), eigen(m[2]);
  return e;
}

inline Eigen::Matrix<double, 3, 4> eigen(const Mat4x3d& m) {
  Eigen::Matrix<double, 3, 4> e;
  e << eigen(m[0]), eigen(m[1]), eigen(m[2]), eigen(m[3]);
  return e;
}

}  // namespace skinlight
