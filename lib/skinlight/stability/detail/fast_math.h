// Floats as -ffast-math compiles them. What that does to a formula depends on what is compiled beside it: kernels of deform
// frames are a part of their own, so that they change no digit of the others.
#pragma once

#include <cmath>

#include "skinlight/skinning/kernel_table.h"

namespace skinlight::stability {

namespace {

// A float of this file alone: code over it is not shared with other files.
class FastFloat {
 public:
  FastFloat() = default;
  explicit FastFloat(double value) : v_(static_cast<float>(value)) {}
  float value() const { return v_; }

  friend FastFloat operator+(FastFloat a, FastFloat b) { return of(a.v_ + b.v_); }
  friend FastFloat operator-(FastFloat a, FastFloat b) { return of(a.v_ - b.v_); }
  friend FastFloat operator*(FastFloat a, FastFloat b) { return of(a.v_ * b.v_); }
  friend FastFloat operator/(FastFloat a, FastFloat b) { return of(a.v_ / b.v_); }
  friend bool operator<(FastFloat a, FastFloat b) { return a.v_ < b.v_; }
  friend bool operator>(FastFloat a, FastFloat b) { return a.v_ > b.v_; }
  friend FastFloat sqrt(FastFloat a) { return of(__builtin_sqrtf(a.v_)); }
  friend FastFloat inversesqrt(FastFloat a) { return of(1.0f / __builtin_sqrtf(a.v_)); }
  friend FastFloat select(bool c, FastFloat a, FastFloat b) { return c ? a : b; }

 private:
  static FastFloat of(float v) {
    FastFloat r;
    r.v_ = v;
    return r;
  }
  float v_ = 0;
};

// The kernels of the table that read deform frames, or all the others.
template <bool frames>
struct PartOfTable {
  template <class Visit>
  static constexpr void for_each(Visit visit) {
    skinlight::KernelTable::for_each([&]<class Kernel>(Kernel kernel) {
      if constexpr (Kernel::traits.reads.frames == frames) visit(kernel);
    });
  }
};

}  // namespace

}  // namespace skinlight::stability
