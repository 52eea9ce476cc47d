// Interval arithmetic in float, rounded outwards: what a kernel gives lies inside, whatever rounding, fused or
// not, a machine chooses, and so does what it would give without rounding [Moore 1966]. VulkanInterval also has room for
// what the Vulkan and GLSL specifications allow besides (core/vulkan_float.h): division within 2.5 units in the last place,
// inversesqrt within 2, sqrt as 1 / inversesqrt, and numbers below the smallest normal one taken for 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "skinlight/core/error_tape.h"
#include "skinlight/core/exact.h"

namespace skinlight {

// What is known of a comparison of intervals: that it can hold, and that it can fail.
struct Maybe {
  bool can_hold, can_fail;
  friend Maybe operator&&(Maybe a, Maybe b) { return {a.can_hold && b.can_hold, a.can_fail || b.can_fail}; }
  friend Maybe operator||(Maybe a, Maybe b) { return {a.can_hold || b.can_hold, a.can_fail && b.can_fail}; }
};

template <bool kOfVulkan>
class BasicInterval {
  using Interval = BasicInterval;

 public:
  BasicInterval() = default;
  // The number, or the floats on both sides of it.
  explicit BasicInterval(double value) : BasicInterval(Exact{value, 0}) {}
  BasicInterval(float low, float high) : low_(low), high_(high), same_(++last_) {
    if constexpr (kOfVulkan) {
      constexpr float kSmallest = std::numeric_limits<float>::min();
      if (low_ > 0 && low_ < kSmallest) low_ = 0;
      if (high_ < 0 && high_ > -kSmallest) high_ = 0;
    } else if (ErrorTape* tape = ErrorTape::recording()) {
      tape->add({low_, high_});
    }
  }
  static Interval ratio(int n, int d) {
    return Interval(static_cast<double>(n)) / Interval(static_cast<double>(d));
  }

  float low() const { return low_; }
  float high() const { return high_; }
  bool finite() const { return std::isfinite(low_) && std::isfinite(high_); }

  // From here on this thread's intervals are written down, which are made of those that there are.
  static ErrorTape recorded() requires(!kOfVulkan) { return ErrorTape(last_); }
  // The same number, within what the tape knows of it as well.
  Interval narrowed(ErrorTape& tape) const requires(!kOfVulkan) {
    const auto [low, high] = tape.bounds(same_);
    return {std::max(low_, neighbours({low, 0}).low), std::min(high_, neighbours({high, 0}).high)};
  }

  friend Interval operator+(const Interval& a, const Interval& b) {
    return outward(exact_sum(a.low_, b.low_), exact_sum(a.high_, b.high_))
        .made_by(std::plus<>(), a, {1, 1}, b, {1, 1});
  }
  friend Interval operator-(const Interval& a, const Interval& b) {
    return outward(exact_sum(a.low_, -b.high_), exact_sum(a.high_, -b.low_))
        .made_by(std::minus<>(), a, {1, 1}, b, {-1, -1});
  }
  friend Interval operator-(const Interval& a) {
    return Interval(-a.high_, -a.low_).made_by(std::negate<>(), a, {-1, -1}, 0.0);
  }
  friend Interval operator*(const Interval& a, const Interval& b) {
    if (!a.finite() || !b.finite()) return whole();
    const double x = product(a.low_, b.low_), y = product(a.low_, b.high_), z = product(a.high_, b.low_),
                 w = product(a.high_, b.high_);
    const double high = std::max(std::max(x, y), std::max(z, w));
    // A number times itself has no negative values, which a product of two numbers in the same interval can have.
    if (a.same_ == b.same_)
      return outward({a.low_ <= 0 && a.high_ >= 0 ? 0 : std::min(x, w), 0}, {high, 0})
          .made_by([](double c) { return c * c; }, a, {2.0 * a.low_, 2.0 * a.high_});
    return outward({std::min(std::min(x, y), std::min(z, w)), 0}, {high, 0})
        .made_by(std::multiplies<>(), a, {b.low_, b.high_}, b, {a.low_, a.high_});
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
    const Interval r = outward(off(low, -kDivision), off(high, kDivision));
    // 1 / b and -r / b: b has one sign.
    const double x = 1 / static_cast<double>(b.low_), y = 1 / static_cast<double>(b.high_);
    const auto ends = {-r.low_ * x, -r.low_ * y, -r.high_ * x, -r.high_ * y};
    return r.made_by(std::divides<>(), a, wider(y, x), b, wider(std::min(ends), std::max(ends)));
  }
  friend Interval sqrt(const Interval& a) {
    if constexpr (kOfVulkan) {
      const auto of = [](float x) {
        return x > 0 ? Interval(1.0) / inversesqrt(Interval(x, x)) : Interval(0.0f, 0.0f);
      };
      return {of(a.low_).low_, of(a.high_).high_};
    }
    const Interval r = outward(exact_sqrt(std::max(a.low_, 0.0f)), exact_sqrt(std::max(a.high_, 0.0f)));
    return r.made_by([](double c) { return std::sqrt(c); }, a, wider(.5 / r.high_, .5 / r.low_));
  }
  friend Interval inversesqrt(const Interval& a) {
    if (!(a.high_ > 0)) return whole();
    const float low = neighbours(off(exact_inversesqrt(a.high_), -kInverseRoot)).low;
    const Interval r(low, a.low_ > 0 ? neighbours(off(exact_inversesqrt(a.low_), kInverseRoot)).high
                                     : std::numeric_limits<float>::infinity());
    const auto slope = [](double y) { return -.5 * y * y * y; };
    return r.made_by([](double c) { return 1 / std::sqrt(c); }, a, wider(slope(r.high_), slope(r.low_)));
  }
  friend Maybe operator<(const Interval& a, const Interval& b) {
    return {!(a.low_ >= b.high_), !(a.high_ < b.low_)};
  }
  friend Maybe operator>(const Interval& a, const Interval& b) { return b < a; }
  // Undecided: what either branch gives.
  friend Interval select(Maybe c, const Interval& a, const Interval& b) {
    if (!c.can_fail) return a;
    if (!c.can_hold) return b;
    // a + s (b - a), where s is between 0 and 1: half of b - a on either side of the mean.
    const double apart = std::max(std::fabs(static_cast<double>(b.high_) - a.low_),
                                  std::fabs(static_cast<double>(a.high_) - b.low_));
    return Interval(std::min(a.low_, b.low_), std::max(a.high_, b.high_))
        .made_by([](double x, double y) { return (x + y) / 2; }, a, {0, 1}, b, {0, 1}, apart / 2);
  }

 private:
  using Range = ErrorTape::Range;
  // Of derivatives, which doubles round by 2^-52 at most.
  static Range wider(double low, double high) {
    return {low - 0x1p-50 * std::fabs(low), high + 0x1p-50 * std::fabs(high)};
  }

  // Writes down how this, the last interval, came about: `of` without rounding, and its derivatives by the operands.
  // error: how far from that it can be, where not by rounding once.
  template <class Of>
  const Interval& made_by(Of of, const Interval& a, Range by_a, std::optional<double> error = {}) const {
    return made_by([&](double c, double) { return of(c); }, a, by_a, a, {0, 0}, error);
  }
  template <class Of>
  const Interval& made_by(Of of, const Interval& a, Range by_a, const Interval& b, Range by_b,
                          std::optional<double> error = {}) const {
    if constexpr (!kOfVulkan) {
      ErrorTape* tape = ErrorTape::recording();
      // Curved so much that operands explain less than the result itself, as is a root next to zero.
      const bool curved = by_a.size() * a.width() + by_b.size() * b.width() > 2 * width();
      if (tape && !curved)
        tape->explain_last(of(a.centre(*tape), b.centre(*tape)),
                           error.value_or(rounding()) + by_a.size() * a.unexplained(*tape) +
                               by_b.size() * b.unexplained(*tape),
                           {a.same_, by_a}, {b.same_, by_b});
    }
    return *this;
  }
  // The most that rounding adds, in any direction: the space between floats of its size.
  double rounding() const {
    const float size = std::max(std::fabs(low_), std::fabs(high_));
    return low_ < high_ ? static_cast<double>(next_up(size)) - size : 0;
  }
  // Of what was there before the tape: within its bounds, wherever that is.
  double centre(const ErrorTape& tape) const {
    return tape.has(same_) ? tape.centre(same_) : (static_cast<double>(low_) + high_) / 2;
  }
  double unexplained(const ErrorTape& tape) const { return tape.has(same_) ? 0 : width() / 2; }
  double width() const { return static_cast<double>(high_) - low_; }

  // Units in the last place beside the exact result, before what rounding outwards leaves.
  static constexpr double kDivision = kOfVulkan ? 2.5 : 0, kInverseRoot = kOfVulkan ? 2 : 0;
  static Exact off(Exact e, double ulp) {
    const float size = std::abs(static_cast<float>(e.value));
    if (!kOfVulkan || !(size < std::numeric_limits<float>::max())) return e;
    return {e.value + ulp * (static_cast<double>(next_up(size)) - size), e.rest};
  }
  explicit BasicInterval(Exact e) : BasicInterval(neighbours(e).low, neighbours(e).high) {}
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
  static inline constinit thread_local std::uint64_t last_ = 0;
};

using Interval = BasicInterval<false>;
using VulkanInterval = BasicInterval<true>;

}  // namespace skinlight
