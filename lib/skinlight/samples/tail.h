// A tail: the shape on which dual quaternions bulge [BTGM19 Fig. 5], with everything known in closed form.
#pragma once

#include "skinlight/rig/pose.h"
#include "skinlight/samples/procedural.h"

namespace skinlight {

struct TailShape {
  double base_radius = 1, tip_radius = 0.3;  // of the spheres at its ends
  double length = 9;                         // between their centres, more than base_radius - tip_radius
  int bones = 5;                             // at least 2
  Ramp ramp = Ramp::smoothstep;
};

// The hull of two spheres on the z axis, the larger at z = 0, the smaller at z = length: a cone that ends in
// caps. Bones of equal length, bone 0 at the base; neighbours blend over the whole of their length, every
// vertex lies between two. Exact normals and gradients. Throws InputError for a shape out of its bounds and
// as pill().
ProceduralRig tail(const TailShape& shape, const Tessellation& tessellation);

// Every joint bends by `degrees` about the x axis through it.
Pose tail_pose(const TailShape& shape, double degrees);

}  // namespace skinlight
