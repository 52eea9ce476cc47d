// What the kernels read of a pose: prepared once per pose, for the lanes of the CPU and for the textures of the GPU alike.
#pragma once

#include <vector>

#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/spherical_centres.h"

namespace skinlight {

template <class Real>
struct PreparedPose {
  std::vector<Real> bones;    // #bones by bone_numbers() of the mover
  std::vector<Real> centres;  // #sets by kCentreNumbers; only of CentreKind::of_bone_set
  double scale = 1;           // of the rest vertex, for movers that are rigid
  double orientation = 1;     // Pose::orientation
  Vec3d pivot{0.0};           // what the posed vertices are measured from
  GuardInput guard;
};

// The sign that makes a normal of that side point outwards.
double normal_side(NormalSide side, double handedness, double orientation);

class PoseReader {
 public:
  PoseReader() = default;
  // What poses are read for does not depend on the normal mode. sets: for CentreKind::of_bone_set.
  PoseReader(const RiggedMesh& mesh, Mover mover, CentreKind centre, BoneSets sets);

  // Throws InputError when the pose lacks bones and for a guard that has no meaning, whether the mode uses it or not.
  // `out` keeps its memory.
  template <class Real>
  void read(const Pose& pose, const GuardOptions& guard, PreparedPose<Real>& out) const;

 private:
  int bone_count_ = 0;
  Mover mover_ = Mover::matrices;
  CentreKind centre_ = CentreKind::none;
  std::vector<BoneReach> reach_;  // of movers that are rigid
  BoneSets sets_;
};

extern template void PoseReader::read(const Pose&, const GuardOptions&, PreparedPose<float>&) const;
extern template void PoseReader::read(const Pose&, const GuardOptions&, PreparedPose<double>&) const;

}  // namespace skinlight
