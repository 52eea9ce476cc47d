// From a posed vertex to the picture and to what the fragment programs need.

uniform mat4x3 view;       // mesh space to eye space: x right, y up, z towards the eye
uniform mat4 projection;

out vec3 mesh_normal;
out vec3 eye_normal;
out vec3 eye_position;
#ifdef NORMAL_MAP
out vec3 mesh_tangent;
out vec3 mesh_bitangent;
#endif
#if defined(NORMAL_MAP) || defined(BASE_COLOUR)
out vec2 map_uv;
#endif

void show(vec3 p, vec3 t, vec3 b, vec3 n, vec2 uv) {
#ifdef NORMAL_MAP
  mesh_tangent = t;
  mesh_bitangent = b;
#endif
#if defined(NORMAL_MAP) || defined(BASE_COLOUR)
  map_uv = uv;
#endif
  mesh_normal = n;
  eye_normal = mat3(view) * n;
  eye_position = view * vec4(p, 1.0);
  gl_Position = projection * vec4(eye_position, 1.0);
}
