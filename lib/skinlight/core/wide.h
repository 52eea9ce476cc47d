// Numbers wide enough to be the truth for float and double: 113 significant bits (IEEE 754 binary128) and,
// several times faster, pairs of doubles (106 bits).
#pragma once

#include <cmath>
#include <limits>

#include "skinlight/core/exact.h"

namespace skinlight {

#if __LDBL_MANT_DIG__ == 113
using Binary128 = long double;
#else
__extension__ typedef __float128 Binary128;
#endif

// 113 bits, the exponents of double. sqrt within 1 unit in the last place.
class Wide {
 public:
  static constexpr int kBits = 113;
  Wide() = default;
  explicit constexpr Wide(double value) : v_(value) {}
  static constexpr Wide ratio(int n, int d) { return Wide(n) / Wide(d); }

  constexpr explicit operator double() const { return static_cast<double>(v_); }

  friend constexpr Wide operator+(Wide a, Wide b) { return Wide(Raw{a.v_ + b.v_}); }
  friend constexpr Wide operator-(Wide a, Wide b) { return Wide(Raw{a.v_ - b.v_}); }
  friend constexpr Wide operator-(Wide a) { return Wide(Raw{-a.v_}); }
  friend constexpr Wide operator*(Wide a, Wide b) { return Wide(Raw{a.v_ * b.v_}); }
  friend constexpr Wide operator/(Wide a, Wide b) { return Wide(Raw{a.v_ / b.v_}); }
  friend constexpr bool operator<(Wide a, Wide b) { return a.v_ < b.v_; }
  friend constexpr bool operator>(Wide a, Wide b) { return a.v_ > b.v_; }
  // From 53 bits, two steps of Newton.
  friend Wide sqrt(Wide a) {
    Wide r(std::sqrt(static_cast<double>(a)));
    if (!(r.v_ > 0) || !std::isfinite(static_cast<double>(r))) return r;
    for (int i = 0; i < 2; ++i) r = (r + a / r) * Wide(.5);
    return r;
  }
  friend Wide inversesqrt(Wide a) { return Wide(1) / sqrt(a); }
  friend constexpr Wide select(bool c, Wide a, Wide b) { return c ? a : b; }

 private:
  struct Raw {
    Binary128 v;
  };
  explicit constexpr Wide(Raw raw) : v_(raw.v) {}
  Binary128 v_;
};

// An unevaluated sum of two doubles: 106 bits, relative errors of an operation below 2^-102 [Joldes, Muller, Popescu
// 2017: Tight and rigorous error bounds for basic building blocks of double-word arithmetic]. Tag: see core/pack.h.
template <class Tag>
class PairOfDoubles {
  using Pair = PairOfDoubles;

 public:
  static constexpr int kBits = 106;
  PairOfDoubles() = default;
  explicit constexpr PairOfDoubles(double value) : high_(value), low_(0) {}
  static Pair ratio(int n, int d) { return Pair(n) / Pair(d); }

  explicit constexpr operator double() const { return high_; }

  friend Pair operator+(Pair a, Pair b) {  // AccurateDWPlusDW
    Exact s = two_sum(a.high_, b.high_);
    const Exact t = two_sum(a.low_, b.low_);
    const Pair v = fast_sum(s.value, s.rest + t.value);
    return fast_sum(v.high_, v.low_ + t.rest);
  }
  friend Pair operator-(Pair a, Pair b) { return a + -b; }
  friend Pair operator-(Pair a) {
    a.high_ = -a.high_;
    a.low_ = -a.low_;
    return a;
  }
  friend Pair operator*(Pair a, Pair b) {  // DWTimesDW3
    const double p = a.high_ * b.high_, rest = std::fma(a.high_, b.high_, -p);
    return fast_sum(p, rest + std::fma(a.high_, b.low_, a.low_ * b.high_ + a.low_ * b.low_));
  }
  friend Pair operator/(Pair a, Pair b) {  // three quotient digits
    const double q1 = a.high_ / b.high_;
    Pair rest = a - b * Pair(q1);
    const double q2 = rest.high_ / b.high_;
    rest = rest - b * Pair(q2);
    return fast_sum(q1, q2) + Pair(rest.high_ / b.high_);
  }
  friend bool operator<(Pair a, Pair b) {
    return a.high_ < b.high_ || (a.high_ == b.high_ && a.low_ < b.low_);
  }
  friend bool operator>(Pair a, Pair b) { return b < a; }
  friend Pair sqrt(Pair a) {  // SQRTDWtoDW
    if (!(a.high_ > 0)) return Pair(std::sqrt(a.high_));
    const double r = std::sqrt(a.high_);
    return fast_sum(r, (std::fma(-r, r, a.high_) + a.low_) / (2 * r));
  }
  friend Pair inversesqrt(Pair a) { return Pair(1) / sqrt(a); }
  friend Pair select(bool c, Pair a, Pair b) { return c ? a : b; }

 private:
  // For |a| >= |b|.
  static Pair fast_sum(double a, double b) {
    Pair r;
    r.high_ = a + b;
    r.low_ = b - (r.high_ - a);
    return r;
  }
  double high_, low_;
};

using DoubleDouble = PairOfDoubles<void>;

}  // namespace skinlight
