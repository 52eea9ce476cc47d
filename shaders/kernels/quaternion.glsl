// Quaternions and unit dual quaternions: rotations and rigid motions.
// [KCZO07] Kavan, Collins, Zara, O'Sullivan 2007: Skinning with dual quaternions.

struct Quaternion {
  real s;  // scalar part
  vec3 v;  // vector part
};

// r + eps d with eps^2 = 0. As a rigid motion: r the rotation, unit; d = (translation r) / 2.
struct DualQuaternion {
  Quaternion r;
  Quaternion d;
};

Quaternion quaternion_scaled(Quaternion a, real k) {
  a.s = a.s * k;
  a.v = a.v * k;
  return a;
}

// a + b k
Quaternion quaternion_plus(Quaternion a, Quaternion b, real k) {
  a.s = a.s + b.s * k;
  a.v = a.v + b.v * k;
  return a;
}

real quaternion_dot(Quaternion a, Quaternion b) { return a.s * b.s + dot(a.v, b.v); }

// +a - first or -a - first, whichever of two signs of a rotation takes the shorter way round.
Quaternion quaternion_difference(Quaternion a, Quaternion first) {
  real side = select(quaternion_dot(a, first) < real(0.0), real(-1.0), real(1.0));
  a.s = a.s * side - first.s;
  a.v = a.v * side - first.v;
  return a;
}

// The vector part of a b*.
vec3 quaternion_vector_of_quotient(Quaternion a, Quaternion b) { return a.v * b.s - b.v * a.s - cross(a.v, b.v); }

// The vector part of b* a.
vec3 quaternion_vector_within(Quaternion a, Quaternion b) { return a.v * b.s - b.v * a.s + cross(a.v, b.v); }

// The rotation v -> a v a* of a unit quaternion.
mat3 quaternion_matrix(Quaternion a) {
  vec3 twice = a.v + a.v;
  vec3 x = a.v * twice.x;  // 2 a.v a.v.x
  real yy = a.v.y * twice.y;
  real yz = a.v.y * twice.z;
  real zz = a.v.z * twice.z;
  vec3 turn = twice * a.s;
  mat3 R;
  R[0] = vec3(real(1.0) - (yy + zz), x.y + turn.z, x.z - turn.y);
  R[1] = vec3(x.y - turn.z, real(1.0) - (x.x + zz), yz + turn.x);
  R[2] = vec3(x.z + turn.y, yz - turn.x, real(1.0) - (x.x + yy));
  return R;
}

DualQuaternion dual_quaternion_zero() {
  DualQuaternion a;
  a.r.s = real(0.0);
  a.r.v = vec3(real(0.0));
  a.d = a.r;
  return a;
}

DualQuaternion dual_quaternion_scaled(DualQuaternion a, real k) {
  a.r = quaternion_scaled(a.r, k);
  a.d = quaternion_scaled(a.d, k);
  return a;
}

// a + b k
DualQuaternion dual_quaternion_plus(DualQuaternion a, DualQuaternion b, real k) {
  a.r = quaternion_plus(a.r, b.r, k);
  a.d = quaternion_plus(a.d, b.d, k);
  return a;
}

// The point p moved by a unit dual quaternion. Negating q changes nothing.
vec3 dual_quaternion_point(DualQuaternion q, vec3 p) {
  vec3 turned = cross(q.r.v, cross(q.r.v, p) + p * q.r.s + q.d.v) + q.d.v * q.r.s - q.r.v * q.d.s;
  return p + turned * real(2.0);
}
