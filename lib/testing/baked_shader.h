// The vertex shader of an engine that draws baked files: for tests. What it knows of them is asset/bake.h.
#pragma once

namespace skinlight::test_baked {

// INFLUENCES: 4 or 8. TEXCOORD: of that layout, set n of the record as FACTORS_n. SMOOTHED, VECTORS: of these
// records. HALF_BITS: of f16; what turns the value read into the bits of a half.
inline constexpr char kShader[] = R"(#version 330 core
#include "include/kernel_prelude.glsl"
#include "kernels/affine.glsl"
#include "kernels/vertex.glsl"
#include "kernels/guards.glsl"
#include "kernels/lbs.glsl"
#include "kernels/deform_vectors.glsl"

in vec3 POSITION;
in vec3 NORMAL;
in vec4 TANGENT;
in vec4 JOINTS_0, JOINTS_1, WEIGHTS_0, WEIGHTS_1;
in vec4 _DEFORM_ALPHA_0, _DEFORM_ALPHA_1, _DEFORM_BETA_0, _DEFORM_BETA_1;
in vec4 _DEFORM_SMOOTH_0, _DEFORM_SMOOTH_1;
in vec2 FACTORS_1, FACTORS_2, FACTORS_3, FACTORS_4, FACTORS_5, FACTORS_6, FACTORS_7;
uniform mat4x3 joint[64];
uniform float scale, pure_scale, offset, orientation;
out vec3 posed_n;

float half_value(float bits) {
  float sign = bits >= 32768.0 ? -1.0 : 1.0;
  float rest = mod(bits, 32768.0);
  float exponent = floor(rest / 1024.0);
  float fraction = mod(rest, 1024.0);
  return sign * (exponent > 0.0 ? (1024.0 + fraction) * exp2(exponent - 25.0) : fraction * exp2(-24.0));
}

float stored(float value) {
#ifdef HALF_BITS
  value = half_value(floor(value * HALF_BITS + 0.5));
#endif
  return value - offset;
}
float factor(float value) { return scale * stored(value); }
float pure(float value) { return pure_scale * stored(value); }
vec3 pure(vec4 value) { return vec3(pure(value.x), pure(value.y), pure(value.z)); }

#ifdef VECTORS
#if INFLUENCES > 4
// More than a vertex has attributes: the accessors as they are, one after another, in a buffer.
uniform samplerBuffer vectors;
uniform int vertices;
vec4 tau_t(int s) { return texelFetch(vectors, (2 * s - 2) * vertices + gl_VertexID); }
vec4 tau_b(int s) { return texelFetch(vectors, (2 * s - 1) * vertices + gl_VertexID); }
#else
in vec4 _DEFORM_TAU_T_1, _DEFORM_TAU_T_2, _DEFORM_TAU_T_3;
in vec4 _DEFORM_TAU_B_1, _DEFORM_TAU_B_2, _DEFORM_TAU_B_3;
vec4 tau_t(int s) { return s == 1 ? _DEFORM_TAU_T_1 : s == 2 ? _DEFORM_TAU_T_2 : _DEFORM_TAU_T_3; }
vec4 tau_b(int s) { return s == 1 ? _DEFORM_TAU_B_1 : s == 2 ? _DEFORM_TAU_B_2 : _DEFORM_TAU_B_3; }
#endif
#endif

void main() {
  RestVertex rest;
  rest.p = POSITION;
  rest.n = normalize(NORMAL);
  rest.t = normalize(TANGENT.xyz - rest.n * dot(rest.n, TANGENT.xyz));
  rest.b = cross(rest.n, rest.t) * TANGENT.w;
  vec4 joints[2], weights[2];
  joints[0] = JOINTS_0;
  weights[0] = WEIGHTS_0;
#if INFLUENCES > 4
  joints[1] = JOINTS_1;
  weights[1] = WEIGHTS_1;
#endif
  Influences x;
  for (int s = 0; s < INFLUENCES; ++s) {
    x.M[s] = joint[int(joints[s / 4][s % 4])];
    x.w[s] = weights[s / 4][s % 4];
  }
#ifdef VECTORS
  DeformVectors f;
  for (int s = 1; s < INFLUENCES; ++s) {
    f.t[s] = pure(tau_t(s));
    f.b[s] = pure(tau_b(s));
    f.alpha[s] = factor(tau_t(s).w);
    f.beta[s] = factor(tau_b(s).w);
  }
  PosedVertex v = lbs_deform_vectors(x, f, rest);
#else
  vec4 alpha[2], beta[2], mean[2];
  mean[0] = mean[1] = vec4(0.0);
#ifdef TEXCOORD
  alpha[0] = vec4(0.0, FACTORS_1.x, FACTORS_2.x, FACTORS_3.x);
  beta[0] = vec4(0.0, FACTORS_1.y, FACTORS_2.y, FACTORS_3.y);
#if INFLUENCES > 4
  alpha[1] = vec4(FACTORS_4.x, FACTORS_5.x, FACTORS_6.x, FACTORS_7.x);
  beta[1] = vec4(FACTORS_4.y, FACTORS_5.y, FACTORS_6.y, FACTORS_7.y);
#endif
#ifdef SMOOTHED
  mean[0] = vec4(0.0, FACTORS_4, FACTORS_5.x);
#endif
#else
  alpha[0] = _DEFORM_ALPHA_0;
  beta[0] = _DEFORM_BETA_0;
#ifdef SMOOTHED
  mean[0] = _DEFORM_SMOOTH_0;
#endif
#if INFLUENCES > 4
  alpha[1] = _DEFORM_ALPHA_1;
  beta[1] = _DEFORM_BETA_1;
#ifdef SMOOTHED
  mean[1] = _DEFORM_SMOOTH_1;
#endif
#endif
#endif
  DeformFactors f;
  SmoothWeights smooth_weights;
  for (int s = 0; s < INFLUENCES; ++s) {
    f.alpha[s] = factor(alpha[s / 4][s % 4]);
    f.beta[s] = factor(beta[s / 4][s % 4]);
    smooth_weights.w[s] = pure(mean[s / 4][s % 4]);
  }
#ifdef SMOOTHED
  PosedVertex v = lbs_smoothed(x, f, smooth_weights, rest);
#else
  PosedVertex v = lbs_deform(x, f, rest);
#endif
#endif
  v = finish(v, rest, TANGENT.w * orientation);
  posed_n = v.n;
  gl_Position = vec4(v.p, 1.0);
}
)";

}  // namespace skinlight::test_baked
