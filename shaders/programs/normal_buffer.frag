#version 330 core
// The interpolated normal in mesh space, w = 1: covered. Not flipped on back faces: a wrong normal stays wrong.

in vec3 mesh_normal;
layout(location = 0) out vec4 result;

void main() {
  float l2 = dot(mesh_normal, mesh_normal);
  result = vec4(l2 > 0.0 ? mesh_normal * inversesqrt(l2) : vec3(0.0), 1.0);
}
