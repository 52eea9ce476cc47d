// Log-matrix blending and its normals.
// [Alexa02] Alexa 2002: Linear Combination of Transformations.
// Paper symbols and code names: lib/NOTATION.md.
// A rigid motion is exp(xi) of a twist xi = log M (rig/twist.h). A vertex moves by exp(sum_s w[s] xi[s]). Not invariant
// under a motion of the whole character unless weights are constant: that is the method. The rest vertex is scaled as
// in dqs.glsl.

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/vertex.glsl"
#include "kernels/turned.glsl"
#endif

// turn: axis times angle in radians, at most half a turn; shift: the point x moves as turn x x + shift.
struct Twist {
  vec3 turn;
  vec3 shift;
};

// What moves one vertex: the weights and twists of its bones. Slot 0 has the largest weight.
struct TwistInfluences {
  real w[INFLUENCES];
  Twist xi[INFLUENCES];
};

// a + b k
Twist twist_plus(Twist a, Twist b, real k) {
  a.turn = a.turn + b.turn * k;
  a.shift = a.shift + b.shift * k;
  return a;
}

Twist log_difference(TwistInfluences x, int s) { return twist_plus(x.xi[s], x.xi[0], real(-1.0)); }

// sum_s w[s] xi[s], with weights that sum to 1.
Twist log_blend(TwistInfluences x) {
  Twist xi = x.xi[0];
  for (int s = 1; s < INFLUENCES; ++s) xi = twist_plus(xi, log_difference(x, s), x.w[s]);
  return xi;
}

// f! sum_k (-x)^k / (2 k + f)!, innermost bracket first. With x = angle^2: f = 2 is 2 (1 - cos) / x, f = 3 is
// 6 (angle - sin) / angle^3. A series, because it has no division by small angles to guard, and because sin and cos of
// graphics processors are not exact. Its terms beyond the twelfth are below 1e-16 of the sum for every x up to pi^2.
real exp_series(real x, int f) {
  real sum = real(1.0);
  for (int k = 12; k > 0; --k) sum = real(1.0) - sum * (x * ratio(1, (2 * k + f) * (2 * k + f - 1)));
  return sum;
}

// Its derivative by x.
real exp_series_slope(real x, int f) {
  real sum = real(1.0);
  for (int k = 12; k > 0; --k)
    sum = real(1.0) - sum * (x * ratio(k + 1, k * (2 * k + f + 2) * (2 * k + f + 1)));
  return sum * ratio(-1, (f + 2) * (f + 1));
}

// exp(xi) = (R, V shift) with the left Jacobian V = 1 + b [turn] + c [turn]^2 of rotations, [a] v = a x v;
// b = (1 - cos) / angle^2, c = (angle - sin) / angle^3.
struct LogExponential {
  real b;
  real c;
  mat3 R;
  vec3 translation;
};

// V v
vec3 left_jacobian(vec3 turn, real b, real c, vec3 v) {
  vec3 u = cross(turn, v);
  return v + u * b + cross(turn, u) * c;
}

LogExponential log_exponential(Twist xi) {
  vec3 a = xi.turn;
  real x = dot(a, a);
  LogExponential m;
  m.b = exp_series(x, 2) * real(0.5);
  m.c = exp_series(x, 3) * ratio(1, 6);
  real cosine = real(1.0) - x * m.b;
  vec3 sine = a * (real(1.0) - x * m.c);
  vec3 ab = a * m.b;
  m.R[0] = vec3(ab.x * a.x + cosine, ab.x * a.y + sine.z, ab.x * a.z - sine.y);
  m.R[1] = vec3(ab.y * a.x - sine.z, ab.y * a.y + cosine, ab.y * a.z + sine.x);
  m.R[2] = vec3(ab.z * a.x + sine.y, ab.z * a.y - sine.x, ab.z * a.z + cosine);
  m.translation = left_jacobian(a, m.b, m.c, xi.shift);
  return m;
}

vec3 log_position(TwistInfluences x, vec3 p0) {
  LogExponential m = log_exponential(log_blend(x));
  return m.R * p0 + m.translation;
}

// The standard approximation: the blended rotation acts on the normal as if weights were constant.
PosedVertex log_standard(TwistInfluences x, RestVertex rest) {
  LogExponential m = log_exponential(log_blend(x));
  PosedVertex v;
  v.p = m.R * rest.p + m.translation;
  v.t = m.R * rest.t;
  v.b = m.R * rest.b;
  v.n = m.R * rest.n;
  return v;
}

// What a change of xi adds to a turned tangent. The rotation changes at the rate V change.turn, and V shift by
// V change.shift + (change of V) shift.
vec3 log_rate(Twist xi, LogExponential m, real b_slope, real c_slope, Twist change, vec3 turned_p) {
  vec3 w = left_jacobian(xi.turn, m.b, m.c, change.turn);
  vec3 u = cross(xi.turn, xi.shift);
  vec3 du = cross(change.turn, xi.shift);
  real dx = real(2.0) * dot(xi.turn, change.turn);
  vec3 of_jacobian = u * (b_slope * dx) + du * m.b + cross(xi.turn, u) * (c_slope * dx) +
                     (cross(change.turn, u) + cross(xi.turn, du)) * m.c;
  return cross(w, turned_p) + left_jacobian(xi.turn, m.b, m.c, change.shift) + of_jacobian;
}

// The exact derivative of the position, where xi changes by sum_s alpha[s] xi[s] along t0: differences from slot 0.
Derivative log_exact(TwistInfluences x, DeformFactors f, vec3 p0) {
  Twist xi = x.xi[0];
  Twist along_t = twist_plus(xi, xi, real(-1.0));
  Twist along_b = along_t;
  for (int s = 1; s < INFLUENCES; ++s) {
    Twist difference = log_difference(x, s);
    xi = twist_plus(xi, difference, x.w[s]);
    along_t = twist_plus(along_t, difference, f.alpha[s]);
    along_b = twist_plus(along_b, difference, f.beta[s]);
  }
  LogExponential m = log_exponential(xi);
  real angle2 = dot(xi.turn, xi.turn);
  real b_slope = exp_series_slope(angle2, 2) * real(0.5);
  real c_slope = exp_series_slope(angle2, 3) * ratio(1, 6);
  vec3 turned_p = m.R * p0;
  Derivative k;
  k.p = turned_p + m.translation;
  k.R = m.R;
  k.d = log_rate(xi, m, b_slope, c_slope, along_t, turned_p);
  k.e = log_rate(xi, m, b_slope, c_slope, along_b, turned_p);
  return k;
}

// As dqs_smoothed(). log_exact() reads the weights of all slots but the first.
Derivative log_smoothed(TwistInfluences x, DeformFactors f, SmoothWeights averaged, vec3 p0) {
  vec3 p = log_position(x, p0);
  for (int s = 1; s < INFLUENCES; ++s) x.w[s] = averaged.w[s];
  Derivative k = log_exact(x, f, p0);
  k.p = p;
  return k;
}
