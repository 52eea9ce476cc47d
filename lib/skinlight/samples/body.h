// A torso of four bones that all act everywhere: the rig of the cancellation study [TPS14 Fig. 4].
#pragma once

#include "skinlight/samples/procedural.h"

namespace skinlight {

// The capsule of pill(), 2 x 2 x 6, bound to four bones that stand in a zigzag along z. Weights are Gaussians
// of the distance to the bones, divided by their sum; they overlap so widely that every bone moves every
// vertex. The largest |alpha| or |beta| of its exact gradients is 0.112 per unit of length. All four slots
// are used.
ProceduralRig body(const Tessellation& tessellation);

// Each bone turned about its place, by up to 0.5 radians and differently, then all moved by `translation`.
Pose body_pose(Vec3d translation);

}  // namespace skinlight
