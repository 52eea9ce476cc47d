#include "skinlight/rig/pose.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "skinlight/core/error.h"

namespace skinlight {

Pose make_pose(std::vector<Mat4x3d> M) {
  Pose pose;
  double log_scale = 0;  // sum over the counted bones of log cbrt|det|
  int counted = 0, mirrored = 0;
  for (std::size_t s = 0; s < M.size(); ++s) {
    const double volume = determinant(Mat3d(M[s]));
    if (!is_finite(M[s]) || !std::isfinite(volume))
      throw InputError("", "bone " + std::to_string(s), "its transform is not finite");
    if (volume == 0) continue;
    log_scale += std::log(std::abs(volume)) / 3;
    ++counted;
    if (volume < 0) ++mirrored;
  }
  if (counted > 0) pose.scale = std::exp(log_scale / counted);
  if (2 * mirrored > counted) pose.orientation = -1;
  pose.M = std::move(M);
  return pose;
}

Pose with_pivot(const Pose& pose, Vec3d pivot) {
  Pose moved = pose;
  for (Mat4x3d& m : moved.M) m[3] -= pivot;
  moved.pivot += pivot;
  return moved;
}

Pose centred(const Pose& pose) {
  if (pose.M.empty()) return pose;
  Vec3d sum(0.0);
  for (const Mat4x3d& m : pose.M) sum += m[3];
  return with_pivot(pose, sum / static_cast<double>(pose.M.size()));
}

Pose rest_pose(int bones) {
  return make_pose(std::vector<Mat4x3d>(static_cast<std::size_t>(bones), identity_transform<double>()));
}

}  // namespace skinlight
