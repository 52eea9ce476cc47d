// Dual quaternion iterative blending and its normals: log-matrix blending about a reference.
// [KCZO08] Kavan, Collins, Zara, O'Sullivan 2008: Geometric Skinning with Approximate Dual Quaternion Blending.
// Paper symbols and code names: lib/NOTATION.md.
// The mean m of the motions q[s] of a vertex has sum_s w[s] log(m* q[s]) = 0, and [KCZO08] go to it by m exp(sum_s w[s]
// log(m* q[s])) from the dual quaternion blend c. One step is taken here: of two bones it gives the mean itself, a screw
// at uniform speed; of more it leaves the fifth power of the angles between them, where c leaves the third, and each
// further step would take another square. A motion of the whole character, before or after, moves the vertex with it, and
// the axis of no logarithm is decided by how far a bone is from rest, which is what tears log.glsl. Two bones of a vertex
// that are themselves half a turn apart have two means, as they have for dqs.glsl.

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/dqs.glsl"
#include "kernels/log.glsl"
#endif

// What a logarithm adds: log a = vec(a) (1 + f(a.s)) with f(cos x) = x / sin x - 1, x half the angle of the rotation, and
// f's first and second derivative by the cosine.
struct LogExcess {
  real f;
  real slope;
  real bend;
};

// From an eighth of x. In y = (1 - cosine) / 2 the bend is a series, 12 terms of which leave less than 1e-15 of it up to
// 22 degrees; the differential equations (1 - c^2) f' = c (f + 1) - 1 and (1 - c^2) f'' = 3 c f' + f + 1 then give f' and f
// without a division by small angles.
LogExcess log_excess_near(real cosine) {
  real y = (real(1.0) - cosine) * real(0.5);
  real sum = real(1.0);
  for (int k = 12; k > 0; --k) sum = real(1.0) + sum * (y * ratio(2 * (k + 2) * (k + 2), k * (2 * k + 5)));
  LogExcess e;
  e.bend = sum * ratio(4, 15);
  real sine2_bend = y * (real(1.0) - y) * real(4.0) * e.bend;
  e.slope = (cosine * sine2_bend - real(1.0)) / (cosine * cosine * real(2.0) + real(1.0));
  e.f = sine2_bend - real(1.0) - cosine * e.slope * real(3.0);
  return e;
}

// From half the angle, whose cosine is one over `inverse`: f(x) + 1 = (f(x/2) + 1) / cos(x/2), differentiated.
LogExcess log_excess_doubled(LogExcess of_half, real inverse) {
  real k = inverse * inverse * real(0.25);
  LogExcess e;
  e.f = of_half.f * inverse + (inverse - real(1.0));
  e.slope = (of_half.slope - e.f - real(1.0)) * k;
  e.bend = (of_half.bend * inverse * real(0.25) - e.slope * real(3.0)) * k;
  return e;
}

// cos^2(x/2) from cos x. Where weights put the reference a whole turn from a bone, which has no logarithm then, a little
// less.
real log_half_cosine2(real cosine) {
  real c = (cosine + real(1.0)) * real(0.5);
  real least = real(1e-6);
  return select(c > least, c, least);
}

LogExcess log_excess(real cosine) {
  real half2 = log_half_cosine2(cosine);
  real inverse_half = inversesqrt(half2);
  real quarter2 = log_half_cosine2(half2 * inverse_half);
  real inverse_quarter = inversesqrt(quarter2);
  real eighth2 = log_half_cosine2(quarter2 * inverse_quarter);
  real inverse_eighth = inversesqrt(eighth2);
  LogExcess e = log_excess_near(eighth2 * inverse_eighth);
  e = log_excess_doubled(e, inverse_eighth);
  e = log_excess_doubled(e, inverse_quarter);
  return log_excess_doubled(e, inverse_half);
}

// The bones of a vertex seen from the reference c, a unit dual quaternion: c* q[s] = first + from_first[s]. Differences
// are taken before anything else, and first has no vector part but theirs, for c* b = |b| has none.
struct DibBones {
  DualQuaternion c;
  real inverse;  // |b|, a dual number, is (1 + eps skew) / inverse
  real skew;
  real w[INFLUENCES];
  DualQuaternion first;
  DualQuaternion from_first[INFLUENCES];
};

// c* q
DualQuaternion dual_quaternion_within(DualQuaternion q, DualQuaternion c) {
  DualQuaternion a;
  a.r.s = quaternion_dot(q.r, c.r);
  a.r.v = quaternion_vector_within(q.r, c.r);
  a.d.s = quaternion_dot(q.d, c.r) + quaternion_dot(q.r, c.d);
  a.d.v = quaternion_vector_within(q.d, c.r) + quaternion_vector_within(q.r, c.d);
  return a;
}

DibBones dib_bones(RigidInfluences x) {
  DibBones k;
  k.w[0] = real(1.0);
  k.from_first[0] = dual_quaternion_zero();
  DualQuaternion b = x.q[0];
  for (int s = 1; s < INFLUENCES; ++s) {
    k.w[s] = x.w[s];
    k.w[0] = k.w[0] - x.w[s];
    k.from_first[s] = dqs_difference(x, s);
    b = dual_quaternion_plus(b, k.from_first[s], x.w[s]);
  }
  k.inverse = inversesqrt(quaternion_dot(b.r, b.r));
  k.c = dual_quaternion_scaled(b, k.inverse);
  k.skew = quaternion_dot(k.c.r, k.c.d);
  k.c.d = quaternion_plus(k.c.d, k.c.r, real(0.0) - k.skew);
  k.first = dual_quaternion_within(x.q[0], k.c);
  k.first.r.v = vec3(real(0.0));
  k.first.d.v = k.first.r.v;
  for (int s = 1; s < INFLUENCES; ++s) {
    k.from_first[s] = dual_quaternion_within(k.from_first[s], k.c);
    k.first.r.v = k.first.r.v - k.from_first[s].r.v * x.w[s];
    k.first.d.v = k.first.d.v - k.from_first[s].d.v * x.w[s];
  }
  return k;
}

Twist twist_zero() {
  Twist a;
  a.turn = vec3(real(0.0));
  a.shift = a.turn;
  return a;
}

// log a - vec(a), half a twist. sum_s w[s] vec(c* q[s]) = 0: the step needs nothing else of the logarithms.
Twist dib_excess(DualQuaternion a, LogExcess e) {
  Twist l;
  l.turn = a.r.v * e.f;
  l.shift = a.d.v * e.f + a.r.v * (e.slope * a.d.s);
  return l;
}

// Its change where c changes by c eta, eta half a twist, and a = c* q by -eta a.
Twist dib_excess_rate(DualQuaternion a, LogExcess e, Twist eta) {
  real ds = dot(eta.turn, a.r.v);
  real ds_dual = dot(eta.turn, a.d.v) + dot(eta.shift, a.r.v);
  vec3 dv = cross(a.r.v, eta.turn) - eta.turn * a.r.s;
  vec3 dv_dual =
      cross(a.d.v, eta.turn) + cross(a.r.v, eta.shift) - eta.shift * a.r.s - eta.turn * a.d.s;
  Twist l;
  l.turn = dv * e.f + a.r.v * (e.slope * ds);
  l.shift = dv_dual * e.f + (dv * a.d.s + a.d.v * ds) * e.slope +
            a.r.v * (e.bend * (a.d.s * ds) + e.slope * ds_dual);
  return l;
}

// From c to the blend: sum_s w[s] log(c* q[s]) as a whole twist.
Twist dib_step(DibBones k) {
  Twist sum = twist_zero();
  for (int s = 0; s < INFLUENCES; ++s) {
    DualQuaternion a = dual_quaternion_plus(k.first, k.from_first[s], real(1.0));
    sum = twist_plus(sum, dib_excess(a, log_excess(a.r.s)), k.w[s]);
  }
  return twist_plus(sum, sum, real(1.0));
}

// The blend c exp(step): p0 to R p0 + translation.
struct DibMotion {
  mat3 R;
  vec3 translation;
};

DibMotion dib_motion(RigidInfluences x) {
  DibBones k = dib_bones(x);
  LogExponential e = log_exponential(dib_step(k));
  mat3 R = quaternion_matrix(k.c.r);
  DibMotion m;
  m.R = R * e.R;
  m.translation = R * e.translation + dqs_half_translation(k.c) * real(2.0);
  return m;
}

vec3 dib_position(RigidInfluences x, vec3 p0) {
  DibMotion m = dib_motion(x);
  return m.R * p0 + m.translation;
}

// The standard approximation: the blended motion acts on the normal as if weights were constant.
PosedVertex dib_standard(RigidInfluences x, RestVertex rest) {
  DibMotion m = dib_motion(x);
  PosedVertex v;
  v.p = m.R * rest.p + m.translation;
  v.t = m.R * rest.t;
  v.b = m.R * rest.b;
  v.n = m.R * rest.n;
  return v;
}

// How c changes along a tangent, as half a twist eta with change of c = c eta. change: c* (change of b).
Twist dib_reference_rate(DibBones k, DualQuaternion change) {
  Twist eta;
  eta.turn = change.r.v * k.inverse;
  eta.shift = change.d.v * k.inverse - eta.turn * k.skew;
  return eta;
}

// The exact derivative of the position, where the weights change by alpha along t0 and by beta along b0: the step by what
// the weights change in it and by what its logarithms change because c does, and c itself.
Derivative dib_exact(RigidInfluences x, DeformFactors f, vec3 p0) {
  DibBones k = dib_bones(x);
  DualQuaternion change_t = dual_quaternion_zero();
  DualQuaternion change_b = change_t;
  f.alpha[0] = real(0.0);
  f.beta[0] = real(0.0);
  for (int s = 1; s < INFLUENCES; ++s) {
    change_t = dual_quaternion_plus(change_t, k.from_first[s], f.alpha[s]);
    change_b = dual_quaternion_plus(change_b, k.from_first[s], f.beta[s]);
    f.alpha[0] = f.alpha[0] - f.alpha[s];
    f.beta[0] = f.beta[0] - f.beta[s];
  }
  Twist eta_t = dib_reference_rate(k, change_t);
  Twist eta_b = dib_reference_rate(k, change_b);
  Twist xi = twist_zero();
  Twist along_t = xi;
  Twist along_b = xi;
  for (int s = 0; s < INFLUENCES; ++s) {
    DualQuaternion a = dual_quaternion_plus(k.first, k.from_first[s], real(1.0));
    LogExcess e = log_excess(a.r.s);
    Twist of_bone = dib_excess(a, e);
    xi = twist_plus(xi, of_bone, k.w[s]);
    along_t = twist_plus(twist_plus(along_t, of_bone, f.alpha[s]), dib_excess_rate(a, e, eta_t), k.w[s]);
    along_b = twist_plus(twist_plus(along_b, of_bone, f.beta[s]), dib_excess_rate(a, e, eta_b), k.w[s]);
  }
  xi = twist_plus(xi, xi, real(1.0));
  along_t = twist_plus(along_t, along_t, real(1.0));
  along_b = twist_plus(along_b, along_b, real(1.0));
  LogExponential e = log_exponential(xi);
  real angle2 = dot(xi.turn, xi.turn);
  real b_slope = exp_series_slope(angle2, 2) * real(0.5);
  real c_slope = exp_series_slope(angle2, 3) * ratio(1, 6);
  mat3 R = quaternion_matrix(k.c.r);
  vec3 stepped = e.R * p0;
  vec3 there = stepped + e.translation;
  vec3 d = log_rate(xi, e, b_slope, c_slope, along_t, stepped);
  vec3 b = log_rate(xi, e, b_slope, c_slope, along_b, stepped);
  Derivative m;
  m.R = R * e.R;
  m.p = R * there + dqs_half_translation(k.c) * real(2.0);
  m.d = R * (d + (cross(eta_t.turn, there) + eta_t.shift) * real(2.0));
  m.e = R * (b + (cross(eta_b.turn, there) + eta_b.shift) * real(2.0));
  return m;
}

// As dqs_smoothed().
Derivative dib_smoothed(RigidInfluences x, DeformFactors f, SmoothWeights averaged, vec3 p0) {
  Derivative k = dib_exact(rigid_averaged(x, averaged), f, p0);
  k.p = dib_position(x, p0);
  return k;
}
