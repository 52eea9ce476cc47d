// What the kernels read of a pose: prepared once per pose, for the lanes of the CPU and for the textures of the GPU alike.
#pragma once

#include <memory>
#include <vector>

#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/spherical_centres.h"

namespace skinlight {

// For vertices that the pose scales and mirrors alike.
template <class Real>
struct PreparedGroup {
  std::vector<Real> bones;    // #bones by bone_numbers() of the mover
  std::vector<Real> centres;  // #sets by kCentreNumbers; only of CentreKind::of_bone_set
  double scale = 1;           // of the rest vertex, for movers that are rigid
  double orientation = 1;     // CommonScale::orientation
  GuardInput guard;
};

template <class Real>
struct PreparedPose {
  std::vector<PreparedGroup<Real>> groups;  // those of `found`
  PoseGroups found;
  Vec3d pivot{0.0};  // what the posed vertices are measured from
};

// The sign that makes a normal of that side point outwards.
double normal_side(NormalSide side, double handedness, double orientation);

class PoseReader {
 public:
  PoseReader() = default;
  // What poses are read for does not depend on the normal mode. sets: for CentreKind::of_bone_set.
  PoseReader(std::shared_ptr<const Binding> binding, Mover mover, CentreKind centre, BoneSets sets);

  // Throws InputError when the pose lacks bones and for a guard that has no meaning, whether the mode uses it or not.
  // `out` keeps its memory.
  template <class Real>
  void read(const Pose& pose, const GuardOptions& guard, PreparedPose<Real>& out) const;

 private:
  template <class Real>
  void read_all(const Pose& pose, const GuardOptions& guard, PreparedPose<Real>& out) const;
  template <class Real>
  void read_group(const Pose& pose, const CommonScale& common, PreparedGroup<Real>& out) const;

  std::shared_ptr<const Binding> binding_;
  Mover mover_ = Mover::matrices;
  CentreKind centre_ = CentreKind::none;
  BoneSets sets_;
};

extern template void PoseReader::read(const Pose&, const GuardOptions&, PreparedPose<float>&) const;
extern template void PoseReader::read(const Pose&, const GuardOptions&, PreparedPose<double>&) const;

}  // namespace skinlight
