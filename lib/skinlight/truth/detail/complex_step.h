// Derivatives by the complex step (no cancellation, so exact to rounding) of motions written with quaternions
// as 4x4 matrices over complex numbers: another route than the kernels'. Internal to this room.
#pragma once

#include <Eigen/Dense>
#include <complex>
#include <span>
#include <vector>

#include "skinlight/rig/procedural_rig.h"
#include "skinlight/rig/rigid_pose.h"

namespace skinlight::complex_step {

using Complex = std::complex<double>;
using Vector4 = Eigen::Matrix<Complex, 4, 1>;  // w, x, y, z
using Matrix4 = Eigen::Matrix<Complex, 4, 4>;
using Vector3 = Eigen::Matrix<Complex, 3, 1>;

inline constexpr double kStep = 1e-40;

struct Motion {
  Eigen::Vector4d r, d;
};

inline std::vector<Motion> motions(const RigidPose& pose) {
  const auto real_part_first = [](const Quat& q) { return Eigen::Vector4d(q[3], q[0], q[1], q[2]); };
  std::vector<Motion> all;
  for (const DualQuat& q : pose.bones) all.push_back({real_part_first(q.r), real_part_first(q.d)});
  return all;
}

// The motions of bones as each vertex is moved by them, and what these have in common.
class MotionsOfVertices {
 public:
  MotionsOfVertices(const RiggedMesh& mesh, const Pose& pose)
      : binding_(binding_of(mesh)), groups_(pose_groups(binding_, pose)) {
    for (const CommonScale& common : groups_.groups)
      motions_.push_back(motions(rigid_part(pose, binding_.reach, common)));
  }

  const std::vector<Motion>& of(int v) const { return motions_[groups_.group_of(v)]; }
  // Negative where the vertex is mirrored.
  double scale(int v) const { return groups_.of(v).orientation * groups_.of(v).middle; }

 private:
  Binding binding_;
  PoseGroups groups_;
  std::vector<std::vector<Motion>> motions_;  // #groups by #bones
};

// a b* = right_conjugate(b) a
inline Matrix4 right_conjugate(const Vector4& b) {
  Matrix4 m;
  m << b[0], b[1], b[2], b[3],   //
      -b[1], b[0], -b[3], b[2],  //
      -b[2], b[3], b[0], -b[1],  //
      -b[3], -b[2], b[1], b[0];  //
  return m;
}
// a b = left(a) b
inline Matrix4 left(const Vector4& a) {
  Matrix4 m;
  m << a[0], -a[1], -a[2], -a[3],  //
      a[1], a[0], -a[3], a[2],     //
      a[2], a[3], a[0], -a[1],     //
      a[3], -a[2], a[1], a[0];     //
  return m;
}

// r p r*
inline Vector3 turned(const Vector4& r, const Vector3& p) {
  Vector4 point;
  point << Complex(0), p;
  return (left(r) * (right_conjugate(r) * point)).tail<3>();
}

// The translation 2 d r*.
inline Vector3 translation(const Vector4& r, const Vector4& d) {
  return Complex(2) * (right_conjugate(r) * d).tail<3>();
}

// scale times the rotation of r, whose real parts are unit.
inline Mat3d rotation_matrix(const Vector4& r, double scale) {
  const Eigen::Matrix3d R =
      scale * Eigen::Quaterniond(r[0].real(), r[1].real(), r[2].real(), r[3].real()).toRotationMatrix();
  return {Vec3d(R(0, 0), R(1, 0), R(2, 0)), Vec3d(R(0, 1), R(1, 1), R(2, 1)),
          Vec3d(R(0, 2), R(1, 2), R(2, 2))};
}

struct Blend {
  Vector4 r, d;
};

// Weighted sum over the slots of a vertex, signs chosen against slot 0, over the length of its real part.
inline Blend blend(const std::vector<Motion>& bones, std::span<const int> bone,
                   std::span<const Complex> weight) {
  Blend b{Vector4::Zero(), Vector4::Zero()};
  const Motion& first = bones[static_cast<std::size_t>(bone[0])];
  for (std::size_t k = 0; k < bone.size(); ++k) {
    const Motion& q = bones[static_cast<std::size_t>(bone[k])];
    const Complex w = q.r.dot(first.r) < 0 ? -weight[k] : weight[k];
    b.r += w * q.r;
    b.d += w * q.d;
  }
  const Complex length = std::sqrt((b.r.array() * b.r.array()).sum());  // not the complex norm
  b.r /= length;
  b.d /= length;
  return b;
}

// co(J) n0, J the derivative of moved(vertex, axis, weights, p0) along each rest-space axis, along which
// weights change by the rig's gradients. #V by 3, unit.
template <class Moved>
std::vector<Vec3d> normals(const ProceduralRig& rig, const Pose& pose, Moved moved) {
  const std::vector<double> orientation = orientations(rig.mesh, pose);
  const auto slots = static_cast<std::size_t>(rig.mesh.slots);
  std::vector<Vec3d> all;
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    const Vec3d p0 = rig.mesh.p0[i], n0 = rig.mesh.n0[i];
    Eigen::Matrix3d J;
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Complex> weight;
      for (std::size_t k = 0; k < slots; ++k)
        weight.emplace_back(rig.mesh.weights_of(v)[k], kStep * rig.gradient[i * slots + k][axis]);
      Vector3 p(p0.x, p0.y, p0.z);
      p[axis] += Complex(0, kStep);
      J.col(axis) = moved(v, axis, weight, p).imag() / kStep;
    }
    Eigen::Matrix3d cofactors;
    cofactors << J.col(1).cross(J.col(2)), J.col(2).cross(J.col(0)), J.col(0).cross(J.col(1));
    const Eigen::Vector3d n = (orientation[i] * (cofactors * Eigen::Vector3d(n0.x, n0.y, n0.z))).normalized();
    all.emplace_back(n.x(), n.y(), n.z());
  }
  return all;
}

}  // namespace skinlight::complex_step
