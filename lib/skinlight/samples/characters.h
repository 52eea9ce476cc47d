// Branching characters made from formulas, for figures that need one without a model: closed meshes around a
// skeleton, z up, front towards -y, no uv, no exact gradients.
#pragma once

#include <vector>

#include "skinlight/samples/procedural.h"
#include "skinlight/samples/skirt.h"

namespace skinlight {

// A body of 11 bones: pelvis, chest, head, and upper and lower arms and legs. About 1,200 vertices, up to
// four influences each.
ProceduralRig branching_body();

// "stride", "throw", "crouch".
std::vector<NamedPose> branching_body_poses();

// A trunk of two bones with two arms of one bone each that bend upwards; N_max = 2 as in [TPS14 Fig. 7].
ProceduralRig cactus();

// "sway", "wave", "dance".
std::vector<NamedPose> cactus_poses();

}  // namespace skinlight
