#version 330 core
#define INFLUENCES 4
#include "include/kernel_prelude.glsl"
#include "kernels/affine.glsl"
#include "kernels/vertex.glsl"
#include "kernels/guards.glsl"
#include "kernels/lbs.glsl"
#include "kernels/deform_vectors.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;       // w: handedness, as in glTF
layout(location = 3) in uvec4 joints;
layout(location = 4) in vec4 weights;       // the largest first
layout(location = 5) in vec4 tau_t[3];      // _DEFORM_TAU_T_1 .. _DEFORM_TAU_T_3
layout(location = 8) in vec4 tau_b[3];      // _DEFORM_TAU_B_1 .. _DEFORM_TAU_B_3

uniform mat4x3 bones[48];  // rest to pose: posed world matrix times inverse bind matrix
uniform mat4 view_projection;
uniform float mirror;      // 1, or -1 when the bones mirror (negative determinants)

out vec3 world_normal;
out vec4 world_tangent;

void main() {
  Influences x;
  DeformVectors f;
  for (int s = 0; s < INFLUENCES; ++s) {
    x.M[s] = bones[joints[s]];
    x.w[s] = weights[s];
  }
  for (int s = 1; s < INFLUENCES; ++s) {
    f.t[s] = tau_t[s - 1].xyz;
    f.alpha[s] = tau_t[s - 1].w;
    f.b[s] = tau_b[s - 1].xyz;
    f.beta[s] = tau_b[s - 1].w;
  }
  RestVertex rest;
  rest.p = position;
  rest.n = normalize(normal);
  rest.t = normalize(tangent.xyz - rest.n * dot(rest.n, tangent.xyz));
  rest.b = cross(rest.n, rest.t) * tangent.w;
  PosedVertex v = finish(lbs_deform_vectors(x, f, rest), rest, mirror * tangent.w);
  world_normal = v.n;
  world_tangent = vec4(v.t, mirror * tangent.w);
  gl_Position = view_projection * vec4(v.p, 1.0);
}
