// A four-legged animal made from formulas, for the studies of [BTGM19] where no model is at hand.
#pragma once

#include <vector>

#include "skinlight/samples/procedural.h"
#include "skinlight/samples/skirt.h"

namespace skinlight {

// How many bones each part has, and whether it has about 2,100 vertices or 11,100.
struct QuadrupedShape {
  int spine = 4, neck = 3, tail = 4, leg = 4;  // neck: with the head; leg: each. Ears and jaw are three more
  bool fine = false;

  int bones() const { return spine + neck + tail + 4 * leg + 3; }
};

// As many bones as the wolf of [BTGM19 Table 2], 30, and as its raptor, 79.
inline constexpr QuadrupedShape kWolfShape{};
inline constexpr QuadrupedShape kRaptorShape{.spine = 10, .neck = 8, .tail = 18, .leg = 10, .fine = true};

// A closed mesh, z up, front towards -y, at most four influences per vertex; no uv, no exact gradients.
// Throws InputError for a part without bones.
ProceduralRig quadruped(const QuadrupedShape& shape = kWolfShape);

// "walk", "attack" (a jump with a bite), "sit". Bends are shared by the bones of a part.
std::vector<NamedPose> quadruped_poses(const QuadrupedShape& shape = kWolfShape);

// The rig with exactly so many vertices and faces: the last `faces` of its faces are kept (the quadruped
// loses its soles), then the corners of the first of those get vertices of their own, as uv seams do in
// files. For timings at a published size. Throws InputError when the rig has fewer faces, or that cannot be.
ProceduralRig of_size(const ProceduralRig& rig, int vertices, int faces);

}  // namespace skinlight
