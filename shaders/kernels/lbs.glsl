// Linear blend skinning and its normals.
// [TPS14] Tarini, Panozzo, Sorkine-Hornung 2014: Accurate and Efficient Lighting for Skinned Models.
// [MMG06] Merry, Marais, Gain 2006: Correct normal transformations for articulated models.
// Paper symbols and code names: lib/NOTATION.md.
// All results are unnormalised and want finish() of vertex.glsl.

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/affine.glsl"
#include "kernels/vertex.glsl"
#include "kernels/guards.glsl"
#endif

// T = sum_s w[s] M[s] [TPS14 Eq. 1].
mat4x3 lbs_blend(Influences x) {
  mat4x3 T = x.M[0] * x.w[0];
  for (int s = 1; s < INFLUENCES; ++s) T = T + x.M[s] * x.w[s];
  return T;
}

// The linear part of T alone.
mat3 lbs_blend_linear(Influences x) {
  mat3 T = mat3(x.M[0]) * x.w[0];
  for (int s = 1; s < INFLUENCES; ++s) T = T + mat3(x.M[s]) * x.w[s];
  return T;
}

// p = T p0 [TPS14 Eq. 1].
vec3 lbs_position(Influences x, vec3 p0) { return affine_point(lbs_blend(x), p0); }

// The standard approximation: T acts on the normal as if weights were constant [TPS14 Eq. 3].
PosedVertex lbs_standard(Influences x, RestVertex rest) {
  mat4x3 T = lbs_blend(x);
  PosedVertex v;
  v.p = affine_point(T, rest.p);
  v.t = affine_vector(T, rest.t);
  v.b = affine_vector(T, rest.b);
  v.n = affine_vector(T, rest.n);
  return v;
}

// J = T + sum_s q[s] a[s]^T with q[s] = M[s] p0 [TPS14 Eq. 7].
mat3 lbs_jacobian(Influences x, WeightGradients g, mat4x3 T, vec3 p0) {
  mat3 J = mat3(T);
  for (int s = 0; s < INFLUENCES; ++s) {
    vec3 q = affine_point(x.M[s], p0);
    J[0] = J[0] + q * g.a[s].x;
    J[1] = J[1] + q * g.a[s].y;
    J[2] = J[2] + q * g.a[s].z;
  }
  return J;
}

// n = J^-T n0 [TPS14 Eq. 2], tangents by J.
PosedVertex lbs_exact_inverse_transpose(Influences x, WeightGradients g, RestVertex rest) {
  mat4x3 T = lbs_blend(x);
  mat3 J = lbs_jacobian(x, g, T, rest.p);
  PosedVertex v;
  v.p = affine_point(T, rest.p);
  v.t = J * rest.t;
  v.b = J * rest.b;
  v.n = inverse_transpose(J) * rest.n;
  return v;
}

// n = co(J)^T n0 [MMG06 Eq. 3, 4]: no division, defined for singular J too.
PosedVertex lbs_exact_cofactors(Influences x, WeightGradients g, RestVertex rest) {
  mat4x3 T = lbs_blend(x);
  mat3 J = lbs_jacobian(x, g, T, rest.p);
  PosedVertex v;
  v.p = affine_point(T, rest.p);
  v.t = J * rest.t;
  v.b = J * rest.b;
  v.n = cofactors(J) * rest.n;
  return v;
}

// n = (J t0) x (J b0) [TPS14 Eq. 8].
PosedVertex lbs_exact_tangent_pair(Influences x, WeightGradients g, RestVertex rest) {
  mat4x3 T = lbs_blend(x);
  mat3 J = lbs_jacobian(x, g, T, rest.p);
  PosedVertex v;
  v.p = affine_point(T, rest.p);
  v.t = J * rest.t;
  v.b = J * rest.b;
  v.n = cross(v.t, v.b);
  return v;
}

// t = T t0 + sum_s alpha[s] q[s], b with beta [TPS14 Eq. 10]: cancels when translations are large.
PosedVertex lbs_deform_naive(Influences x, DeformFactors f, RestVertex rest) {
  mat4x3 T = lbs_blend(x);
  PosedVertex v;
  v.p = affine_point(T, rest.p);
  v.t = affine_vector(T, rest.t);
  v.b = affine_vector(T, rest.b);
  for (int s = 0; s < INFLUENCES; ++s) {
    vec3 q = affine_point(x.M[s], rest.p);
    v.t = v.t + q * f.alpha[s];
    v.b = v.b + q * f.beta[s];
  }
  v.n = cross(v.t, v.b);
  return v;
}

// Stable form as printed [TPS14 Eq. 13, 14]: with r[s] = q[s] - q[0], alpha[0] and beta[0] are not needed.
PosedVertex lbs_deform_eq13(Influences x, DeformFactors f, RestVertex rest) {
  mat3 T = lbs_blend_linear(x);
  vec3 q0 = affine_point(x.M[0], rest.p);
  PosedVertex v;
  v.p = q0;
  v.t = T * rest.t;
  v.b = T * rest.b;
  for (int s = 1; s < INFLUENCES; ++s) {
    vec3 r = affine_point(x.M[s], rest.p) - q0;
    v.p = v.p + r * x.w[s];
    v.t = v.t + r * f.alpha[s];
    v.b = v.b + r * f.beta[s];
  }
  v.n = cross(v.t, v.b);
  return v;
}

// Translations first: the same with linear parts and translations differenced apart.
// Differs from paper: q[s] is rounded at the size of the translations before Eq. 13 subtracts q[0], which loses as many
// digits as Eq. 10 to .2; for three more operations per slot none are lost at any distance.
// T is what carries t0 and b0.
PosedVertex lbs_deform_by(mat3 T, Influences x, DeformFactors f, RestVertex rest) {
  vec3 turned0 = affine_vector(x.M[0], rest.p);
  PosedVertex v;
  v.p = turned0 + x.M[0][3];
  v.t = T * rest.t;
  v.b = T * rest.b;
  for (int s = 1; s < INFLUENCES; ++s) {
    vec3 r = moved_apart(x.M[s], x.M[0], rest.p, turned0);
    v.p = v.p + r * x.w[s];
    v.t = v.t + r * f.alpha[s];
    v.b = v.b + r * f.beta[s];
  }
  v.n = cross(v.t, v.b);
  return v;
}

// The same with the two terms of Eq. 13 apart, so that a guard can act on the second ones; and T n0 for guards that
// test.
TangentTerms lbs_deform_terms_by(mat3 T, Influences x, DeformFactors f, RestVertex rest) {
  vec3 turned0 = affine_vector(x.M[0], rest.p);
  TangentTerms k;
  k.p = turned0 + x.M[0][3];
  k.Tt = T * rest.t;
  k.Tb = T * rest.b;
  k.Tn = T * rest.n;
  k.d = vec3(real(0.0));
  k.e = vec3(real(0.0));
  for (int s = 1; s < INFLUENCES; ++s) {
    vec3 r = moved_apart(x.M[s], x.M[0], rest.p, turned0);
    k.p = k.p + r * x.w[s];
    k.d = k.d + r * f.alpha[s];
    k.e = k.e + r * f.beta[s];
  }
  return k;
}

PosedVertex lbs_deform(Influences x, DeformFactors f, RestVertex rest) {
  return lbs_deform_by(lbs_blend_linear(x), x, f, rest);
}
TangentTerms lbs_deform_terms(Influences x, DeformFactors f, RestVertex rest) {
  return lbs_deform_terms_by(lbs_blend_linear(x), x, f, rest);
}

// t = T t0 + d, b = T b0 + e, n = t x b [TPS14 Eq. 8, 13].
PosedVertex joined(TangentTerms k) {
  PosedVertex v;
  v.p = k.p;
  v.t = k.Tt + k.d;
  v.b = k.Tb + k.e;
  v.n = cross(v.t, v.b);
  return v;
}

// The linear part of the blend by smooth weights, sum_s w~[s] M[s].
mat3 lbs_smooth_blend_linear(Influences x, SmoothWeights smoothed) {
  x.w[0] = real(1.0);
  for (int s = 1; s < INFLUENCES; ++s) {
    x.w[s] = smoothed.w[s];
    x.w[0] = x.w[0] - smoothed.w[s];
  }
  return lbs_blend_linear(x);
}

// Eq. 13 for coarse meshes: T blended from smooth weights, positions as ever. Of all multiples of t0 and b0 that could
// take the place of w[s] t0, the smooth weight is the nearest to the deform vector (deform_vectors.glsl).
PosedVertex lbs_smoothed(Influences x, DeformFactors f, SmoothWeights smoothed, RestVertex rest) {
  return lbs_deform_by(lbs_smooth_blend_linear(x, smoothed), x, f, rest);
}

// Guards see that T: what the smooth weights blend is as rigid as what the weights blend.
TangentTerms lbs_smoothed_terms(Influences x, DeformFactors f, SmoothWeights smoothed, RestVertex rest) {
  return lbs_deform_terms_by(lbs_smooth_blend_linear(x, smoothed), x, f, rest);
}
