#version 330 core
// Studio light on clay with a normal map; linear, w = 1: covered.
#include "include/normal_map.glsl"
#include "include/studio.glsl"

uniform mat4x3 view;
uniform mat4 projection;
in vec3 eye_position;
layout(location = 0) out vec4 result;

void main() {
  bool perspective = projection[3][3] == 0.0;
  vec3 to_eye = perspective ? normalize(-eye_position) : vec3(0.0, 0.0, 1.0);
  result = vec4(studio(mat3(view) * mapped_normal(), to_eye), 1.0);
}
