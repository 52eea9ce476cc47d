// Clay in a studio whose lights move with the eye, so that all pictures are lit alike. Linear light, eye space.
// Diffuse light has no edge where a light sets, which could be taken for a wrong normal; highlights show the wrong ones.

const vec3 clay = vec3(0.50, 0.45, 0.41);

// One distant light: diffuse, wrapped around to where it sets smoothly, and a Blinn-Phong highlight.
vec3 lit_by(vec3 direction, vec3 colour, float highlight, vec3 surface, vec3 n, vec3 to_eye) {
  vec3 l = normalize(direction);
  float wrapped = 0.5 + 0.5 * dot(n, l);
  float mirrored = max(dot(n, normalize(l + to_eye)), 0.0);
  return colour * (surface * wrapped * wrapped + highlight * pow(mirrored, 30.0));
}

// surface: its base colour, linear.
vec3 studio(vec3 surface, vec3 n, vec3 to_eye) {
  vec3 sky = vec3(0.14, 0.15, 0.17), ground = vec3(0.05, 0.045, 0.04);
  vec3 light = surface * mix(ground, sky, 0.5 + 0.5 * n.y);
  light += lit_by(vec3(-0.60, 0.45, 0.65), vec3(1.00, 0.95, 0.88), 0.40, surface, n, to_eye);  // key
  light += lit_by(vec3(0.90, 0.05, 0.35), vec3(0.12, 0.15, 0.20), 0.30, surface, n, to_eye);   // fill
  light += lit_by(vec3(0.25, 0.50, -0.80), vec3(0.30, 0.31, 0.33), 0.30, surface, n, to_eye);  // rim
  return light;
}
