// Deform frames: tangents of the posed triangles for methods that blend rotations (preprocess/deform_frames.h), from
// FRAMES further blends of the vertex's bones. Each kernel gives the position and what varying weights add to the turned
// tangents: turned() makes the posed vertex of it, tangent_terms() what guards act on. Not in a published paper.

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/sbs.glsl"
#include "kernels/log.glsl"
#ifndef FRAMES
#define FRAMES 2
#endif
#endif

// Deform frames: FRAMES further blends of the bones, each with the vectors v and alpha that it adds to t0, and those
// that it adds to b0. Measured from the vertex: weights from its own, which they change by w[INFLUENCES * k + s] (slot 0
// is not read: changes sum to 0), centres of rotation from its own.
struct DeformFrames {
  real w[FRAMES * INFLUENCES];
  vec3 t[FRAMES];
  vec3 b[FRAMES];
  real alpha[FRAMES];
  real beta[FRAMES];
  vec3 centre[FRAMES];
};

// What rest_scaled() is to a vertex.
DeformFrames frames_scaled(DeformFrames f, real scale) {
  for (int k = 0; k < FRAMES; ++k) {
    f.t[k] = f.t[k] * scale;
    f.b[k] = f.b[k] * scale;
    f.centre[k] = f.centre[k] * scale;
  }
  return f;
}

// From a rotation R of the quaternion q to another near it, R' of q (c, v) whatever its length: R' = R (1 + [w] (c + [v]))
// with w = 2 v / (c^2 + |v|^2). (c, v) is 1 and something small, which is found without subtracting like from like.
struct RotationChange {
  real s;  // c - 1
  real c;
  vec3 v;
  vec3 w;
  real twice;  // 2 / (c^2 + |v|^2)
};

// Of a quaternion that changes by `change`; within: the quaternion over its square. Where nothing is left of it, it stays.
RotationChange rotation_change(Quaternion change, Quaternion within) {
  RotationChange r;
  r.s = quaternion_dot(change, within);
  r.v = quaternion_vector_within(change, within);
  r.c = r.s + real(1.0);
  real n = r.c * r.c + dot(r.v, r.v);
  boolean any = n > real(1e-30);
  r.twice = select(any, real(2.0) / select(any, n, real(1.0)), real(0.0));
  r.w = r.v * r.twice;
  return r;
}

// R^T (R' - R) x
vec3 rotation_added(RotationChange r, vec3 x) { return cross(r.w, x * r.c + cross(r.v, x)); }

// By dual quaternions: with M the vertex's motion, R its rotation, and M[k], R[k] those of frame k, t' = R t0 +
// sum_k ( (R[k] - R) v[k] + alpha[k] (M[k] - M) p0 ). The weights of a frame differ from the vertex's own by small numbers,
// so its quaternions do by small ones, and differences are taken before anything else. All is measured in the rest frame and
// turned at the end. With c the blend, c.r = 1, and what a frame adds, (s, v) = c.r* e.r and (ds, dv) = c.r* e.d, the
// translation's half (hs, h) = c.r* c.d and n = (1 + s)^2 + |v|^2, the translation changes by
//   2 / n ((1 + s) (dv - s h) + v x (h + dv) - |v|^2 h - (hs + ds) v).
Derivative dqs_deform_frames(RigidInfluences x, DeformFrames f, RestVertex rest) {
  DualQuaternion b = x.q[0];
  DualQuaternion added[FRAMES];
  for (int k = 0; k < FRAMES; ++k) added[k] = dual_quaternion_zero();
  for (int s = 1; s < INFLUENCES; ++s) {
    DualQuaternion r = dqs_difference(x, s);
    b = dual_quaternion_plus(b, r, x.w[s]);
    for (int k = 0; k < FRAMES; ++k) added[k] = dual_quaternion_plus(added[k], r, f.w[INFLUENCES * k + s]);
  }
  real inverse = inversesqrt(quaternion_dot(b.r, b.r));
  Quaternion unit = quaternion_scaled(b.r, inverse);
  Quaternion within = quaternion_scaled(unit, inverse);
  vec3 h = quaternion_vector_within(b.d, within);
  real hs = quaternion_dot(b.d, within);
  vec3 along_t = vec3(real(0.0));
  vec3 along_b = along_t;
  for (int k = 0; k < FRAMES; ++k) {
    RotationChange r = rotation_change(added[k].r, within);
    vec3 dv = quaternion_vector_within(added[k].d, within);
    real ds = quaternion_dot(added[k].d, within);
    vec3 moved = ((dv - h * r.s) * r.c + cross(r.v, h + dv) - h * dot(r.v, r.v) - r.v * (hs + ds)) * r.twice;
    along_t = along_t + rotation_added(r, f.t[k] + rest.p * f.alpha[k]) + moved * f.alpha[k];
    along_b = along_b + rotation_added(r, f.b[k] + rest.p * f.beta[k]) + moved * f.beta[k];
  }
  Derivative m;
  m.R = quaternion_matrix(unit);
  m.p = m.R * (rest.p + h * real(2.0));
  m.d = m.R * along_t;
  m.e = m.R * along_b;
  return m;
}

// What frames add where the rotation is that of b, what a frame adds to it `added`, the vertex an arm from its centre and
// moved[k] how frame k moves its own centre g from the vertex's otherwise: (M[k] - M) p0 = (R[k] - R) (arm - g) + moved.
struct CentredFrames {
  Quaternion added[FRAMES];
  vec3 moved[FRAMES];
};

Derivative centred_frames(Quaternion b, CentredFrames c, DeformFrames f, vec3 arm, vec3 goes) {
  real inverse = inversesqrt(quaternion_dot(b, b));
  Quaternion unit = quaternion_scaled(b, inverse);
  Quaternion within = quaternion_scaled(unit, inverse);
  Derivative m;
  m.R = quaternion_matrix(unit);
  m.p = goes + m.R * arm;
  m.d = vec3(real(0.0));
  m.e = m.d;
  vec3 along_t = m.d;
  vec3 along_b = m.d;
  for (int k = 0; k < FRAMES; ++k) {
    RotationChange r = rotation_change(c.added[k], within);
    vec3 own_arm = arm - f.centre[k];
    vec3 moved = c.moved[k] - m.R * f.centre[k];
    along_t = along_t + rotation_added(r, f.t[k] + own_arm * f.alpha[k]);
    along_b = along_b + rotation_added(r, f.b[k] + own_arm * f.beta[k]);
    m.d = m.d + moved * f.alpha[k];
    m.e = m.e + moved * f.beta[k];
  }
  m.d = m.d + m.R * along_t;
  m.e = m.e + m.R * along_b;
  return m;
}

CentredFrames no_centred_frames() {
  CentredFrames c;
  for (int k = 0; k < FRAMES; ++k) {
    c.added[k].s = real(0.0);
    c.added[k].v = vec3(real(0.0));
    c.moved[k] = vec3(real(0.0));
  }
  return c;
}

// About centres of rotation: M[k] turns about C + g. With dw the frame's change of the weights, T = sum_s w[s] R[s] and all
// sums over differences from slot 0, it moves by sum_s dw[s] (M[s] C + R[s] g) + T g - R g besides.
Derivative crs_deform_frames(RigidInfluences x, DeformFrames f, vec3 c, RestVertex rest) {
  Quaternion b = x.q[0].r;
  CentredFrames frames = no_centred_frames();
  mat3 R0 = quaternion_matrix(b);
  vec3 t0 = dqs_half_translation(x.q[0]);
  mat3 T = R0;
  vec3 goes = R0 * c + t0 * real(2.0);
  for (int s = 1; s < INFLUENCES; ++s) {
    Quaternion r = quaternion_difference(x.q[s].r, x.q[0].r);
    mat3 R = quaternion_matrix(x.q[s].r);
    R[0] = R[0] - R0[0];
    R[1] = R[1] - R0[1];
    R[2] = R[2] - R0[2];
    vec3 there = R * c + (dqs_half_translation(x.q[s]) - t0) * real(2.0);
    b = quaternion_plus(b, r, x.w[s]);
    T = T + R * x.w[s];
    goes = goes + there * x.w[s];
    for (int k = 0; k < FRAMES; ++k) {
      real w = f.w[INFLUENCES * k + s];
      frames.added[k] = quaternion_plus(frames.added[k], r, w);
      frames.moved[k] = frames.moved[k] + (there + R * f.centre[k]) * w;
    }
  }
  for (int k = 0; k < FRAMES; ++k) frames.moved[k] = frames.moved[k] + T * f.centre[k];
  return centred_frames(b, frames, f, rest.p - c, goes);
}

// About the centre of a set of bones, which all frames share.
Derivative sbs_deform_frames(RigidInfluences x, DeformFrames f, vec3 r, RestVertex rest) {
  for (int k = 0; k < FRAMES; ++k) f.centre[k] = vec3(real(0.0));
  Quaternion b = x.q[0].r;
  CentredFrames frames = no_centred_frames();
  vec3 r0 = dual_quaternion_point(x.q[0], r);
  vec3 goes = r0;
  for (int s = 1; s < INFLUENCES; ++s) {
    Quaternion difference = quaternion_difference(x.q[s].r, x.q[0].r);
    vec3 there = dual_quaternion_point(x.q[s], r) - r0;
    b = quaternion_plus(b, difference, x.w[s]);
    goes = goes + there * x.w[s];
    for (int k = 0; k < FRAMES; ++k) {
      real w = f.w[INFLUENCES * k + s];
      frames.added[k] = quaternion_plus(frames.added[k], difference, w);
      frames.moved[k] = frames.moved[k] + there * w;
    }
  }
  return centred_frames(b, frames, f, rest.p - r, goes);
}

// (f(x) - f(y)) / (x - y) of f = exp_series(., f), without that difference: x = y gives the slope.
real exp_series_quotient(real x, real y, int f) {
  real sum = real(1.0);
  real quotient = real(0.0);
  for (int k = 12; k > 0; --k) {
    real r = ratio(1, (2 * k + f) * (2 * k + f - 1));
    quotient = real(0.0) - (sum + quotient * y) * r;
    sum = real(1.0) - sum * (x * r);
  }
  return quotient;
}

// How F [a] v + G [a]^2 v changes when a, v, F, G do, by da, dv, dF, dG, to a1, ., F1, G1.
vec3 log_change(vec3 a, vec3 da, vec3 a1, real dF, real F1, real dG, real G1, vec3 v, vec3 dv) {
  vec3 u = cross(a, v);
  vec3 du = cross(da, v) + cross(a1, dv);
  return u * dF + du * F1 + cross(a, u) * dG + (cross(da, u) + cross(a1, du)) * G1;
}

// Deform frames as in dqs_deform_frames(): twists of frames differ from the vertex's own by what their weights change,
// and exponentials by what follows from that alone.
Derivative log_deform_frames(TwistInfluences x, DeformFrames f, RestVertex rest) {
  Twist xi = x.xi[0];
  Twist added[FRAMES];
  for (int k = 0; k < FRAMES; ++k) added[k] = twist_plus(xi, xi, real(-1.0));
  for (int s = 1; s < INFLUENCES; ++s) {
    Twist difference = log_difference(x, s);
    xi = twist_plus(xi, difference, x.w[s]);
    for (int k = 0; k < FRAMES; ++k) added[k] = twist_plus(added[k], difference, f.w[INFLUENCES * k + s]);
  }
  LogExponential e = log_exponential(xi);
  real angle2 = dot(xi.turn, xi.turn);
  vec3 none = vec3(real(0.0));
  Derivative m;
  m.R = e.R;
  m.p = e.R * rest.p + e.translation;
  m.d = none;
  m.e = none;
  for (int k = 0; k < FRAMES; ++k) {
    vec3 da = added[k].turn;
    vec3 a1 = xi.turn + da;
    real dx = dot(da, xi.turn + a1);
    real x1 = angle2 + dx;
    real db = exp_series_quotient(x1, angle2, 2) * real(0.5) * dx;
    real dc = exp_series_quotient(x1, angle2, 3) * ratio(1, 6) * dx;
    real b1 = e.b + db;
    real c1 = e.c + dc;
    real dsine = real(0.0) - (dx * c1 + angle2 * dc);  // of sin(angle) / angle = 1 - angle^2 c
    real sine1 = real(1.0) - x1 * c1;
    vec3 moved = log_change(xi.turn, da, a1, dsine, sine1, db, b1, rest.p, none) + added[k].shift +
                 log_change(xi.turn, da, a1, db, b1, dc, c1, xi.shift, added[k].shift);
    m.d = m.d + log_change(xi.turn, da, a1, dsine, sine1, db, b1, f.t[k], none) + moved * f.alpha[k];
    m.e = m.e + log_change(xi.turn, da, a1, dsine, sine1, db, b1, f.b[k], none) + moved * f.beta[k];
  }
  return m;
}
