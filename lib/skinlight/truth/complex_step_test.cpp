// Methods that blend rotations once more, by other routes than rigid_blend.h: derivatives along the axes of space by the
// complex step (no cancellation, so exact to rounding), quaternions as 4x4 matrices, Eigen's exponential of matrices,
// logarithms by repeated square roots. What analytic_normals() and extension_of() are compared with.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <complex>
#include <map>
#include <span>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/dual.h"
#include "skinlight/rig/procedural_rig.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/truth/truth.h"
#include "testing/methods.h"
#include "testing/rigs.h"

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

std::vector<Motion> motions(const RigidPose& pose) {
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

// r p r*
Vector3 turned(const Vector4& r, const Vector3& p) {
  Vector4 point;
  point << Complex(0), p;
  return (left(r) * (right_conjugate(r) * point)).tail<3>();
}

// The translation 2 d r*.
Vector3 translation(const Vector4& r, const Vector4& d) {
  return Complex(2) * (right_conjugate(r) * d).tail<3>();
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

// co(J)^T n0, J the derivative of moved(vertex, axis, weights, p0) along each rest-space axis, along which
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

// CRS and SBS.

// R (p - c) + sum_s w[s] M[s] c
Vector3 moved_about(const std::vector<Motion>& bones, std::span<const int> bone,
                    const std::vector<Complex>& weight, const Vector3& c, const Vector3& p) {
  Vector3 sum = turned(blend(bones, bone, weight).r, p - c);
  for (std::size_t k = 0; k < bone.size(); ++k) {
    const Motion& q = bones[static_cast<std::size_t>(bone[k])];
    sum +=
        weight[k] * (turned(q.r.cast<Complex>(), c) + translation(q.r.cast<Complex>(), q.d.cast<Complex>()));
  }
  return sum;
}

// Directions in which bones turn apart by less radians than this are free (kParallelBones of the kernels'
// side).
constexpr double kParallel = 1e-3;

// The point nearest to `reach` whose images under the bones are closest: singular values of all pairs'
// differences, one below the other.
Eigen::Vector3d spherical_centre(const std::vector<Motion>& bones, const std::vector<int>& set,
                                 const Eigen::Vector3d& reach) {
  std::vector<Eigen::Matrix3d> R;
  std::vector<Eigen::Vector3d> t;
  for (const int s : set) {
    const Motion& q = bones[static_cast<std::size_t>(s)];
    R.push_back(Eigen::Quaterniond(q.r[0], q.r[1], q.r[2], q.r[3]).toRotationMatrix());
    t.emplace_back(translation(q.r.cast<Complex>(), q.d.cast<Complex>()).real());
  }
  if (set.size() < 2) return reach;
  const auto rows = static_cast<Eigen::Index>(3 * set.size() * (set.size() - 1) / 2);
  Eigen::MatrixXd D(rows, 3);
  Eigen::VectorXd rhs(rows);
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < set.size(); ++i)
    for (std::size_t j = i + 1; j < set.size(); ++j, row += 3) {
      D.middleRows<3>(row) = R[i] - R[j];
      rhs.segment<3>(row) = t[j] - t[i] - (R[i] - R[j]) * reach;
    }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(D, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::Array3d size = svd.singularValues(), along = (svd.matrixU().transpose() * rhs).array();
  const Eigen::Array3d steps = (size > kParallel).select(along / size, 0.0);
  return reach + svd.matrixV() * steps.matrix();
}

// Of the bones that move a vertex. Where the search starts decides only along an axis about which all of them turn alike,
// and a centre moved along that moves no vertex.
Vector3 spherical_centre_of(const RiggedMesh& mesh, const MotionsOfVertices& bones, int v) {
  std::vector<int> set;
  for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
    if (mesh.weights_of(v)[k] > 0) set.push_back(mesh.bones_of(v)[k]);
  return spherical_centre(bones.of(v), set, bones.scale(v) * eigen(mesh.p0[static_cast<std::size_t>(v)]))
      .cast<Complex>();
}

// LOG.

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// The logarithm with the smallest angle. The translation is V shift with V the integral of exp(s W) over s
// from 0 to 1, a block of the exponential of [W 1; 0 0].
Eigen::Matrix4d logarithm(const Motion& q) {
  const Eigen::AngleAxisd turn(Eigen::Quaterniond(q.r[0], q.r[1], q.r[2], q.r[3]));
  const Eigen::Matrix3d W = cross_matrix(turn.angle() * turn.axis());
  Eigen::Matrix<double, 6, 6> block = Eigen::Matrix<double, 6, 6>::Zero();
  block.topLeftCorner<3, 3>() = W;
  block.topRightCorner<3, 3>().setIdentity();
  const Eigen::Matrix3d V = Eigen::Matrix<double, 6, 6>(block.exp()).topRightCorner<3, 3>();
  Eigen::Matrix4d log = Eigen::Matrix4d::Zero();
  log.topLeftCorner<3, 3>() = W;
  log.topRightCorner<3, 1>() = V.inverse() * translation(q.r.cast<Complex>(), q.d.cast<Complex>()).real();
  return log;
}

// Of the bones as each vertex is moved by them and as they are, whatever pivot they are measured from.
class Logarithms {
 public:
  Logarithms(const RiggedMesh& mesh, const Pose& pose) : bones_(mesh, with_pivot(pose, -pose.pivot)) {}

  double scale(int v) const { return bones_.scale(v); }
  const std::vector<Eigen::Matrix4d>& of(int v) {
    std::vector<Eigen::Matrix4d>& logs = logs_[&bones_.of(v)];
    if (logs.empty())
      for (const Motion& q : bones_.of(v)) logs.push_back(logarithm(q));
    return logs;
  }

 private:
  MotionsOfVertices bones_;
  std::map<const std::vector<Motion>*, std::vector<Eigen::Matrix4d>> logs_;  // of a group's motions
};

Matrix4 blended(const std::vector<Eigen::Matrix4d>& logs, std::span<const int> bone,
                const std::vector<Complex>& weight) {
  Matrix4 sum = Matrix4::Zero();
  for (std::size_t k = 0; k < bone.size(); ++k) sum += weight[k] * logs[static_cast<std::size_t>(bone[k])];
  return sum.exp();
}

// DIB.

using Number = Dual<Complex>;

struct DualQuaternion {
  Number s;
  Vec3<Number> v;
};

DualQuaternion product(const DualQuaternion& a, const DualQuaternion& b) {
  return {a.s * b.s - dot(a.v, b.v), b.v * a.s + a.v * b.s + cross(a.v, b.v)};
}
DualQuaternion scaled(const DualQuaternion& a, Number k) { return {a.s * k, a.v * k}; }
DualQuaternion sum(const DualQuaternion& a, const DualQuaternion& b) { return {a.s + b.s, a.v + b.v}; }
DualQuaternion conjugate(const DualQuaternion& a) { return {a.s, -a.v}; }
DualQuaternion normalised(const DualQuaternion& a) {
  return scaled(a, Number(Complex(1)) / sqrt(a.s * a.s + dot(a.v, a.v)));
}

DualQuaternion of(const Motion& q) {
  const auto number = [&](int i) { return Number(Complex(q.r[i]), Complex(q.d[i])); };
  return {number(0), {number(1), number(2), number(3)}};
}

// The vector l with exp l = a, half the twist. The square root of a is 1 + a over its length; of its 256th root the
// vector part w has the length of sin |l / 256|, and arcsin x = x (1 + x^2 / 6 + 3 x^4 / 40 + 15 x^6 / 336 + ...).
Vec3<Number> logarithm(DualQuaternion a) {
  for (int root = 0; root < 8; ++root) {
    a.s = a.s + Number(Complex(1));
    a = normalised(a);
  }
  const auto constant = [](double x) { return Number(Complex(x)); };
  const Number x = dot(a.v, a.v);
  return a.v * (constant(1) + x * (constant(1. / 6) + x * (constant(3. / 40) + x * constant(15. / 336)))) *
         constant(256);
}

DualQuaternion exponential(const Vec3<Number>& l) {
  const Number zero(Complex(0)), one(Complex(1));
  DualQuaternion term{one, Vec3<Number>(zero)}, all = term;
  for (int n = 1; n < 40; ++n) {
    term = scaled(product(term, {zero, l}), Number(Complex(1. / n)));
    all = sum(all, term);
  }
  return all;
}

// c exp(sum_s w[s] log(c* q[s])), c the normalised sum of w[s] q[s] with signs chosen against slot 0.
DualQuaternion iterated(const std::vector<Motion>& bones, std::span<const int> bone,
                        std::span<const Complex> weight) {
  std::vector<DualQuaternion> q;
  const Motion& first = bones[static_cast<std::size_t>(bone[0])];
  DualQuaternion blend = scaled(of(first), Number(Complex(0)));
  for (std::size_t k = 0; k < bone.size(); ++k) {
    const Motion& motion = bones[static_cast<std::size_t>(bone[k])];
    q.push_back(scaled(of(motion), Number(Complex(motion.r.dot(first.r) < 0 ? -1 : 1))));
    blend = sum(blend, scaled(q.back(), Number(weight[k])));
  }
  const DualQuaternion c = normalised(blend);
  Vec3<Number> step(Number(Complex(0)));
  for (std::size_t k = 0; k < bone.size(); ++k)
    step = step + logarithm(product(conjugate(c), q[k])) * Number(weight[k]);
  return product(c, exponential(step));
}

Vector4 real_part(const DualQuaternion& a) { return {a.s.v, a.v.x.v, a.v.y.v, a.v.z.v}; }
Vector4 dual_part(const DualQuaternion& a) { return {a.s.d, a.v.x.d, a.v.y.d, a.v.z.d}; }

// Every method, where it moves a point and how it turns directions. One without a route of its own is taken for dual
// quaternion skinning, which it is not.
std::vector<Vec3d> stepped_normals(const ProceduralRig& rig, const Pose& pose, Method method,
                                   const CentreField& field) {
  const RiggedMesh& mesh = rig.mesh;
  if (method == Method::log) {
    Logarithms logs(mesh, pose);
    return normals(rig, pose,
                   [&](int v, int, const std::vector<Complex>& weight, const Vector3& p) -> Vector3 {
                     Vector4 point;
                     point << logs.scale(v) * p, Complex(1);
                     return (blended(logs.of(v), mesh.bones_of(v), weight) * point).head<3>();
                   });
  }
  const MotionsOfVertices bones(mesh, pose);
  return normals(
      rig, pose, [&](int v, int axis, const std::vector<Complex>& weight, const Vector3& p) -> Vector3 {
        const auto i = static_cast<std::size_t>(v);
        const std::vector<Motion>& motions = bones.of(v);
        if (method == Method::crs) {
          Vector3 c = eigen(field.centre[i]).cast<Complex>();
          c += Complex(0, kStep) * eigen(field.gradient[i][axis]);
          return moved_about(motions, mesh.bones_of(v), weight, bones.scale(v) * c, bones.scale(v) * p);
        }
        if (method == Method::sbs)
          return moved_about(motions, mesh.bones_of(v), weight, spherical_centre_of(mesh, bones, v),
                             bones.scale(v) * p);
        if (method == Method::dib) {
          const DualQuaternion m = iterated(motions, mesh.bones_of(v), weight);
          return turned(real_part(m), bones.scale(v) * p) + translation(real_part(m), dual_part(m));
        }
        const Blend b = blend(motions, mesh.bones_of(v), weight);
        return turned(b.r, bones.scale(v) * p) + translation(b.r, b.d);
      });
}

Eigen::Matrix3d stepped_rotation(const RiggedMesh& mesh, const Pose& pose, Method method, int v) {
  const std::vector<Complex> weight(mesh.weights_of(v).begin(), mesh.weights_of(v).end());
  if (method == Method::log) {
    Logarithms logs(mesh, pose);
    return logs.scale(v) * blended(logs.of(v), mesh.bones_of(v), weight).topLeftCorner<3, 3>().real();
  }
  const MotionsOfVertices bones(mesh, pose);
  const Vector4 r = method == Method::dib ? real_part(iterated(bones.of(v), mesh.bones_of(v), weight))
                                          : blend(bones.of(v), mesh.bones_of(v), weight).r;
  return bones.scale(v) *
         Eigen::Quaterniond(r[0].real(), r[1].real(), r[2].real(), r[3].real()).toRotationMatrix();
}

// Rigs of two and of five bones, poses drawn at random, scaled, mirrored, and measured from elsewhere.
struct Drawn {
  ProceduralRig rig;
  Pose pose;
  CentreField field;  // affine in the rest position
};

std::vector<Drawn> drawn() {
  constexpr double kTurn = 1, kDistance = .3, kField = .4;
  Random random(3);
  std::vector<Drawn> all;
  for (const ProceduralRig& rig :
       {cylinder({.half_length = 3, .half_blend = 2}, {.segments = 12}), cuboid({.across = 3, .along = 20})})
    for (int round = 0; round < 4; ++round) {
      Pose pose = test_rigs::random_rigid_pose(rig.mesh.bone_count, random, kTurn, kDistance);
      if (round == 1) pose = test_rigs::mirrored(pose);
      if (round == 2) {
        for (Mat4x3d& M : pose.M)
          for (int c = 0; c < 3; ++c) M[c] = M[c] * 3.0;
        pose = make_pose(pose.M);
      }
      if (round == 3) pose = with_pivot(pose, {1, 2, 3});
      const Mat4x3d map = test_rigs::random_affine(random, kField);
      CentreField field;
      for (const Vec3d& p : rig.mesh.p0) {
        field.centre.push_back(transform_point(map, p));
        field.gradient.emplace_back(map);
      }
      all.push_back({rig, pose, field});
    }
  return all;
}

constexpr double kRoundingOfRoutes = 1e-11;  // radians; rounding leaves 1e-13

TEST(AnalyticNormals, UnderEveryBlendOfRotationsAreThoseOfTheComplexStep) {
  for (const Drawn& of : drawn())
    for (const Method method : test_methods::that_blend_rotations()) {
      SCOPED_TRACE(row(method).name);
      const std::vector<Vec3d> n = analytic_normals(of.rig, of.pose, method, &of.field),
                               m = stepped_normals(of.rig, of.pose, method, of.field);
      double largest = 0;
      for (std::size_t v = 0; v < n.size(); ++v) largest = std::max(largest, length(n[v] - m[v]));
      EXPECT_LT(largest, kRoundingOfRoutes);
    }
}

TEST(ExtensionOf, EveryBlendOfRotationsIsTheRotationByAnotherRoute) {
  for (const Drawn& of : drawn())
    for (const Method method : test_methods::that_blend_rotations()) {
      SCOPED_TRACE(row(method).name);
      const std::vector<Mat3d> R = extension_of(of.rig.mesh, of.pose, method);
      double largest = 0;
      for (int v = 0; v < of.rig.mesh.vertex_count(); ++v)
        largest = std::max(largest, (eigen(R[static_cast<std::size_t>(v)]) -
                                     stepped_rotation(of.rig.mesh, of.pose, method, v))
                                        .norm());
      EXPECT_LT(largest, kRoundingOfRoutes);
    }
}

}  // namespace
}  // namespace skinlight
