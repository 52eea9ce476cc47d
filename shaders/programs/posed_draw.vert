#version 330 core
// A mesh that is already posed.
#include "include/view.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

void main() { show(position, normal); }
