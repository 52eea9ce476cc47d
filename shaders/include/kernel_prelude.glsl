// What makes the text of shaders/kernels/ GLSL. lib/skinlight/core/glsl.h gives the same names to C++.

#define real float
#define boolean bool
#ifndef INFLUENCES
#define INFLUENCES 4
#endif

float select(bool c, float a, float b) { return c ? a : b; }
vec3 select(bool c, vec3 a, vec3 b) { return c ? a : b; }

// The linear part of an affine map.
mat3 linear(mat4x3 m) { return mat3(m[0], m[1], m[2]); }

// In the order of the C++ twin, so that both round alike.
vec3 transform_point(mat4x3 m, vec3 p) { return m[3] + m[0] * p.x + m[1] * p.y + m[2] * p.z; }
