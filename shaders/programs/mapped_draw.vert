#version 330 core
// A mesh that is already posed, with its tangent frames and the uv of a normal map.
#include "include/view.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tangent;
layout(location = 3) in vec3 bitangent;
layout(location = 4) in vec2 uv;

out vec3 mesh_tangent;
out vec3 mesh_bitangent;
out vec2 map_uv;

void main() {
  mesh_tangent = tangent;
  mesh_bitangent = bitangent;
  map_uv = uv;
  show(position, normal);
}
