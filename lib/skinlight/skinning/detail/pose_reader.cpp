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

PoseReader::PoseReader(std::shared_ptr<const Binding> binding, Mover mover, CentreKind centre, BoneSets sets)
    : binding_(std::move(binding)), mover_(mover), centre_(centre), sets_(std::move(sets)) {}

template <class Real>
void PoseReader::read_group(const Pose& pose, const CommonScale& common, PreparedGroup<Real>& out) const {
  out.orientation = common.orientation;
  out.scale = 1;
  out.bones.clear();
  out.centres.clear();
  if (mover_ == Mover::matrices) {
    put_matrices(pose, out.bones);
    return;
  }
  const RigidPose rigid = rigid_part(pose, binding_->reach, common);
  out.scale = rigid.scale;
  put_rigid(rigid, mover_, out.bones);
  if (centre_ == CentreKind::of_bone_set)
    for (const Vec3d& r : spherical_centres(sets_, rigid)) put(out.centres, r.x, r.y, r.z, 0.0);
}

template <class Real>
void PoseReader::read(const Pose& pose, const GuardOptions& guard, PreparedPose<Real>& out) const {
  require_bones(static_cast<int>(binding_->reach.size()), pose);
  // A pivot would change the result of log-matrix blending: logarithms of motions followed by a common one are not blended
  // alike.
  if (mover_ == Mover::twists)
    read_all(with_pivot(pose, -pose.pivot), guard, out);
  else
    read_all(pose, guard, out);
}

template <class Real>
void PoseReader::read_all(const Pose& pose, const GuardOptions& guard, PreparedPose<Real>& out) const {
  group_pose(*binding_, pose, out.found);
  out.pivot = pose.pivot;
  out.groups.resize(out.found.groups.size());
  for (std::size_t i = 0; i < out.groups.size(); ++i) {
    Pose of_group;
    of_group.scale = out.found.groups[i].mean;
    out.groups[i].guard = guard_input(guard, of_group);
    read_group(pose, out.found.groups[i], out.groups[i]);
  }
}

template void PoseReader::read(const Pose&, const GuardOptions&, PreparedPose<float>&) const;
template void PoseReader::read(const Pose&, const GuardOptions&, PreparedPose<double>&) const;

}  // namespace skinlight
