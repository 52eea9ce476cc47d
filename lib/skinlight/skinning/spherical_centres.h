// Rotation centres of spherical blend skinning [KZ05]: one per set of bones and pose.
#pragma once

#include <vector>

#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/skin_data.h"

namespace skinlight {

// The sets of bones that move vertices together, in the order in which vertices first show them.
struct BoneSets {
  std::vector<std::vector<int>> bones;  // #sets, each ascending: the bones of positive weight
  std::vector<Vec3d> reach;             // #sets by 3: mean rest position of the vertices of the set
  std::vector<int> of_vertex;           // #V
};

BoneSets bone_sets(const RiggedMesh& mesh, const VertexSlots& slots);

// Angle in radians between two rotations up to which a direction in which the bones' images of a centre
// differ counts as none. Rounding of the centre grows with one over it, and what another centre would change
// with its square: less than 1e-6 of the distance between both.
inline constexpr double kParallelBones = 1e-3;

// Per set the point r whose images M[s] r under its bones lie closest together, in the least squares over all
// pairs: on the axis of a joint between two bones, on the common axis of a chain of hinges, the joint of
// several bones. Where bones leave it free (along axes that are parallel; everywhere for a single bone and
// for bones that only move apart), the one closest to the set's reach. Normal equations and their
// pseudo-inverse in double. In the rest space that the bones of `pose` act on: scaled by RigidPose::scale.
// #sets by 3.
std::vector<Vec3d> spherical_centres(const BoneSets& sets, const RigidPose& pose);

}  // namespace skinlight
