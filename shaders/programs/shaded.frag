#version 330 core
// Studio light on clay, or on what colours the surface has (BASE_COLOUR); linear, w = 1: covered.
#include "include/pixel.glsl"
#include "include/studio.glsl"
#ifdef BASE_COLOUR
#include "include/base_colour.glsl"
#else
vec3 base_colour() { return clay; }
#endif

layout(location = 0) out vec4 result;

void main() { result = vec4(studio(base_colour(), normal_in_eye_space(), towards_eye()), 1.0); }
