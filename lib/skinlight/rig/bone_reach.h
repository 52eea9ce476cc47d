// What bones move, and how a pose scales and mirrors it: decided by the bones that act there, so that a bone without
// weight changes nothing.
#pragma once

#include <span>
#include <vector>

#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// What a bone moves.
struct BoneReach {
  double weight = 0;      // sum over the vertices; 0: the bone moves nothing
  Vec3d centre{0, 0, 0};  // weighted mean of their rest positions
  int island = 0;         // bones that share a vertex, directly or through others, have the same one
};

// #bones of the mesh. Islands are numbered from 0 in the order of their bones; bones that move nothing have one each.
std::vector<BoneReach> bone_reach(const RiggedMesh& mesh);

// What bones have in common besides a rigid motion each. Bones flattened to no volume count neither in the mean nor in the
// orientation.
struct CommonScale {
  double mean = 1;  // geometric mean of their scales, cbrt |det|: exporters write 100; guards divide it out
  double middle =
      1;  // median of their scales, the root mean squares of the singular values; of two in the middle
          // the one nearer to 1. What methods of rigid bones take out
  double orientation = 1;  // -1 where most of the weight is on bones that mirror: t x b then points inwards

  friend bool operator==(const CommonScale&, const CommonScale&) = default;
};

// Of all bones that move something. reach: at most #bones of the pose; throws InputError where it is more.
CommonScale common_scale(const Pose& pose, std::span<const BoneReach> reach);

// The same per island, of its bones. Scales that depart by no more than kRigidTolerance are one, those of all bones where all
// islands are alike. #islands
std::vector<CommonScale> island_scales(const Pose& pose, std::span<const BoneReach> reach);

// Per vertex 1, or -1 where most of its weight is on bones that mirror (determinant below 0); of an even blend the bone of
// slot 0 says. #V.
std::vector<double> orientations(const RiggedMesh& mesh, const Pose& pose);

// Vertices that a pose scales and mirrors alike.
struct PoseGroups {
  std::vector<CommonScale> groups;   // at least one
  std::vector<int> of_vertex;        // #V, which of them; empty: all are in the first
  std::vector<CommonScale> islands;  // island_scales()
  std::vector<double> scales;        // memory to work in

  std::size_t group_of(int vertex) const {
    return of_vertex.empty() ? 0 : static_cast<std::size_t>(of_vertex[static_cast<std::size_t>(vertex)]);
  }
  const CommonScale& of(int vertex) const { return groups[group_of(vertex)]; }
};

// What of a mesh poses are grouped by, on its own.
struct Binding {
  int slots = 0;
  std::vector<int> bone;                  // #V by slots
  std::vector<double> weight;             // #V by slots
  std::vector<BoneReach> reach;           // #bones
  std::vector<std::vector<int>> islands;  // #islands, the bones of each that move something
};

Binding binding_of(const RiggedMesh& mesh);

// Scales are those of the vertex's island, so that a prop or a second skin under a scaled root has its own; orientations are
// those of orientations(). Throws InputError
// when the pose has too few bones.
PoseGroups pose_groups(const Binding& binding, const Pose& pose);
// The same, which keeps the memory of `out`.
void group_pose(const Binding& binding, const Pose& pose, PoseGroups& out);

}  // namespace skinlight
