// Guards against flipped normals [TPS14 Sec. 4.4]: they shorten the second terms of Eq. 13, never the first. A normal
// t x b is flipped when it and T t0 x T b0 lie on different sides of the surface, seen along T n0 unless said
// otherwise; (T t0 x T b0) . T n0 = det T (t0 x b0) . n0, so no guard helps where the bones' blend itself turns
// inside out.

struct TangentTerms {
  vec3 p;
  vec3 Tt;  // T t0
  vec3 Tb;  // T b0
  vec3 Tn;  // T n0
  vec3 d;   // what the varying weights add to t
  vec3 e;   // and to b
};

// At least about the smallest normal number, for what is rooted or divided by: specifications let sqrt be 1 / inversesqrt,
// leave that open at 0, and let smaller numbers be taken for 0.
real positive(real x) {
  real least = real(1e-37);
  return select(x > least, x, least);
}

// v, shortened to `limit` when it is longer.
vec3 clamp_length(vec3 v, real limit) {
  real l2 = dot(v, v);
  real limit2 = limit * limit;
  boolean longer = l2 > limit2;
  return v * select(longer, limit * inversesqrt(select(longer, l2, limit2)), real(1.0));
}

// Each second term on its own, as printed. For a rigid T this prevents inversion only when limit <= 1/sqrt(2); for a
// blend of rotations no limit does.
TangentTerms guard_clamp(TangentTerms k, real limit) {
  k.d = clamp_length(k.d, limit);
  k.e = clamp_length(k.e, limit);
  return k;
}

// The square of the smaller singular value of the 3x2 matrix [a, b]: 0 when it has no rank 2. Through the product of
// both, |a x b|, since a difference would cancel.
real smaller_singular_value_squared(vec3 a, vec3 b) {
  real aa = dot(a, a);
  real bb = dot(b, b);
  real ab = dot(a, b);
  vec3 n = cross(a, b);
  real larger_doubled = aa + bb + sqrt(positive((aa - bb) * (aa - bb) + real(4.0) * ab * ab));
  boolean any = larger_doubled > real(0.0);
  return select(any, real(2.0) * dot(n, n) / select(any, larger_doubled, real(1.0)), real(0.0));
}

// Both second terms by one factor, so that |[d, e]| <= c sigma, sigma the smaller singular value of P = [T t0, T b0].
// n . (T t0 x T b0) = |T t0 x T b0|^2 det(I + P^+ [d, e]), and |P^+ [d, e]| <= c leaves a determinant of at least
// (1 - c^2) / 2: never flipped against T t0 x T b0 for c < 1, whatever T is.
TangentTerms guard_joint(TangentTerms k, real c) {
  real limit2 = c * c * smaller_singular_value_squared(k.Tt, k.Tb);
  real l2 = positive(dot(k.d, k.d) + dot(k.e, k.e));
  boolean longer = l2 > limit2;
  real factor = select(longer, sqrt(positive(limit2 / select(longer, l2, real(1.0)))), real(1.0));
  k.d = k.d * factor;
  k.e = k.e * factor;
  return k;
}

// v less its part along `axis`; inverse_square is 1 / |axis|^2.
vec3 part_across(vec3 v, vec3 axis, real inverse_square) { return v - axis * (dot(v, axis) * inverse_square); }

// (a x b) . c, from the parts of b and c across a. A blend of opposite rotations leaves all three nearly parallel, their
// parts across of size sigma: this errs by some roundings times sigma, and (a x b) . c itself by roundings of 1, where
// the result is sigma squared.
real triple_product(vec3 a, vec3 b, vec3 c) {
  real square = dot(a, a);
  real inverse = real(1.0) / select(square > real(0.0), square, real(1.0));
  return dot(a, cross(part_across(b, a, inverse), part_across(c, a, inverse)));
}

// Clamps, and only where the normal has then lost all but `kept` of its standard height along T n0, shortens both
// terms until that much is left: at the factor x with ((T t0 + x d) x (T b0 + x e)) . T n0 = kept (T t0 x T b0) . T n0,
// written q0 + q1 x + q2 x^2 = 0. It is positive at 0 and negative at 1, so the smaller positive root lies between and
// this form of it neither cancels nor divides by zero. All three are in units of the size of T, cubed, and not of the
// standard height, which is tiny where opposite rotations blend.
TangentTerms guard_test_then_fix(TangentTerms k, real limit, real kept) {
  k = guard_clamp(k, limit);
  real standard = triple_product(k.Tt, k.Tb, k.Tn);
  real size2 = dot(k.Tt, k.Tt) + dot(k.Tb, k.Tb) + dot(k.Tn, k.Tn);
  boolean any = size2 > real(0.0);
  real inverse = inversesqrt(select(any, size2, real(1.0)));
  real side = select(standard > real(0.0), real(1.0), select(standard < real(0.0), real(-1.0), real(0.0)));
  real unit = side * (inverse * inverse * inverse);
  real q0 = (real(1.0) - kept) * standard * unit;
  real q1 = dot(cross(k.d, k.Tb) + cross(k.Tt, k.e), k.Tn) * unit;
  real q2 = dot(cross(k.d, k.e), k.Tn) * unit;
  boolean flipped = q0 + q1 + q2 < real(0.0);
  real root = sqrt(positive(q1 * q1 - real(4.0) * q2 * q0));
  real divisor = root - q1;
  real factor = select(flipped, real(2.0) * q0 / select(divisor > real(0.0), divisor, real(1.0)), real(1.0));
  k.d = k.d * factor;
  k.e = k.e * factor;
  return k;
}
