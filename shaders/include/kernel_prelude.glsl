// What makes the text of shaders/kernels/ GLSL. lib/skinlight/core/glsl.h gives the same names to C++.

#define real float
#define boolean bool
#define ratio(n, d) (float(n) / float(d))
#ifndef INFLUENCES
#define INFLUENCES 4
#endif
#define FRAMES 2  // of DeformFrames

float select(bool c, float a, float b) { return c ? a : b; }
vec3 select(bool c, vec3 a, vec3 b) { return c ? a : b; }

// Of vectors that have a direction.
float shortest_square() { return 1e-30; }
float longest_square() { return 1e38; }
