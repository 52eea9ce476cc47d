#include "skinlight/skinning/detail/pose_reader.h"

#include <utility>

#include "skinlight/rig/twist.h"
#include "skinlight/skinning/detail/requirements.h"

namespace skinlight {

namespace {

template <class Real, class... Number>
void put(std::vector<Real>& to, Number... numbers) {
  (to.push_back(static_cast<Real>(numbers)), ...);
}

template <class Real>
void put_matrices(const Pose& pose, std::vector<Real>& to) {
  for (const Mat4x3d& m : pose.M)
    for (int r = 0; r < 3; ++r) put(to, m[0][r], m[1][r], m[2][r], m[3][r]);
}

template <class Real>
void put_rigid(const RigidPose& rigid, Mover mover, std::vector<Real>& to) {
  for (const DualQuat& q : rigid.bones) {
    if (mover == Mover::dual_quaternions) {
      for (const Quat& part : {q.r, q.d}) put(to, part[0], part[1], part[2], part[3]);
    } else {
      const Twist xi = log_of(q);
      for (const Vec3d& part : {xi.turn, xi.shift}) put(to, part.x, part.y, part.z, 0.0);
    }
  }
}

}  // namespace

double normal_side(NormalSide side, double handedness, double orientation) {
  switch (side) {
    case NormalSide::outward:
      break;
    case NormalSide::orientation:
      return orientation;
    case NormalSide::frame:
      return orientation * handedness;
  }
  return 1;
}

PoseReader::PoseReader(const RiggedMesh& mesh, Mover mover, CentreKind centre, BoneSets sets)
    : bone_count_(mesh.bone_count), mover_(mover), centre_(centre), sets_(std::move(sets)) {
  if (mover != Mover::matrices) reach_ = bone_reach(mesh);
}

template <class Real>
void PoseReader::read(const Pose& pose, const GuardOptions& guard, PreparedPose<Real>& out) const {
  require_bones(bone_count_, pose);
  out.guard = guard_input(guard, pose);
  out.orientation = pose.orientation;
  out.pivot = pose.pivot;
  out.scale = 1;
  out.bones.clear();
  out.centres.clear();
  if (mover_ == Mover::matrices) {
    put_matrices(pose, out.bones);
    return;
  }
  // A pivot would change the result of log-matrix blending: logarithms of motions followed by a common one are not blended
  // alike.
  if (mover_ == Mover::twists) out.pivot = Vec3d(0.0);
  const RigidPose rigid = rigid_part(mover_ == Mover::twists ? with_pivot(pose, -pose.pivot) : pose, reach_);
  out.scale = rigid.scale;
  put_rigid(rigid, mover_, out.bones);
  if (centre_ == CentreKind::of_bone_set)
    for (const Vec3d& r : spherical_centres(sets_, rigid)) put(out.centres, r.x, r.y, r.z, 0.0);
}

template void PoseReader::read(const Pose&, const GuardOptions&, PreparedPose<float>&) const;
template void PoseReader::read(const Pose&, const GuardOptions&, PreparedPose<double>&) const;

}  // namespace skinlight
