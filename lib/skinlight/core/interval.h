// Interval arithmetic in float, rounded outwards: what a kernel gives lies inside, whatever rounding, fused or
// not, a machine chooses, and so does what it would give without rounding [Moore 1966].
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "skinlight/core/exact.h"

namespace skinlight {

// What is known of a comparison of intervals: that it can hold, and that it can fail.
struct Maybe {
  bool can_hold, can_fail;
  friend Maybe operator&&(Maybe a, Maybe b) { return {a.can_hold && b.can_hold, a.can_fail || b.can_fail}; }
  friend Maybe operator||(Maybe a, Maybe b) { return {a.can_hold || b.can_hold, a.can_fail && b.can_fail}; }
};

class Interval {
 public:
  Interval() = default;
  // The number, or the floats on both sides of it.
  explicit Interval(double value) : Interval(Exact{value, 0}) {}
  Interval(float low, float high) : low_(low), high_(high), same_(++last_) {}
  static Interval ratio(int n, int d) {
    return Interval(exact_quotient(static_cast<float>(n), static_cast<float>(d)));
  }

  float low() const { return low_; }
  float high() const { return high_; }
  bool finite() const { return std::isfinite(low_) && std::isfinite(high_); }

  friend Interval operator+(const Interval& a, const Interval& b) {
    return outward(exact_sum(a.low_, b.low_), exact_sum(a.high_, b.high_));
  }
  friend Interval operator-(const Interval& a, const Interval& b) {
    return outward(exact_sum(a.low_, -b.high_), exact_sum(a.high_, -b.low_));
  }
  friend Interval operator-(const Interval& a) { return {-a.high_, -a.low_}; }
  friend Interval operator*(const Interval& a, const Interval& b) {
    if (!a.finite() || !b.finite()) return whole();
    const double x = product(a.low_, b.low_), y = product(a.low_, b.high_), z = product(a.high_, b.low_),
                 w = product(a.high_, b.high_);
    const double high = std::max(std::max(x, y), std::max(z, w));
    // A number times itself has no negative values, which a product of two numbers in the same interval can have.
    if (a.same_ == b.same_) return outward({a.low_ <= 0 && a.high_ >= 0 ? 0 : std::min(x, w), 0}, {high, 0});
    return outward({std::min(std::min(x, y), std::min(z, w)), 0}, {high, 0});
  }
  friend Interval operator/(const Interval& a, const Interval& b) {
    if (!a.finite() || !b.finite() || (b.low_ <= 0 && b.high_ >= 0)) return whole();
    // The extremes are at the ends; of equal doubles the rest decides.
    Exact low = exact_quotient(a.low_, b.low_), high = low;
    for (const Exact e : {exact_quotient(a.low_, b.high_), exact_quotient(a.high_, b.low_),
                          exact_quotient(a.high_, b.high_)}) {
      if (less(e, low)) low = e;
      if (less(high, e)) high = e;
    }
    return outward(low, high);
  }
  friend Interval sqrt(const Interval& a) {
    return outward(exact_sqrt(std::max(a.low_, 0.0f)), exact_sqrt(std::max(a.high_, 0.0f)));
  }
  friend Interval inversesqrt(const Interval& a) {
    if (!(a.high_ > 0)) return whole();
    const float low = neighbours(exact_inversesqrt(a.high_)).low;
    return {low,
            a.low_ > 0 ? neighbours(exact_inversesqrt(a.low_)).high : std::numeric_limits<float>::infinity()};
  }
  friend Maybe operator<(const Interval& a, const Interval& b) {
    return {!(a.low_ >= b.high_), !(a.high_ < b.low_)};
  }
  friend Maybe operator>(const Interval& a, const Interval& b) { return b < a; }
  // Undecided: what either branch gives.
  friend Interval select(Maybe c, const Interval& a, const Interval& b) {
    if (!c.can_fail) return a;
    if (!c.can_hold) return b;
    return {std::min(a.low_, b.low_), std::max(a.high_, b.high_)};
  }

 private:
  explicit Interval(Exact e) : Interval(neighbours(e).low, neighbours(e).high) {}
  static Interval whole() {
    return {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
  }
  static double product(float a, float b) { return static_cast<double>(a) * b; }
  static bool less(Exact a, Exact b) { return a.value < b.value || (a.value == b.value && a.rest < b.rest); }
  static Interval outward(Exact low, Exact high) {
    const float l = neighbours(low).low, h = neighbours(high).high;
    return std::isnan(l) || std::isnan(h) ? whole() : Interval(l, h);
  }

  float low_ = 0, high_ = 0;
  std::uint64_t same_ = 0;  // copies have the number of what they were copied from
  static constinit thread_local std::uint64_t last_;
};

inline constinit thread_local std::uint64_t Interval::last_ = 0;

}  // namespace skinlight
