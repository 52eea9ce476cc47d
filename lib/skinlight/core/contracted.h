// Float arithmetic of a compiler that contracts: an addition or subtraction that consumes a product becomes a
// fused multiply-add, rounded once. With two products the left one is fused.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "skinlight/core/exact.h"

namespace skinlight {

class Contracted {
 public:
  Contracted() = default;
  explicit Contracted(double value) : v_(static_cast<float>(value)) {}

  float value() const { return v_; }

  friend Contracted operator*(Contracted a, Contracted b) {
    Contracted r(a.v_ * b.v_, false);
    r.a_ = a.v_;
    r.b_ = b.v_;
    r.product_ = true;
    return r;
  }
  friend Contracted operator/(Contracted a, Contracted b) { return {a.v_ / b.v_, false}; }
  friend Contracted operator+(Contracted a, Contracted b) {
    if (a.product_) return {fused(a.a_, a.b_, b.v_), false};
    if (b.product_) return {fused(b.a_, b.b_, a.v_), false};
    return {a.v_ + b.v_, false};
  }
  friend Contracted operator-(Contracted a, Contracted b) { return a + -b; }
  friend Contracted operator-(Contracted a) {
    a.v_ = -a.v_;
    a.a_ = -a.a_;
    return a;
  }
  friend bool operator<(Contracted a, Contracted b) { return a.v_ < b.v_; }
  friend bool operator>(Contracted a, Contracted b) { return a.v_ > b.v_; }
  friend Contracted sqrt(Contracted a) { return {std::sqrt(a.v_), false}; }
  friend Contracted inversesqrt(Contracted a) { return {1.0f / std::sqrt(a.v_), false}; }
  friend Contracted select(bool c, Contracted a, Contracted b) { return c ? a : b; }

 private:
  // std::fma, which is a call where the compiler may not assume the instruction: the sum in double, rounded to odd so that
  // the second rounding is the only one that counts [Boldo, Melquiond 2008].
  static float fused(float a, float b, float c) {
    const Exact e = exact_multiply_add(a, b, c);
    auto bits = std::bit_cast<std::uint64_t>(e.value);
    if ((e.rest > 0 || e.rest < 0) && (bits & 1) == 0)
      bits += (e.rest > 0) == (e.value > 0) ? 1u : ~std::uint64_t{0};
    return static_cast<float>(std::bit_cast<double>(bits));
  }
  Contracted(float value, bool product) : v_(value), product_(product) {}

  float v_ = 0, a_ = 0, b_ = 0;  // the value; its factors when it is a product
  bool product_ = false;
};

}  // namespace skinlight
