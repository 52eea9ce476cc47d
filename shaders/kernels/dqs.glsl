// Dual quaternion skinning and its normals.
// [KCZO07] Kavan, Collins, Zara, O'Sullivan 2007: Skinning with dual quaternions.
// [TPS14] Tarini, Panozzo, Sorkine-Hornung 2014: Accurate and Efficient Lighting for Skinned Models.
// Paper symbols and code names: lib/NOTATION.md.
// The bones are rigid; what scale or mirror they have in common is in the rest vertex already: rest_scaled().
// All results are unnormalised and want finish() of vertex.glsl.

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/quaternion.glsl"
#include "kernels/vertex.glsl"
#include "kernels/turned.glsl"
#endif

// What moves one vertex: the weights and rest-to-pose motions of its bones. Slot 0 has the largest weight. Of the two
// signs of a dual quaternion either will do.
struct RigidInfluences {
  real w[INFLUENCES];
  DualQuaternion q[INFLUENCES];
};

// +q[s] - q[0] or -q[s] - q[0], whichever takes the shorter way round [KCZO07 Sec. 4.1].
DualQuaternion dqs_difference(RigidInfluences x, int s) {
  DualQuaternion q = x.q[s];
  real side = select(quaternion_dot(q.r, x.q[0].r) < real(0.0), real(-1.0), real(1.0));
  q.r.s = q.r.s * side - x.q[0].r.s;
  q.r.v = q.r.v * side - x.q[0].r.v;
  q.d.s = q.d.s * side - x.q[0].d.s;
  q.d.v = q.d.v * side - x.q[0].d.v;
  return q;
}

// c = b / |b.r| with b = sum_s w[s] q[s] [KCZO07 Eq. 4]. |b.r| >= w[0]: every q[s] is on the side of q[0]. The dual
// part is not orthogonal to the real one in general; c still moves points as dqs_half_translation() says.
DualQuaternion dqs_blend(RigidInfluences x) {
  DualQuaternion b = x.q[0];
  for (int s = 1; s < INFLUENCES; ++s) b = dual_quaternion_plus(b, dqs_difference(x, s), x.w[s]);
  return dual_quaternion_scaled(b, inversesqrt(quaternion_dot(b.r, b.r)));
}

// c moves p0 to R p0 + t with t / 2 = vec(c.d c.r*).
vec3 dqs_half_translation(DualQuaternion c) { return quaternion_vector_of_quotient(c.d, c.r); }

vec3 dqs_position(RigidInfluences x, vec3 p0) {
  DualQuaternion c = dqs_blend(x);
  return quaternion_matrix(c.r) * p0 + dqs_half_translation(c) * real(2.0);
}

// The standard approximation: the blended motion acts on the normal as if weights were constant [TPS14 Sec. 2.2].
PosedVertex dqs_standard(RigidInfluences x, RestVertex rest) {
  DualQuaternion c = dqs_blend(x);
  mat3 R = quaternion_matrix(c.r);
  PosedVertex v;
  v.p = R * rest.p + dqs_half_translation(c) * real(2.0);
  v.t = R * rest.t;
  v.b = R * rest.b;
  v.n = R * rest.n;
  return v;
}

// The paper's approximation [TPS14 Sec. 4.5]: the first term of Eq. 13 turned by the blended motion, the second one
// with q[s], the point moved by each bone alone, in the stable form. Not the derivative of dqs_standard().p: along a
// pure twist, where the standard normals are exact, it is worse than they are.
PosedVertex dqs_deform(RigidInfluences x, DeformFactors f, RestVertex rest) {
  DualQuaternion c = dqs_blend(x);
  mat3 R = quaternion_matrix(c.r);
  vec3 q0 = dual_quaternion_point(x.q[0], rest.p);
  PosedVertex v;
  v.p = R * rest.p + dqs_half_translation(c) * real(2.0);
  v.t = R * rest.t;
  v.b = R * rest.b;
  for (int s = 1; s < INFLUENCES; ++s) {
    vec3 r = dual_quaternion_point(x.q[s], rest.p) - q0;
    v.t = v.t + r * f.alpha[s];
    v.b = v.b + r * f.beta[s];
  }
  v.n = cross(v.t, v.b);
  return v;
}

// What the change (u, v) = change of b over |b.r| adds to a turned tangent. With c.r' = u - k c.r, c.d' = v - k c.d,
// k = <u, c.r>: the point turns by w = 2 vec(u c.r*) about the origin, and t = 2 vec(c.d c.r*) changes by
// w x t / 2 - <c.r, c.d> w + 2 vec(v c.r*) - k t.
vec3 dqs_rate(DualQuaternion c, DualQuaternion change, vec3 turned_p, vec3 half_translation) {
  vec3 half_w = quaternion_vector_of_quotient(change.r, c.r);
  real k = quaternion_dot(change.r, c.r);
  vec3 half_rate = cross(half_w, turned_p + half_translation) - half_w * quaternion_dot(c.r, c.d) +
                   quaternion_vector_of_quotient(change.d, c.r) - half_translation * k;
  return half_rate * real(2.0);
}

// The exact derivative of the position along t0 and b0, where the weights change by alpha and beta.
// Differs from paper: [TPS14 Sec. 4.5] keeps the approximation above; the same deform factors give the exact one.
Derivative dqs_exact(RigidInfluences x, DeformFactors f, vec3 p0) {
  DualQuaternion b = x.q[0];
  DualQuaternion along_t = dual_quaternion_zero();
  DualQuaternion along_b = along_t;
  for (int s = 1; s < INFLUENCES; ++s) {
    DualQuaternion r = dqs_difference(x, s);
    b = dual_quaternion_plus(b, r, x.w[s]);
    along_t = dual_quaternion_plus(along_t, r, f.alpha[s]);
    along_b = dual_quaternion_plus(along_b, r, f.beta[s]);
  }
  real inverse = inversesqrt(quaternion_dot(b.r, b.r));
  DualQuaternion c = dual_quaternion_scaled(b, inverse);
  Derivative k;
  k.R = quaternion_matrix(c.r);
  vec3 turned_p = k.R * p0;
  vec3 half_translation = dqs_half_translation(c);
  k.p = turned_p + half_translation * real(2.0);
  k.d = dqs_rate(c, along_t, turned_p, half_translation) * inverse;
  k.e = dqs_rate(c, along_b, turned_p, half_translation) * inverse;
  return k;
}

// The same bones at the weights averaged over the one-ring.
RigidInfluences rigid_averaged(RigidInfluences x, SmoothWeights averaged) {
  x.w[0] = real(1.0);
  for (int s = 1; s < INFLUENCES; ++s) {
    x.w[s] = averaged.w[s];
    x.w[0] = x.w[0] - averaged.w[s];
  }
  return x;
}

// The exact derivative at the smooth weights; the position keeps its own. On coarse meshes this is the midpoint rule
// for weights that jump along edges.
Derivative dqs_smoothed(RigidInfluences x, DeformFactors f, SmoothWeights averaged, vec3 p0) {
  Derivative k = dqs_exact(rigid_averaged(x, averaged), f, p0);
  k.p = dqs_position(x, p0);
  return k;
}
