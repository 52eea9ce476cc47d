// Clay in a studio whose lights move with the eye, so that all pictures are lit alike. Linear light, eye space.
// The highlights are tight: a wrong normal moves them visibly.

const vec3 clay = vec3(0.52, 0.47, 0.43);

// One distant light: diffuse and a Blinn-Phong highlight.
vec3 lit_by(vec3 direction, vec3 colour, float highlight, vec3 n, vec3 to_eye) {
  vec3 l = normalize(direction);
  float facing = max(dot(n, l), 0.0);
  float mirrored = max(dot(n, normalize(l + to_eye)), 0.0);
  return colour * (clay * facing + highlight * pow(mirrored, 40.0) * smoothstep(0.0, 0.2, facing));
}

vec3 studio(vec3 n, vec3 to_eye) {
  vec3 sky = vec3(0.30, 0.32, 0.35), ground = vec3(0.16, 0.14, 0.12);
  vec3 light = clay * mix(ground, sky, 0.5 + 0.5 * n.y);
  light += lit_by(vec3(-0.55, 0.70, 0.60), vec3(0.98, 0.93, 0.86), 0.45, n, to_eye);  // key
  light += lit_by(vec3(0.85, 0.10, 0.45), vec3(0.22, 0.25, 0.30), 0.15, n, to_eye);   // fill
  light += lit_by(vec3(0.30, 0.45, -0.80), vec3(0.60, 0.62, 0.65), 0.20, n, to_eye);  // rim
  return light;
}
