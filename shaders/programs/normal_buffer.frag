#version 330 core
// The normal in mesh space, w = 1: covered.
#include "include/pixel.glsl"

layout(location = 0) out vec4 result;

void main() { result = vec4(normal_in_mesh_space(), 1.0); }
