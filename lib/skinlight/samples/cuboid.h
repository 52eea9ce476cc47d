// The cuboid on which [BTGM19 Fig. 6] compares skinning methods.
#pragma once

#include "skinlight/rig/pose.h"
#include "skinlight/samples/procedural.h"

namespace skinlight {

struct CuboidShape {
  int across = 10, along = 100;  // quads over the width 1 and the length 10; at least 1
  bool shared = false;    // corners are shared by the quads of a side; else each quad has its own four,
                          // as the 16,800 vertices of [BTGM19 Table 2]
  double half_blend = 1;  // the weights change over |z - joint| < half_blend, at most 1
  Ramp ramp = Ramp::smoothstep;
};

inline constexpr double kCuboidTwistJoint = 2, kCuboidBendJoint = 4;  // z

// 1 x 1 x 10 along z from 0 to 10 around the z axis, closed, with hard edges; every side's uv is its own.
// Five bones of length 2, bone 0 lowest, that meet at z = 2, 4, 6, 8; exact gradients. Throws InputError for
// a shape out of its bounds.
ProceduralRig cuboid(const CuboidShape& shape = {});

// The bones above the first joint turn by `twist` degrees about z; those above the second bend by `bend`
// degrees about the x axis through it, before the twist. Fig. 6 has 180 and 120.
Pose cuboid_pose(double twist_degrees, double bend_degrees);

}  // namespace skinlight
