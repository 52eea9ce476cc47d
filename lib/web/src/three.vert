#version 330 core
// The kernels that skinlight/three needs; lib/web/kernels.mjs writes them into the package.
#define INFLUENCES 4
#include "include/kernel_prelude.glsl"
#include "kernels/lbs.glsl"
#include "kernels/deform_vectors.glsl"
void main() { gl_Position = vec4(0.0); }
