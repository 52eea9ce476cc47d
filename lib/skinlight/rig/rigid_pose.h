// Poses of rigid bones, for the skinning methods that blend rotations.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight {

// A rigid motion as a unit dual quaternion [KCZO07]: r its rotation, d = (translation r) / 2.
struct DualQuat {
  Quat r, d;
};

// What a bone moves.
struct BoneReach {
  double weight = 0;      // sum over the vertices; 0: the bone moves nothing
  Vec3d centre{0, 0, 0};  // weighted mean of their rest positions
};

// #bones of the mesh.
std::vector<BoneReach> bone_reach(const RiggedMesh& mesh);

struct RigidPose {
  std::vector<DualQuat> bones;  // #bones: M[s] x = rotation (scale x) + translation
  double scale = 1;             // of all bones alike; negative when they mirror (Pose::orientation)
  std::vector<Warning> warnings;
};

// Relative departure of a bone's matrix from scale times a rotation above which it is called non-rigid: files
// store matrices in float and authoring tools leave scales of 1.0001; 1e-3 turns a normal by less than 0.06
// degrees.
inline constexpr double kRigidTolerance = 1e-3;

// Takes the scale that all bones share (the median of those that move something; exporters write 100) and the
// mirror out of the bones and keeps their motions. A bone that is not rigid then (own scale, shear, other
// mirroring) is replaced by the motion with the nearest rotation [Horn 1987] that takes the centre of the
// bone's reach where the bone takes it; such bones are one warning that names the first one. reach:
// bone_reach() of the mesh, at most #bones of the pose.
RigidPose rigid_part(const Pose& pose, std::span<const BoneReach> reach);

}  // namespace skinlight
