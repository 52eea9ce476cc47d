// A low-poly skirt with a pleated normal map: what [TPS14 Fig. 1] shows, made from formulas.
#pragma once

#include <string>
#include <vector>

#include "skinlight/rig/pose.h"
#include "skinlight/samples/procedural.h"

namespace skinlight {

struct NamedPose {
  std::string name;
  Pose pose;
};

// An open cone of 24 segments and 10 rings, waist up (z), front towards -y, left towards +x. Bone 0 is the
// hips, bones 1 to 6 are flaps of cloth around them, from the front over the left, each hinged at the waist;
// at most three influences per vertex, smooth. On the right half (x < 0) the uv is mirrored: u runs
// backwards, so its frames are left-handed. Vertices on the two seams exist twice. No exact gradients.
ProceduralRig skirt();

// Movements of the flaps: "step_left", "step_right", "twirl", "kneel".
std::vector<NamedPose> skirt_poses();

// The pleats as a tangent-space normal map, periodic in u and v with period 1: knife pleats that fold towards
// +u and deepen towards the hem (v = 1), and a band above the hem. Unit, z > 0.
Vec3d pleat_normal(Vec2d uv);

}  // namespace skinlight
