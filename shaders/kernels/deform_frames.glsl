// Deform frames: tangents of the posed triangles for methods that blend rotations (preprocess/deform_frames.h), from
// FRAMES further blends of the vertex's bones. Not in a published paper.

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

// c + a x b and c + A v, in fused operations only.
vec3 plus_cross(vec3 c, vec3 a, vec3 b) {
  return vec3(c.x + a.y * b.z - a.z * b.y, c.y + a.z * b.x - a.x * b.z, c.z + a.x * b.y - a.y * b.x);
}
vec3 plus_turned(vec3 c, mat3 A, vec3 v) { return c + A[0] * v.x + A[1] * v.y + A[2] * v.z; }

mat3 matrix_difference(mat3 A, mat3 B) {
  A[0] = A[0] - B[0];
  A[1] = A[1] - B[1];
  A[2] = A[2] - B[2];
  return A;
}

// The vector part of a b*, and b* a.
vec3 vector_of_quotient(Quaternion a, Quaternion b) { return plus_cross(a.v * b.s - b.v * a.s, b.v, a.v); }
Quaternion quaternion_within(Quaternion a, Quaternion b) {
  Quaternion c;
  c.s = quaternion_dot(a, b);
  c.v = plus_cross(a.v * b.s - b.v * a.s, a.v, b.v);
  return c;
}

// A blend b of quaternions, of any length, as a rotation. length2: |b|^2
struct BlendedRotation {
  Quaternion twice;  // 2 b / |b|^2
  mat3 R;
};

BlendedRotation blended_rotation(Quaternion b, real length2) {
  BlendedRotation m;
  m.twice = quaternion_scaled(b, real(2.0) / length2);
  vec3 x = b.v * m.twice.v.x;
  real yy = b.v.y * m.twice.v.y;
  real yz = b.v.y * m.twice.v.z;
  real zz = b.v.z * m.twice.v.z;
  vec3 turn = m.twice.v * b.s;
  m.R[0] = vec3(real(1.0) - yy - zz, x.y + turn.z, x.z - turn.y);
  m.R[1] = vec3(x.y - turn.z, real(1.0) - x.x - zz, yz + turn.x);
  m.R[2] = vec3(x.z + turn.y, yz - turn.x, real(1.0) - x.x - yy);
  return m;
}

// D of the rotations R of b and R (1 + D) of b + e, found without subtracting like from like: with (c, v) = b* (b + e),
// D = [w] (c + [v]), w = 2 v / n, n = c^2 + |v|^2. Where nothing is left of b + e, R stays. length2: |b|^2
mat3 rotation_change(Quaternion e, Quaternion b, real length2) {
  Quaternion part = quaternion_within(e, b);
  vec3 v = part.v;
  real c = part.s + length2;
  real n = c * c + dot(v, v);
  boolean any = n > real(1e-30);
  vec3 w = v * select(any, real(2.0) / select(any, n, real(1.0)), real(0.0));
  vec3 x = v * w.x;
  real yy = v.y * w.y;
  real yz = v.y * w.z;
  real zz = v.z * w.z;
  vec3 turn = w * c;
  mat3 D;
  D[0] = vec3(real(0.0) - yy - zz, x.y + turn.z, x.z - turn.y);
  D[1] = vec3(x.y - turn.z, real(0.0) - x.x - zz, yz + turn.x);
  D[2] = vec3(x.z + turn.y, yz - turn.x, real(0.0) - x.x - yy);
  return D;
}

// Tangents that frames add to: `along` what is turned with the vertex, `apart` what is added afterwards.
struct FrameTangents {
  vec3 along_t;
  vec3 along_b;
  vec3 apart_t;
  vec3 apart_b;
};

FrameTangents frame_tangents(RestVertex rest) {
  FrameTangents a;
  a.along_t = rest.t;
  a.along_b = rest.b;
  a.apart_t = vec3(real(0.0));
  a.apart_b = a.apart_t;
  return a;
}

// Frame k adds R D (v + alpha arm)
FrameTangents frame_turns(FrameTangents a, DeformFrames f, int k, mat3 D, vec3 arm) {
  a.along_t = plus_turned(a.along_t, D, f.t[k] + arm * f.alpha[k]);
  a.along_b = plus_turned(a.along_b, D, f.b[k] + arm * f.beta[k]);
  return a;
}

// and alpha moved.
FrameTangents frame_moves(FrameTangents a, vec3 moved, real alpha, real beta) {
  a.apart_t = a.apart_t + moved * alpha;
  a.apart_b = a.apart_b + moved * beta;
  return a;
}

PosedVertex frames_turned(vec3 p, mat3 R, FrameTangents a) {
  PosedVertex v;
  v.p = p;
  v.t = plus_turned(a.apart_t, R, a.along_t);
  v.b = plus_turned(a.apart_b, R, a.along_b);
  v.n = cross(v.t, v.b);
  return v;
}

// By dual quaternions: with M the vertex's motion, R its rotation, and M[k], R[k] those of frame k, t' = R t0 +
// sum_k ( (R[k] - R) v[k] + alpha[k] (M[k] - M) p0 ). v is no longer than tangents are, so rotations may be subtracted; alpha
// is as large as faces are small, so points may not. With b the vertex's blend and B = b + e the frame's, M[k] p0 is twice
// the vector part of (B.d + B.r p0 / 2) B.r* / |B.r|^2, and p = M p0 the same with (g + p / 2) B.r in the bracket, whatever
// the number g. With b.d + b.r p0 / 2 = (g + p / 2) b.r the difference of the brackets is what e adds to them:
// e.d + e.r p0 / 2 - (g + p / 2) e.r.
PosedVertex dqs_deform_frames(RigidInfluences x, DeformFrames f, RestVertex rest) {
  DualQuaternion b = x.q[0];
  DualQuaternion e[FRAMES];
  for (int k = 0; k < FRAMES; ++k) e[k] = dual_quaternion_zero();
  for (int s = 1; s < INFLUENCES; ++s) {
    DualQuaternion r = dqs_difference(x, s);
    b = dual_quaternion_plus(b, r, x.w[s]);
    for (int k = 0; k < FRAMES; ++k) e[k] = dual_quaternion_plus(e[k], r, f.w[INFLUENCES * k + s]);
  }
  real length2 = quaternion_dot(b.r, b.r);
  BlendedRotation m = blended_rotation(b.r, length2);
  vec3 p = plus_turned(vector_of_quotient(b.d, m.twice), m.R, rest.p);
  real g = quaternion_dot(b.d, m.twice) * real(0.5);
  vec3 at_rest = rest.p * real(0.5);
  vec3 posed = p * real(0.5);
  vec3 difference = at_rest - posed;
  vec3 sum = at_rest + posed;
  FrameTangents a = frame_tangents(rest);
  for (int k = 0; k < FRAMES; ++k) {
    Quaternion w = e[k].r;
    Quaternion left = quaternion_plus(e[k].d, w, real(0.0) - g);
    left.s = left.s - w.v.x * difference.x - w.v.y * difference.y - w.v.z * difference.z;
    left.v = plus_cross(left.v + difference * w.s, w.v, sum);
    Quaternion whole = quaternion_plus(b.r, w, real(1.0));
    real size = quaternion_dot(whole, whole);
    boolean any = size > real(1e-30);  // or R stays
    whole.s = select(any, whole.s, b.r.s);
    whole.v = select(any, whole.v, b.r.v);
    BlendedRotation frame = blended_rotation(whole, select(any, size, length2));
    mat3 turn = matrix_difference(frame.R, m.R);
    a.apart_t = plus_turned(a.apart_t, turn, f.t[k]);
    a.apart_b = plus_turned(a.apart_b, turn, f.b[k]);
    a = frame_moves(a, vector_of_quotient(left, frame.twice), f.alpha[k], f.beta[k]);
  }
  return frames_turned(p, m.R, a);
}

// About centres of rotation: M[k] turns about c + g by R[k]. (M[k] - M) p0 = (R[k] - R) (p0 - c - g) + F[k] (c + g) + 2 h[k] +
// (T - R) g, where T = sum_s w[s] R[s]; F[k], h[k] how rotations and half translations change with the frame's weights, all
// sums over differences from slot 0.
PosedVertex crs_deform_frames(RigidInfluences x, DeformFrames f, vec3 c, RestVertex rest) {
  Quaternion b = x.q[0].r;
  mat3 R0 = quaternion_matrix(b);
  vec3 h0 = vector_of_quotient(x.q[0].d, b);
  mat3 T = R0;
  vec3 h = h0;
  Quaternion e[FRAMES];
  mat3 F[FRAMES];
  vec3 apart[FRAMES];
  for (int k = 0; k < FRAMES; ++k) {
    apart[k] = vec3(real(0.0));
    e[k] = dual_quaternion_zero().r;
    F[k][0] = apart[k];
    F[k][1] = apart[k];
    F[k][2] = apart[k];
  }
  for (int s = 1; s < INFLUENCES; ++s) {
    Quaternion r = quaternion_difference(x.q[s].r, x.q[0].r);
    mat3 R = matrix_difference(quaternion_matrix(x.q[s].r), R0);
    vec3 there = vector_of_quotient(x.q[s].d, x.q[s].r) - h0;
    b = quaternion_plus(b, r, x.w[s]);
    T = T + R * x.w[s];
    h = h + there * x.w[s];
    for (int k = 0; k < FRAMES; ++k) {
      real w = f.w[INFLUENCES * k + s];
      e[k] = quaternion_plus(e[k], r, w);
      F[k] = F[k] + R * w;
      apart[k] = apart[k] + there * w;
    }
  }
  real length2 = quaternion_dot(b, b);
  BlendedRotation m = blended_rotation(b, length2);
  mat3 rest_of_T = matrix_difference(T, m.R);
  vec3 arm = rest.p - c;
  FrameTangents a = frame_tangents(rest);
  for (int k = 0; k < FRAMES; ++k) {
    vec3 g = f.centre[k];
    vec3 moved = plus_turned(plus_turned(apart[k] * real(2.0), F[k], c + g), rest_of_T, g);
    a = frame_turns(a, f, k, rotation_change(e[k], b, length2), arm - g);
    a = frame_moves(a, moved, f.alpha[k], f.beta[k]);
  }
  return frames_turned(plus_turned(plus_turned(h * real(2.0), T, c), m.R, arm), m.R, a);
}

// About the centre of a set of bones, which all frames share.
PosedVertex sbs_deform_frames(RigidInfluences x, DeformFrames f, vec3 r, RestVertex rest) {
  Quaternion b = x.q[0].r;
  vec3 r0 = dual_quaternion_point(x.q[0], r);
  vec3 goes = r0;
  Quaternion e[FRAMES];
  vec3 moved[FRAMES];
  for (int k = 0; k < FRAMES; ++k) {
    moved[k] = vec3(real(0.0));
    e[k] = dual_quaternion_zero().r;
  }
  for (int s = 1; s < INFLUENCES; ++s) {
    Quaternion difference = quaternion_difference(x.q[s].r, x.q[0].r);
    vec3 there = dual_quaternion_point(x.q[s], r) - r0;
    b = quaternion_plus(b, difference, x.w[s]);
    goes = goes + there * x.w[s];
    for (int k = 0; k < FRAMES; ++k) {
      real w = f.w[INFLUENCES * k + s];
      e[k] = quaternion_plus(e[k], difference, w);
      moved[k] = moved[k] + there * w;
    }
  }
  // Through the unit quaternion: far from its centre a vertex shows every rounding of the rotation, and by 1 / |b|^2, which
  // compilers round differently, there would be more.
  real length2 = quaternion_dot(b, b);
  Quaternion unit = quaternion_scaled(b, inversesqrt(length2));
  mat3 R = quaternion_matrix(unit);
  vec3 arm = rest.p - r;
  FrameTangents a = frame_tangents(rest);
  for (int k = 0; k < FRAMES; ++k) {
    a = frame_turns(a, f, k, rotation_change(e[k], b, length2), arm);
    a = frame_moves(a, moved[k], f.alpha[k], f.beta[k]);
  }
  return frames_turned(plus_turned(goes, R, arm), R, a);
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
