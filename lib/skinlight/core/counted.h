// A scalar that counts operations as [TPS14 Table 1] does: a multiplication and the addition that consumes it
// are one operation; a lone multiplication, addition, subtraction, division or reciprocal square root is one.
// Negation and comparison are free (they fold into modifiers and predicates).
#pragma once

#include <cmath>

namespace skinlight {

class Counted {
 public:
  Counted() = default;
  explicit constexpr Counted(double value) : v_(value) {}

  double value() const { return v_; }
  static long operations() { return operations_; }
  static void reset() { operations_ = 0; }

  friend Counted operator*(Counted a, Counted b) { return counted(a.v_ * b.v_, true); }
  friend Counted operator/(Counted a, Counted b) { return counted(a.v_ / b.v_, false); }
  friend Counted operator+(Counted a, Counted b) { return sum(a.v_ + b.v_, a, b); }
  friend Counted operator-(Counted a, Counted b) { return sum(a.v_ - b.v_, a, b); }
  friend Counted operator-(Counted a) {
    a.v_ = -a.v_;
    return a;
  }
  friend bool operator<(Counted a, Counted b) { return a.v_ < b.v_; }
  friend bool operator>(Counted a, Counted b) { return a.v_ > b.v_; }
  friend Counted sqrt(Counted a) { return counted(std::sqrt(a.v_), false); }
  friend Counted inversesqrt(Counted a) { return counted(1.0 / std::sqrt(a.v_), false); }
  friend Counted select(bool c, Counted a, Counted b) { return c ? a : b; }

 private:
  static Counted counted(double value, bool product) {
    ++operations_;
    Counted r(value);
    r.product_ = product;
    return r;
  }
  // An addition that consumes a product is the second half of a fused multiply-add.
  static Counted sum(double value, const Counted& a, const Counted& b) {
    if (!a.product_ && !b.product_) ++operations_;
    return Counted(value);
  }

  double v_ = 0;
  bool product_ = false;
  static thread_local long operations_;
};

inline thread_local long Counted::operations_ = 0;

}  // namespace skinlight
