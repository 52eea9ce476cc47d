// Surfaces of revolution with two bones or a few, made from formulas.
#pragma once

#include <cstdint>

#include "skinlight/rig/pose.h"
#include "skinlight/rig/procedural_rig.h"

namespace skinlight {

// How a surface of revolution is meshed: `segments` around, rings 1 / `aspect` times as far apart as the
// segments.
struct Tessellation {
  int segments = 96;  // at least 8
  double jitter = 0;  // each vertex moves within the surface by up to this share of the spacing, below 0.5;
                      // from 0.25 on single triangles may fold over
  bool random_diagonals = false;  // each quad is split along a random diagonal
  std::uint64_t seed = 1;
  double aspect =
      1;  // width over height of the quads: 6 makes flat ones, which jitter turns into obtuse triangles
};

// The capsule of [TPS14 Fig. 2]: along z, radius 1, cylinder half-length 2, hemispherical caps. Bone 0 is the
// upper, bone 1 the lower one with weight 1 - smootherstep((z + 1.5) / 3). uv with a seam at angle 0, poles
// unsplit. Throws InputError for fewer than 8 segments, a jitter outside [0, 0.5) or an aspect outside [0.01,
// 100].
ProceduralRig pill(const Tessellation& tessellation);

// Fig. 2's pose: the lower bone moves by 1.5 along x and keeps its orientation.
Pose pill_pose();

// How a weight falls from 1 to 0 over x in 0 .. 1.
enum class Ramp {
  smoothstep,    // 3 x^2 - 2 x^3: its slope has corners at both ends
  smootherstep,  // 6 x^5 - 15 x^4 + 10 x^3: its slope has none
};

struct CylinderShape {
  double radius = 1;
  double half_length = 3;  // along z, open at both ends
  double half_blend = 1;   // the weights change over |z| < half_blend
  Ramp ramp = Ramp::smoothstep;
};

// A tube of two bones that meet at z = 0: bone 0 above, bone 1 below with weight 1 - ramp.
ProceduralRig cylinder(const CylinderShape& shape, const Tessellation& tessellation);

// Bone 1 turns by `radians` about the z axis (twist) or about the x axis through the origin (bend).
Pose cylinder_twist(double radians);
Pose cylinder_bend(double radians);

struct JaggedCapsule {
  Tessellation tessellation = {.segments = 64, .jitter = .45, .random_diagonals = true, .seed = 1};
  double random_share = 0.03;  // of the vertices have weights of their own
};

// The pill's shape bound as carelessly as it gets [TPS14 Fig. 5]: four bones along z from -2.2 to 2.2 with
// Gaussian weights of width 0.8, some vertices with random weights instead. `gradient` is empty: such weights
// have none. Throws InputError as pill() and for a share outside [0, 1].
ProceduralRig jagged_capsule(const JaggedCapsule& shape = {});

// Each bone turns by `radians` about a random axis through its place on the z axis and moves by up to 0.2 per
// axis.
Pose jagged_capsule_pose(double radians, std::uint64_t seed);

}  // namespace skinlight
