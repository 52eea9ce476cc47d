// Affine maps and 3x3 matrices: the few operations that the skinning kernels share.
//
// Kernel files are GLSL 3.30 and C++ at once. GLSL sees `real` as float; C++ includes the same text inside
// template <class real> struct Kernels, over float, double, Dual, Counted, Pack and others. Hence: no swizzles, no out
// parameters, no branches on values (select() instead), structs filled member by member. Constants that are no sums of
// few powers of two are ratio(n, d) of integers, exact in every scalar.

// M p for a point: fused multiply-adds only.
vec3 affine_point(mat4x3 M, vec3 p) { return M[3] + M[0] * p.x + M[1] * p.y + M[2] * p.z; }

// M p - M0 p for a point p whose image under the linear part of M0 is turned0. Translations are differenced before
// anything rounds them together with what is turned: however far away the bones are, no digit of the difference is lost.
vec3 moved_apart(mat4x3 M, mat4x3 M0, vec3 p, vec3 turned0) {
  return (M[3] - M0[3]) + M[0] * p.x + M[1] * p.y + M[2] * p.z - turned0;
}

// M v for a direction: the translation does not act.
vec3 affine_vector(mat4x3 M, vec3 v) { return M[0] * v.x + M[1] * v.y + M[2] * v.z; }

// Cofactor matrix, det(A) A^-T: what normals transform by [MMG06 Eq. 3].
mat3 cofactors(mat3 A) {
  mat3 C;
  C[0] = cross(A[1], A[2]);
  C[1] = cross(A[2], A[0]);
  C[2] = cross(A[0], A[1]);
  return C;
}

// A^-T. A must be regular.
mat3 inverse_transpose(mat3 A) {
  mat3 C = cofactors(A);
  return C * (real(1.0) / dot(A[0], C[0]));
}
