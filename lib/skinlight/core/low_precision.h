// Floating-point numbers of few bits: `Mantissa` significant ones, the leading one counted, and `Exponent` bits of
// exponent, rounded to nearest even after every operation, with gradual underflow.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace skinlight {

template <int Mantissa, int Exponent>
class LowPrecision {
  // Twice the bits and two more: then rounding the double result of an operation gives what rounding the exact
  // one would [Figueroa 1995].
  static_assert(2 * Mantissa + 2 <= 53 && Exponent <= 8);

 public:
  LowPrecision() = default;
  explicit LowPrecision(double value) : v_(rounded(value)) {}

  double value() const { return v_; }

  friend LowPrecision operator+(LowPrecision a, LowPrecision b) { return LowPrecision(a.v_ + b.v_); }
  friend LowPrecision operator-(LowPrecision a, LowPrecision b) { return LowPrecision(a.v_ - b.v_); }
  friend LowPrecision operator-(LowPrecision a) {
    a.v_ = -a.v_;
    return a;
  }
  friend LowPrecision operator*(LowPrecision a, LowPrecision b) { return LowPrecision(a.v_ * b.v_); }
  friend LowPrecision operator/(LowPrecision a, LowPrecision b) { return LowPrecision(a.v_ / b.v_); }
  friend bool operator<(LowPrecision a, LowPrecision b) { return a.v_ < b.v_; }
  friend bool operator>(LowPrecision a, LowPrecision b) { return a.v_ > b.v_; }
  friend LowPrecision sqrt(LowPrecision a) { return LowPrecision(std::sqrt(a.v_)); }
  friend LowPrecision inversesqrt(LowPrecision a) { return LowPrecision(1) / sqrt(a); }
  friend LowPrecision select(bool c, LowPrecision a, LowPrecision b) { return c ? a : b; }

 private:
  static constexpr int kBias = (1 << (Exponent - 1)) - 1;

  static double power_of_two(int e) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
  }
  // To the nearest of `Mantissa` bits, ties to even, as integers: a carry goes on into the exponent. What is then no normal
  // number of few bits goes the long way.
  static double rounded(double x) {
    constexpr int kDropped = 53 - Mantissa;
    constexpr std::uint64_t kOne = 1, kSign = kOne << 63;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t kept =
        (bits + (kOne << (kDropped - 1)) - 1 + ((bits >> kDropped) & 1)) & ~((kOne << kDropped) - 1);
    constexpr auto kSmallest = static_cast<std::uint64_t>(1024 - kBias) << 52,
                   kInfinity = static_cast<std::uint64_t>(1024 + kBias) << 52;
    if ((bits & ~kSign) - kSmallest < kInfinity - kSmallest && (kept & ~kSign) < kInfinity) [[likely]]
      return std::bit_cast<double>(kept);
    return rounded_far(x);
  }
  static double rounded_far(double x) {
    if (!std::isfinite(x) || x == 0) return x;
    const int exponent = static_cast<int>((std::bit_cast<std::uint64_t>(x) >> 52) & 0x7ff) - 1023;
    if (exponent > kBias + 1) return std::copysign(std::numeric_limits<double>::infinity(), x);
    const int unit = (exponent < 1 - kBias ? 1 - kBias : exponent) - (Mantissa - 1);
    // Adding 1.5 2^52 units leaves no room for less than one.
    const double shift = std::copysign(power_of_two(unit + 52) * 1.5, x);
    const double r = (x + shift) - shift;
    return std::abs(r) >= power_of_two(kBias + 1) ? std::copysign(std::numeric_limits<double>::infinity(), x)
                                                  : r;
  }

  double v_ = 0;
};

using Half = LowPrecision<11, 5>;
using BFloat16 = LowPrecision<8, 8>;
using TensorFloat32 = LowPrecision<11, 8>;

}  // namespace skinlight
