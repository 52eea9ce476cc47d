// Guards against flipped normals [TPS14 Sec. 4.4]: they act on the second terms of Eq. 13 only.

struct TangentTerms {
  vec3 p;
  vec3 Tt;  // T t0
  vec3 Tb;  // T b0
  vec3 d;   // what the varying weights add to t
  vec3 e;   // and to b
};

// v, shortened to `limit` when it is longer.
vec3 clamp_length(vec3 v, real limit) {
  real l2 = dot(v, v);
  return v * select(l2 > limit * limit, limit * inversesqrt(l2), real(1.0));
}

// Each second term on its own, as printed. For a rigid T this prevents inversion only when limit <= 1/sqrt(2).
TangentTerms guard_clamp(TangentTerms k, real limit) {
  k.d = clamp_length(k.d, limit);
  k.e = clamp_length(k.e, limit);
  return k;
}
