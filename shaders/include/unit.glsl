// No direction stays none, instead of NaN.
vec3 unit_or_zero(vec3 v) {
  float l2 = dot(v, v);
  return l2 > 0.0 ? v * inversesqrt(l2) : vec3(0.0);
}
