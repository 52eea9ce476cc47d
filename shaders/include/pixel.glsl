// What the fragment programs know of a pixel. Define NORMAL_MAP: its normal comes from a tangent-space normal map.
// Normals are never flipped towards the eye: a wrong one stays wrong.
#include "include/unit.glsl"

uniform mat4x3 view;
uniform mat4 projection;
in vec3 eye_position;

#ifdef NORMAL_MAP
#include "include/normal_map.glsl"
vec3 normal_in_mesh_space() { return mapped_normal(); }
vec3 normal_in_eye_space() { return mat3(view) * mapped_normal(); }
#else
in vec3 mesh_normal;
in vec3 eye_normal;
vec3 normal_in_mesh_space() { return unit_or_zero(mesh_normal); }
vec3 normal_in_eye_space() { return unit_or_zero(eye_normal); }
#endif

// Unit vector, eye space.
vec3 towards_eye() {
  bool perspective = projection[3][3] == 0.0;
  return perspective ? normalize(-eye_position) : vec3(0.0, 0.0, 1.0);
}
