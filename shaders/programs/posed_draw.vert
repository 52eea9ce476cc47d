#version 330 core
// A mesh that is already posed.
#include "include/view.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tangent;
layout(location = 3) in vec3 bitangent;
layout(location = 4) in vec2 uv;

void main() { show(position, tangent, bitangent, normal, uv); }
