// The base colour of a pixel, linear: that of its face, times a picture where the face is textured.

uniform samplerBuffer face_colours;  // per face a texel: its colour; w: 1 where it is textured, else 0
uniform sampler2D base_picture;
#ifndef NORMAL_MAP
in vec2 map_uv;
#endif

vec3 base_colour() {
  vec4 face = texelFetch(face_colours, gl_PrimitiveID);
  return face.rgb * mix(vec3(1.0), texture(base_picture, map_uv).rgb, face.w);
}
