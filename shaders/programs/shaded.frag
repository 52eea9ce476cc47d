#version 330 core
// Studio light on clay; linear, w = 1: covered.
#include "include/studio.glsl"

uniform mat4 projection;
in vec3 eye_normal;
in vec3 eye_position;
layout(location = 0) out vec4 result;

void main() {
  bool perspective = projection[3][3] == 0.0;
  vec3 to_eye = perspective ? normalize(-eye_position) : vec3(0.0, 0.0, 1.0);
  float l2 = dot(eye_normal, eye_normal);
  vec3 n = l2 > 0.0 ? eye_normal * inversesqrt(l2) : vec3(0.0);
  result = vec4(studio(n, to_eye), 1.0);
}
