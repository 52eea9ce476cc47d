// Linear blend skinning with deform vectors: tangents of the posed triangles themselves, not of weights taken as linear.
// Along an edge e of a triangle the skinned mesh is sum_s M[s] (w1 p1 - w0 p0), exactly; averaged over the one-ring that
// is t' = sum_s M[s] tau[s] with one 4-vector per bone, computed once. Needs affine.glsl, vertex.glsl, guards.glsl and
// lbs.glsl. All results are unnormalised and want finish() of vertex.glsl.

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/lbs.glsl"
#endif

// sum + M v for a direction: fused multiply-adds only.
vec3 plus_vector(vec3 sum, mat4x3 M, vec3 v) { return sum + M[0] * v.x + M[1] * v.y + M[2] * v.z; }

// Stable form: with tau[0] = (t0, 0) - sum_s tau[s], t' = M[0] t0 + sum_s (M[s] - M[0]) tau[s]. Measured from the vertex,
// (M[s] - M[0]) tau[s] = M[s] t[s] - M[0] t[s] + alpha[s] r[s], where r[s] = q[s] - q[0] as in Eq. 13, translations first,
// and all of M[0]'s directions are collected into one.
PosedVertex lbs_deform_vectors(Influences x, DeformVectors f, RestVertex rest) {
  vec3 turned0 = affine_vector(x.M[0], rest.p);
  vec3 t0 = rest.t;
  vec3 b0 = rest.b;
  PosedVertex v;
  v.p = turned0 + x.M[0][3];
  v.t = vec3(real(0.0));
  v.b = vec3(real(0.0));
  for (int s = 1; s < INFLUENCES; ++s) {
    vec3 r = moved_apart(x.M[s], x.M[0], rest.p, turned0);
    v.p = v.p + r * x.w[s];
    v.t = plus_vector(v.t, x.M[s], f.t[s]) + r * f.alpha[s];
    v.b = plus_vector(v.b, x.M[s], f.b[s]) + r * f.beta[s];
    t0 = t0 - f.t[s];
    b0 = b0 - f.b[s];
  }
  v.t = plus_vector(v.t, x.M[0], t0);
  v.b = plus_vector(v.b, x.M[0], b0);
  v.n = cross(v.t, v.b);
  return v;
}

// For guards: the rigid part is that of Eq. 13, T t0 and T b0, the rest is what guards may shorten.
TangentTerms lbs_deform_vectors_terms(Influences x, DeformVectors f, RestVertex rest) {
  PosedVertex v = lbs_deform_vectors(x, f, rest);
  mat3 T = lbs_blend_linear(x);
  TangentTerms k;
  k.p = v.p;
  k.Tt = T * rest.t;
  k.Tb = T * rest.b;
  k.Tn = T * rest.n;
  k.d = v.t - k.Tt;
  k.e = v.b - k.Tb;
  return k;
}
