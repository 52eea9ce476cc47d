#include "skinlight/rig/partway.h"

#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"

namespace skinlight {

namespace {

// Above this, R^T R is no longer the identity by rounding alone.
constexpr double kRigid = 1e-9;
// Below this angle the centre of a turn is farther away than double precision can place it.
constexpr double kNoTurn = 1e-9;

Mat4x3d part_of_screw(const Mat4x3d& M, double share, const std::string& bone) {
  Eigen::Matrix3d R;
  R << eigen(M[0]), eigen(M[1]), eigen(M[2]);
  if ((R.transpose() * R - Eigen::Matrix3d::Identity()).norm() > kRigid || R.determinant() < 0)
    throw InputError("", bone, "is not rigid");
  const Eigen::AngleAxisd turn(R);
  const Eigen::Vector3d& axis = turn.axis();
  const Eigen::Vector3d translation = eigen(M[3]);
  if (std::abs(turn.angle()) < kNoTurn) return {M[0], M[1], M[2], vec(share * translation)};

  // Along the axis the bone slides; across it, it turns about a centre c with (1 - R) c = across.
  const Eigen::Vector3d along = axis * axis.dot(translation), across = translation - along;
  const Eigen::Vector3d centre = 0.5 * (across + axis.cross(across) / std::tan(turn.angle() / 2));
  const Eigen::Matrix3d part = Eigen::AngleAxisd(share * turn.angle(), axis).toRotationMatrix();
  return {vec(part.col(0)), vec(part.col(1)), vec(part.col(2)), vec(centre - part * centre + share * along)};
}

}  // namespace

Pose partway(const Pose& pose, double share) {
  std::vector<Mat4x3d> M;
  M.reserve(pose.M.size());
  for (std::size_t s = 0; s < pose.M.size(); ++s)
    M.push_back(part_of_screw(pose.M[s], share, "bone " + std::to_string(s)));
  return make_pose(std::move(M));
}

}  // namespace skinlight
