// Log-matrix blending by another route than the kernels: Eigen's exponential of 4x4 matrices over complex
// numbers.
#include <cmath>
#include <map>
#include <unsupported/Eigen/MatrixFunctions>

#include "skinlight/truth/detail/complex_step.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

using namespace complex_step;

namespace {

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

}  // namespace

std::vector<Vec3d> analytic_log_normals(const ProceduralRig& rig, const Pose& pose) {
  Logarithms logs(rig.mesh, pose);
  return normals(rig, pose, [&](int v, int, const std::vector<Complex>& weight, const Vector3& p) -> Vector3 {
    Vector4 point;
    point << logs.scale(v) * p, Complex(1);
    return (blended(logs.of(v), rig.mesh.bones_of(v), weight) * point).head<3>();
  });
}

std::vector<Mat3d> blended_log_rotation(const RiggedMesh& mesh, const Pose& pose) {
  Logarithms logs(mesh, pose);
  std::vector<Mat3d> rotations;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const std::vector<Complex> weight(mesh.weights_of(v).begin(), mesh.weights_of(v).end());
    const Eigen::Matrix3d R =
        logs.scale(v) * blended(logs.of(v), mesh.bones_of(v), weight).topLeftCorner<3, 3>().real();
    rotations.emplace_back(Vec3d(R(0, 0), R(1, 0), R(2, 0)), Vec3d(R(0, 1), R(1, 1), R(2, 1)),
                           Vec3d(R(0, 2), R(1, 2), R(2, 2)));
  }
  return rotations;
}

}  // namespace skinlight
