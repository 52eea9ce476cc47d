// What the exact modes of methods that blend rotations have in common: the blended rotation turns the rest frame, and
// the weights, which vary along t0 and b0, add to both tangents.

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/vertex.glsl"
#include "kernels/lbs.glsl"
#endif

// A position p(p0, w) and its derivative: R t0 + d along t0, where w changes by alpha, and R b0 + e along b0, by beta.
struct Derivative {
  vec3 p;
  mat3 R;
  vec3 d;
  vec3 e;
};

// The exact tangents and their normal.
PosedVertex turned(Derivative k, RestVertex rest) {
  PosedVertex v;
  v.p = k.p;
  v.t = k.R * rest.t + k.d;
  v.b = k.R * rest.b + k.e;
  v.n = cross(v.t, v.b);
  return v;
}

// The same in the terms that guards act on: what the varying weights add is shortened, the turned frame never.
TangentTerms tangent_terms(Derivative k, RestVertex rest) {
  TangentTerms terms;
  terms.p = k.p;
  terms.Tt = k.R * rest.t;
  terms.Tb = k.R * rest.b;
  terms.Tn = k.R * rest.n;
  terms.d = k.d;
  terms.e = k.e;
  return terms;
}
