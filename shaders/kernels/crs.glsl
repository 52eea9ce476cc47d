// Skinning about centres of rotation and its normals: one centre per vertex (CRS), or per set of bones (SBS).
// [LH16] Le, Hodgins 2016: Real-time Skeletal Skinning with Optimized Centers of Rotation.
// [BTGM19] Bittner et al. 2019: Evaluation of Optimised Centres of Rotation Skinning.
// Paper symbols and code names: lib/NOTATION.md.
// The vertex turns about its centre C by the blended rotation R, and the centre goes where linear blending takes it:
// p' = R (p0 - C) + sum_s w[s] M[s] C [BTGM19 Eq. 8]. Bones, signs and rest vertex are as in dqs.glsl, and so is C:
// centre_scaled().

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/dqs.glsl"
#endif

// A centre of rotation C and its derivatives along t0 and b0.
struct Centre {
  vec3 c;
  vec3 along_t;
  vec3 along_b;
};

// What rest_scaled() is to a vertex.
Centre centre_scaled(Centre a, real scale) {
  a.c = a.c * scale;
  a.along_t = a.along_t * scale;
  a.along_b = a.along_b * scale;
  return a;
}

// The rotation R of the blend, and where the centre goes.
struct CentredMotion {
  mat3 R;
  vec3 c;
};

CentredMotion crs_blend(RigidInfluences x, vec3 c) {
  Quaternion b = x.q[0].r;
  vec3 c0 = dual_quaternion_point(x.q[0], c);
  CentredMotion m;
  m.c = c0;
  for (int s = 1; s < INFLUENCES; ++s) {
    b = quaternion_plus(b, quaternion_difference(x.q[s].r, x.q[0].r), x.w[s]);
    m.c = m.c + (dual_quaternion_point(x.q[s], c) - c0) * x.w[s];
  }
  m.R = quaternion_matrix(quaternion_scaled(b, inversesqrt(quaternion_dot(b, b))));
  return m;
}

vec3 crs_position(RigidInfluences x, vec3 c, vec3 p0) {
  CentredMotion m = crs_blend(x, c);
  return m.R * (p0 - c) + m.c;
}

// The standard approximation: the blended rotation acts on the normal as if weights were constant.
PosedVertex crs_standard(RigidInfluences x, vec3 c, RestVertex rest) {
  CentredMotion m = crs_blend(x, c);
  PosedVertex v;
  v.p = m.R * (rest.p - c) + m.c;
  v.t = m.R * rest.t;
  v.b = m.R * rest.b;
  v.n = m.R * rest.n;
  return v;
}

// The derivative as if the centre were the same all around the vertex: exact for SBS within one set of bones. With
// u = sum_s alpha[s] r[s] the blended rotation turns by w = 2 vec(u b*) / |b|^2, about C, and C moves by
// sum_s alpha[s] M[s] C; both sums over differences from slot 0.
Derivative crs_exact_fixed_centre(RigidInfluences x, DeformFactors f, vec3 c, vec3 p0) {
  Quaternion b = x.q[0].r;
  Quaternion along_t = quaternion_scaled(b, real(0.0));
  Quaternion along_b = along_t;
  vec3 c0 = dual_quaternion_point(x.q[0], c);
  Derivative k;
  k.p = c0;
  k.d = vec3(real(0.0));
  k.e = k.d;
  for (int s = 1; s < INFLUENCES; ++s) {
    Quaternion r = quaternion_difference(x.q[s].r, x.q[0].r);
    vec3 moved = dual_quaternion_point(x.q[s], c) - c0;
    b = quaternion_plus(b, r, x.w[s]);
    along_t = quaternion_plus(along_t, r, f.alpha[s]);
    along_b = quaternion_plus(along_b, r, f.beta[s]);
    k.p = k.p + moved * x.w[s];
    k.d = k.d + moved * f.alpha[s];
    k.e = k.e + moved * f.beta[s];
  }
  real inverse = inversesqrt(quaternion_dot(b, b));
  Quaternion unit = quaternion_scaled(b, inverse);
  k.R = quaternion_matrix(unit);
  vec3 arm = k.R * (p0 - c);
  vec3 twice_arm = arm * (inverse + inverse);
  k.p = k.p + arm;
  k.d = k.d + cross(quaternion_vector_of_quotient(along_t, unit), twice_arm);
  k.e = k.e + cross(quaternion_vector_of_quotient(along_b, unit), twice_arm);
  return k;
}

// The exact derivative: a centre that changes by dC along t0 adds sum_s w[s] R[s] dC - R dC.
Derivative crs_exact(RigidInfluences x, DeformFactors f, Centre centre, vec3 p0) {
  Derivative k = crs_exact_fixed_centre(x, f, centre.c, p0);
  mat3 T = quaternion_matrix(x.q[0].r) * x.w[0];
  for (int s = 1; s < INFLUENCES; ++s) T = T + quaternion_matrix(x.q[s].r) * x.w[s];
  k.d = k.d + T * centre.along_t - k.R * centre.along_t;
  k.e = k.e + T * centre.along_b - k.R * centre.along_b;
  return k;
}

// As dqs_smoothed().
Derivative crs_smoothed(RigidInfluences x, DeformFactors f, SmoothWeights averaged, Centre centre, vec3 p0) {
  Derivative k = crs_exact(rigid_averaged(x, averaged), f, centre, p0);
  k.p = crs_position(x, centre.c, p0);
  return k;
}
