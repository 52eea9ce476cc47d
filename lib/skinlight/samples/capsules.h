// Characters whose skin is the smooth union of capsules, one or more per bone. Private to rig.
#pragma once

#include <span>

#include "skinlight/rig/pose.h"
#include "skinlight/samples/procedural.h"

namespace skinlight {

// The axes, to turn about.
inline constexpr Vec3d kX(1, 0, 0), kY(0, 1, 0), kZ(0, 0, 1);

struct Capsule {
  Vec3d a, b;
  double radius;
  int bone;
};

struct CapsuleSkin {
  std::vector<Capsule> capsules;
  double blend;    // length over which capsules flow into each other
  double spacing;  // of the vertices, about
  // A bone's weight falls as exp(-(d^2 - r^2) / (2 reach^2)) with the distance d from its capsules' axes; r:
  // their radii, so that thick limbs do not lose their own skin to thin neighbours.
  double weight_reach;
  int slots;                          // N_max: the strongest influences that a vertex keeps
  std::vector<Capsule> binding = {};  // when there are any, these take the capsules' place in the weights
};

// A closed mesh of the union, its vertices exactly on it, with its exact normals, bound to `bones` bones. No
// uv, no exact gradients. Throws std::logic_error when the spacing is too coarse for a manifold.
ProceduralRig capsule_character(const CapsuleSkin& skin, int bones);

// A bone that turns about its joint, in its parent's frame at rest.
struct Joint {
  int parent;  // an earlier bone; -1: none
  Vec3d pivot;
};

struct JointTurn {
  int bone;
  Vec3d axis;  // unit
  double degrees;
};

// Rest-to-pose transforms of a tree of joints; bones that no turn names keep their place in their parent.
// Several turns of one bone apply in their order.
Pose pose_of(std::span<const Joint> joints, std::span<const JointTurn> turns);

}  // namespace skinlight
