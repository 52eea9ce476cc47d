// The bones of one pose, blended as the methods that blend rotations do, in double: what deform frames are
// chosen and fitted by, before any kernel runs. Inside this room only.
#pragma once

#include <span>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/rig/twist.h"

namespace skinlight {

// x -> R x + t
struct RigidMotion {
  Mat3d R;
  Vec3d t;

  Vec3d operator()(Vec3d x) const { return R * x + t; }
};

class BoneBlend {
 public:
  // The pose's common scale and mirror are taken out, so that points stay as large as at rest.
  BoneBlend(const Pose& pose, std::span<const BoneReach> reach, FrameBlend blend);

  // weights: one per bone, sum 1; slot 0 chooses the sides of quaternions [KCZO07 Sec. 4.1]. centre: of
  // rotation, read by FrameBlend::rotation_centres alone.
  RigidMotion at(std::span<const int> bones, const double* weights, Vec3d centre) const;

 private:
  RigidMotion of_quaternions(std::span<const int> bones, const double* weights, const Vec3d* centre) const;
  RigidMotion of_logarithms(std::span<const int> bones, const double* weights) const;

  FrameBlend blend_;
  std::vector<DualQuat> motion_;  // of quaternions
  std::vector<Twist> twist_;      // of logarithms
};

}  // namespace skinlight
