// Poses of rigid bones, for the skinning methods that blend rotations.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/rig/bone_reach.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight {

// A rigid motion as a unit dual quaternion [KCZO07]: r its rotation, d = (translation r) / 2.
struct DualQuat {
  Quat r, d;
};

struct RigidPose {
  std::vector<DualQuat> bones;  // #bones: M[s] x = rotation (scale x) + translation
  double scale = 1;             // CommonScale::middle; negative where they mirror
  std::vector<Warning> warnings;
};

// Relative departure of a bone's matrix from scale times a rotation above which it is called non-rigid: files
// store matrices in float and authoring tools leave scales of 1.0001; 1e-3 turns a normal by less than 0.06
// degrees.
inline constexpr double kRigidTolerance = 1e-3;

// Takes what bones have in common, scale and mirror, out of them and keeps their motions. A bone that is not rigid then
// (own scale, shear, other mirroring) is replaced by the motion with the nearest rotation [Horn 1987] that takes the centre
// of the bone's reach where the bone takes it. A bone that departs from what those of its own island have in common is not
// rigid where it acts; such bones are one warning that names the first one. reach: bone_reach() of the mesh, at most #bones
// of the pose.
RigidPose rigid_part(const Pose& pose, std::span<const BoneReach> reach);

// The same for vertices of a group of pose_groups(), without warnings.
RigidPose rigid_part(const Pose& pose, std::span<const BoneReach> reach, const CommonScale& common);

}  // namespace skinlight
