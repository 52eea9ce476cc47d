// The normal of a pixel under a tangent-space normal map, in mesh space.
#include "include/unit.glsl"

uniform sampler2D normal_map;  // bytes 0 .. 255 stand for -1 .. 1
in vec3 mesh_normal;
in vec3 mesh_tangent;
in vec3 mesh_bitangent;
in vec2 map_uv;

// The map was made for the rest frame, which is orthonormal (glTF, MikkTSpace); skinned frames are sheared and
// interpolated ones are neither. So the frame is made orthonormal again around the normal, which stays as it is: t
// projected to its plane, b = n x t, on the side opposite to the skinned b. That side is the handedness: with mirrored
// uv b lies on the other side of t. Opposite, because maps have +Y upwards in the picture, while v, along which the
// skinned b lies, runs down it (glTF).
vec3 mapped_normal() {
  vec3 n = unit_or_zero(mesh_normal);
  vec3 t = unit_or_zero(mesh_tangent - n * dot(n, mesh_tangent));
  vec3 b = cross(n, t);
  b *= dot(b, mesh_bitangent) < 0.0 ? 1.0 : -1.0;
  vec3 m = 2.0 * texture(normal_map, map_uv).rgb - 1.0;
  return unit_or_zero(t * m.x + b * m.y + n * m.z);
}
