// Dual quaternion skinning once more, by another route than the kernels: quaternions as 4x4 matrices over
// complex numbers, differentiated by the complex step (no cancellation, so exact to rounding).
#include <Eigen/Dense>
#include <complex>

#include "skinlight/rig/rigid_pose.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

namespace {

using Complex = std::complex<double>;
using Vector4 = Eigen::Matrix<Complex, 4, 1>;  // w, x, y, z
using Matrix4 = Eigen::Matrix<Complex, 4, 4>;
using Vector3 = Eigen::Matrix<Complex, 3, 1>;

constexpr double kStep = 1e-40;

struct Motion {
  Eigen::Vector4d r, d;
};

Eigen::Vector4d real_part_first(const Quat& q) { return {q[3], q[0], q[1], q[2]}; }

std::vector<Motion> motions(const RigidPose& pose) {
  std::vector<Motion> all;
  for (const DualQuat& q : pose.bones) all.push_back({real_part_first(q.r), real_part_first(q.d)});
  return all;
}

// a b* = right_conjugate(b) a
Matrix4 right_conjugate(const Vector4& b) {
  Matrix4 m;
  m << b[0], b[1], b[2], b[3],   //
      -b[1], b[0], -b[3], b[2],  //
      -b[2], b[3], b[0], -b[1],  //
      -b[3], -b[2], b[1], b[0];  //
  return m;
}
// a b = left(a) b
Matrix4 left(const Vector4& a) {
  Matrix4 m;
  m << a[0], -a[1], -a[2], -a[3],  //
      a[1], a[0], -a[3], a[2],     //
      a[2], a[3], a[0], -a[1],     //
      a[3], -a[2], a[1], a[0];     //
  return m;
}

struct Blend {
  Vector4 r, d;
};

// Weighted sum over the slots of a vertex, signs chosen against slot 0, over the length of its real part.
Blend blend(const std::vector<Motion>& bones, std::span<const int> bone, std::span<const Complex> weight) {
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

Vector3 moved(const Blend& b, const Vector3& p) {
  Vector4 point;
  point << Complex(0), p;
  const Vector4 turned = left(b.r) * (right_conjugate(b.r) * point);
  const Vector4 translation = right_conjugate(b.r) * b.d;
  return turned.tail<3>() + Complex(2) * translation.tail<3>();
}

// Derivative of the posed position along the rest-space axis `axis`.
Eigen::Vector3d derivative(const ProceduralRig& rig, const std::vector<Motion>& bones, double scale, int v,
                           int axis) {
  const auto i = static_cast<std::size_t>(v);
  const auto slots = static_cast<std::size_t>(rig.mesh.slots);
  std::vector<Complex> weight;
  for (std::size_t k = 0; k < slots; ++k)
    weight.emplace_back(rig.mesh.weights_of(v)[k], kStep * rig.gradient[i * slots + k][axis]);
  const Vec3d p0 = rig.mesh.p0[i];
  Vector3 p(p0.x, p0.y, p0.z);
  p[axis] += Complex(0, kStep);
  return moved(blend(bones, rig.mesh.bones_of(v), weight), scale * p).imag() / kStep;
}

}  // namespace

std::vector<Vec3d> analytic_dqs_normals(const ProceduralRig& rig, const Pose& pose) {
  const RigidPose rigid = rigid_part(pose, bone_reach(rig.mesh));
  const std::vector<Motion> bones = motions(rigid);
  std::vector<Vec3d> normals(rig.mesh.p0.size());
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    Eigen::Matrix3d J;
    for (int axis = 0; axis < 3; ++axis) J.col(axis) = derivative(rig, bones, rigid.scale, v, axis);
    Eigen::Matrix3d cofactors;
    cofactors << J.col(1).cross(J.col(2)), J.col(2).cross(J.col(0)), J.col(0).cross(J.col(1));
    const Vec3d n0 = rig.mesh.n0[static_cast<std::size_t>(v)];
    const Eigen::Vector3d n =
        (pose.orientation * (cofactors * Eigen::Vector3d(n0.x, n0.y, n0.z))).normalized();
    normals[static_cast<std::size_t>(v)] = Vec3d(n.x(), n.y(), n.z());
  }
  return normals;
}

std::vector<Mat3d> blended_rotation(const RiggedMesh& mesh, const Pose& pose) {
  const RigidPose rigid = rigid_part(pose, bone_reach(mesh));
  const std::vector<Motion> bones = motions(rigid);
  std::vector<Mat3d> rotations;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const std::vector<Complex> weight(mesh.weights_of(v).begin(), mesh.weights_of(v).end());
    const Vector4 r = blend(bones, mesh.bones_of(v), weight).r;
    const Eigen::Matrix3d R =
        rigid.scale *
        Eigen::Quaterniond(r[0].real(), r[1].real(), r[2].real(), r[3].real()).toRotationMatrix();
    rotations.emplace_back(Vec3d(R(0, 0), R(1, 0), R(2, 0)), Vec3d(R(0, 1), R(1, 1), R(2, 1)),
                           Vec3d(R(0, 2), R(1, 2), R(2, 2)));
  }
  return rotations;
}

}  // namespace skinlight
