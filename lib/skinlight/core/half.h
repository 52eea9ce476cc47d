// IEEE 754 half precision (binary16), which vertex formats use to save memory: 1 sign, 5 exponent and 10
// fraction bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace skinlight {

// The nearest half, ties to even; beyond 65519.99... infinity; NaN stays NaN.
inline std::uint16_t half_from(double x) {
  const unsigned sign = std::signbit(x) ? 0x8000u : 0u;
  const double size = std::abs(x);
  if (std::isnan(x)) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (size >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00u);
  // Halves near x are multiples of 2^(e - 10). Counted from 2^e on, they are the numbers that the fraction
  // bits hold, and a carry moves into the exponent; below 2^-14 they are the subnormal ones.
  const int e = size > 0 ? std::max(std::ilogb(size), -14) : -14;
  const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(size, 10 - e)));
  return static_cast<std::uint16_t>(sign | (static_cast<unsigned>(e + 14) * 1024u + steps));
}

// Exact.
inline double double_from_half(std::uint16_t half) {
  const int exponent = (half >> 10) & 31, fraction = half & 1023;
  double size = std::ldexp(fraction, -24);
  if (exponent == 31)
    size = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent > 0)
    size = std::ldexp(1024 + fraction, exponent - 25);
  return half & 0x8000 ? -size : size;
}

// x as a half would keep it.
inline double rounded_to_half(double x) { return double_from_half(half_from(x)); }

}  // namespace skinlight
