#version 330 core
// Studio light on clay; linear, w = 1: covered.
#include "include/pixel.glsl"
#include "include/studio.glsl"

layout(location = 0) out vec4 result;

void main() { result = vec4(studio(normal_in_eye_space(), towards_eye()), 1.0); }
