// Spherical blend skinning and its normals.
// [KZ05] Kavan, Zara 2005: Spherical blend skinning.
// [SLIDES] lecture slides on skinning.
// Paper symbols and code names: lib/NOTATION.md. Needs crs.glsl: the same motion, about a centre r that belongs to the
// set of bones of the vertex and to the pose (skinning/spherical_centres.h). Exact within one set of bones; where two
// sets meet the surface itself may jump.
// Differs from paper: [SLIDES] print p' = R (p0 - r) + sum_s w[s] M[s] r + sum_s w[s] t[s], t[s] the translation of
// M[s]. M[s] r holds t[s] already, and only without the second sum does a motion that all bones share move the vertex
// like them.

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/crs.glsl"
#endif

PosedVertex sbs_standard(RigidInfluences x, vec3 r, RestVertex rest) { return crs_standard(x, r, rest); }

Derivative sbs_exact(RigidInfluences x, DeformFactors f, vec3 r, vec3 p0) {
  return crs_exact_fixed_centre(x, f, r, p0);
}

// As dqs_smoothed().
Derivative sbs_smoothed(RigidInfluences x, DeformFactors f, SmoothWeights averaged, vec3 r, vec3 p0) {
  Derivative k = sbs_exact(rigid_averaged(x, averaged), f, r, p0);
  k.p = crs_position(x, r, p0);
  return k;
}
