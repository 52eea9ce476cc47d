#version 330 core
// Skinning whose results go back to the CPU by transform feedback.
#include "include/skinned_vertex.glsl"

out vec3 posed_p;
out vec3 posed_t;
out vec3 posed_b;
out vec3 posed_n;

void main() {
  PosedVertex v = pose_vertex();
  posed_p = v.p;
  posed_t = v.t;
  posed_b = v.b;
  posed_n = v.n;
  gl_Position = vec4(v.p, 1.0);
}
