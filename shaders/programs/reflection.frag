#version 330 core
// Lines of reflection: the surface as a mirror in a room of light and dark stripes around an axis. A tilt of the normal
// turns the reflected ray by twice as much, so that stripes show what shading hides. Linear, w = 1: covered.
#include "include/pixel.glsl"

uniform vec3 stripe_axis;      // unit vector, eye space
uniform float stripe_radians;  // width of a stripe in the angle between the reflected ray and the axis

layout(location = 0) out vec4 result;

// The integral from 0 to x of a wave that is 1 in 0 .. 1, 0 in 1 .. 2 and so on.
float light_up_to(float x) {
  float pairs = floor(0.5 * x);
  return pairs + min(x - 2.0 * pairs, 1.0);
}

void main() {
  vec3 reflected = reflect(-towards_eye(), normal_in_eye_space());
  float x = atan(length(cross(stripe_axis, reflected)), dot(stripe_axis, reflected)) / stripe_radians;
  // The mean over the pixel: edges are smooth however narrow the stripes become. (fwidth() would blur slanted ones.)
  float width = max(length(vec2(dFdx(x), dFdy(x))), 1e-3);
  float light = (light_up_to(x + 0.5 * width) - light_up_to(x - 0.5 * width)) / width;
  result = vec4(mix(vec3(0.015, 0.02, 0.04), vec3(0.95, 0.80, 0.50), light), 1.0);
}
