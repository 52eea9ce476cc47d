#include <Eigen/Dense>

#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

Result run_eigen_loop(const VertexCase& c) {
  using Eigen::Matrix3f;
  using Eigen::Vector3f;
  const auto eigen = [](const Vec3f& v) { return Vector3f(v.x, v.y, v.z); };
  const auto plain = [](const Vector3f& v) { return Vec3d(v.x(), v.y(), v.z()); };
  Matrix3f J = Matrix3f::Zero();
  Vector3f p = Vector3f::Zero();
  for (int s = 0; s < c.slots; ++s) {
    Matrix3f linear;
    linear << eigen(c.bone[s][0]), eigen(c.bone[s][1]), eigen(c.bone[s][2]);
    const Vector3f q = linear * eigen(c.p) + eigen(c.bone[s][3]);
    p += c.weight[s] * q;
    J += c.weight[s] * linear + q * eigen(c.gradient[s]).transpose();
  }
  const Vector3f n = (J.inverse().transpose() * eigen(c.n)).normalized();
  return {plain(p), plain((J * eigen(c.t)).normalized()), plain((J * eigen(c.b)).normalized()), plain(n)};
}

}  // namespace skinlight::stability
