#version 330 core
// The normal under a normal map in mesh space, w = 1: covered. Not flipped on back faces: a wrong normal stays wrong.
#include "include/normal_map.glsl"

layout(location = 0) out vec4 result;

void main() { result = vec4(mapped_normal(), 1.0); }
