// What the operations of float arithmetic would give without rounding: the base of the scalars that round in
// another way than the machine (core/stochastic.h, core/interval.h, core/vulkan_float.h).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace skinlight {

// value + rest, unevaluated: rest is what does not fit into the double `value`. Exact for sums, products and
// fused multiply-adds of floats; for the others the sign of rest is right, which is all that rounding needs.
struct Exact {
  double value, rest;
};

// [Knuth, TAOCP 2, 4.2.2 Theorem B]
inline Exact two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

inline Exact exact_sum(float a, float b) { return two_sum(a, b); }
// 24 + 24 bits fit.
inline Exact exact_product(float a, float b) { return {static_cast<double>(a) * b, 0}; }
inline Exact exact_multiply_add(float a, float b, float c) { return two_sum(static_cast<double>(a) * b, c); }
inline Exact exact_quotient(float a, float b) {
  const double q = static_cast<double>(a) / b;
  return {q, std::fma(-q, static_cast<double>(b), static_cast<double>(a)) / b};
}
inline Exact exact_sqrt(float a) {
  const double r = std::sqrt(static_cast<double>(a));
  return {r, r > 0 ? std::fma(-r, r, static_cast<double>(a)) / (2 * r) : 0};
}
inline Exact exact_inversesqrt(float a) {
  const double x = a, r = 1 / std::sqrt(x), y = x * r;
  // One Newton step from r: r (1 - x r^2) / 2, with the rounding of x r put back.
  return {r, r * (std::fma(-r, y, 1.0) - r * std::fma(x, r, -y)) / 2};
}

// The neighbour of a finite float in the direction of larger or smaller numbers.
inline float next_up(float a) {
  const auto bits = std::bit_cast<std::uint32_t>(a);
  if (a == 0) return std::bit_cast<float>(std::uint32_t{1});
  return std::bit_cast<float>(a > 0 ? bits + 1 : bits - 1);
}
inline float next_down(float a) { return -next_up(-a); }

// The floats on both sides of a number; the same one twice when it is a float, or is not finite.
struct Neighbours {
  float low, high;
};

inline Neighbours neighbours(Exact e) {
  const float f = static_cast<float>(e.value);
  const double rounded = f;
  if (!std::isfinite(e.value) || (rounded == e.value && !(e.rest < 0) && !(e.rest > 0))) return {f, f};
  if (rounded < e.value || (rounded == e.value && e.rest > 0)) return {f, next_up(f)};
  return {next_down(f), f};
}

}  // namespace skinlight
