// Stochastic rounding: every operation of float arithmetic rounds up or down at random, more likely to the
// nearer neighbour. Where results of the same inputs scatter, digits are lost, and no truth is needed to say
// so [Vignes 1993, the CESTAC method; Forsythe 1950].
#pragma once

#include <cmath>
#include <cstdint>

#include "skinlight/core/exact.h"
#include "skinlight/core/operation_bits.h"

namespace skinlight {

class Stochastic {
 public:
  Stochastic() = default;
  // Constants and inputs are rounded to nearest, as compilers and files do.
  explicit Stochastic(double value) : v_(static_cast<float>(value)) {}

  float value() const { return v_; }
  // What the operations of this thread are seeded with.
  static void seed(std::uint64_t value) { seed_ = Random(value).bits(); }

  friend Stochastic operator+(Stochastic a, Stochastic b) {
    return rounded(exact_sum(a.v_, b.v_), Operation::sum, a, b);
  }
  friend Stochastic operator-(Stochastic a, Stochastic b) { return a + -b; }
  friend Stochastic operator-(Stochastic a) {
    a.v_ = -a.v_;
    return a;
  }
  friend Stochastic operator*(Stochastic a, Stochastic b) {
    return rounded(exact_product(a.v_, b.v_), Operation::product, a, b);
  }
  friend Stochastic operator/(Stochastic a, Stochastic b) {
    return rounded(exact_quotient(a.v_, b.v_), Operation::quotient, a, b);
  }
  friend bool operator<(Stochastic a, Stochastic b) { return a.v_ < b.v_; }
  friend bool operator>(Stochastic a, Stochastic b) { return a.v_ > b.v_; }
  friend Stochastic sqrt(Stochastic a) { return rounded(exact_sqrt(a.v_), Operation::square_root, a, a); }
  friend Stochastic inversesqrt(Stochastic a) {
    return rounded(exact_inversesqrt(a.v_), Operation::inverse_square_root, a, a);
  }
  friend Stochastic select(bool c, Stochastic a, Stochastic b) { return c ? a : b; }

 private:
  static Stochastic rounded(Exact e, Operation operation, Stochastic a, Stochastic b) {
    const Neighbours n = neighbours(e);
    Stochastic r;
    r.v_ = n.low;
    if (n.low == n.high || !std::isfinite(n.low) || !std::isfinite(n.high)) return r;
    const double low = n.low, share = ((e.value - low) + e.rest) / (n.high - low);
    const std::uint64_t bits = operation_bits(seed_, operation, a.v_, b.v_);
    if (static_cast<double>(bits >> 11) * 0x1p-53 < share) r.v_ = n.high;
    return r;
  }

  float v_ = 0;
  static constinit thread_local std::uint64_t seed_;
};

inline constinit thread_local std::uint64_t Stochastic::seed_ = 0;

}  // namespace skinlight
