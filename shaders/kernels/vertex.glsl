// What goes into a skinning kernel and what comes out: the same for every method.

// What moves one vertex: the weights and rest-to-pose transforms of its bones. Slot 0 is the paper's s0.
struct Influences {
  real w[INFLUENCES];
  mat4x3 M[INFLUENCES];
};

// What a vertex knows at rest.
struct RestVertex {
  vec3 p;
  vec3 n;
  vec3 t;  // orthogonal to n [TPS14 Eq. 9]
  vec3 b;  // orthogonal to n
};

// Deform factors [TPS14 Eq. 11]: alpha[s] = a[s] . t0, beta[s] = a[s] . b0; each sums to 0 over the slots [Eq. 12].
struct DeformFactors {
  real alpha[INFLUENCES];
  real beta[INFLUENCES];
};

// Gradients a[s] of the weights over the rest surface [TPS14 Sec. 3.2]; they sum to 0 over the slots.
struct WeightGradients {
  vec3 a[INFLUENCES];
};

// Weights averaged over the far ends of the one-ring's faces. Slot 0 is not read: they sum to 1.
struct SmoothWeights {
  real w[INFLUENCES];
};

// Deform vectors, measured from the rest vertex: the homogeneous 4-vectors tau[s] = (t[s] + alpha[s] p0, alpha[s]) of t0
// and (b[s] + beta[s] p0, beta[s]) of b0. Slot 0 is not read: they sum to (t0, 0) and (b0, 0).
struct DeformVectors {
  vec3 t[INFLUENCES];
  vec3 b[INFLUENCES];
  real alpha[INFLUENCES];
  real beta[INFLUENCES];
};

struct PosedVertex {
  vec3 p;
  vec3 t;
  vec3 b;
  vec3 n;
};

// The rest vertex under what all bones have in common besides a rigid motion: a scale, negative for a mirror.
RestVertex rest_scaled(RestVertex rest, real scale) {
  rest.p = rest.p * scale;
  rest.n = rest.n * scale;
  rest.t = rest.t * scale;
  rest.b = rest.b * scale;
  return rest;
}

// Unit vector along v, or `fallback` where v has none or its square leaves the range of the scalar: never NaN.
vec3 unit_or(vec3 v, vec3 fallback) {
  real l2 = dot(v, v);
  boolean has_direction = l2 > shortest_square() && l2 < longest_square();
  return select(has_direction, v * inversesqrt(select(has_direction, l2, real(1.0))), fallback);
}

// Unit vectors, the normal pointing outwards. `side` is, for a normal that comes from t x b, the rest frame's
// handedness times the pose's orientation (-1 when bones mirror); for one from cofactors, the orientation; else 1.
PosedVertex finish(PosedVertex v, RestVertex rest, real side) {
  v.t = unit_or(v.t, rest.t);
  v.b = unit_or(v.b, rest.b);
  v.n = unit_or(v.n * side, rest.n);
  return v;
}
