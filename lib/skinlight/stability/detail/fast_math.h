// Floats as -ffast-math compiles them.
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
  explicit operator double() const { return v_; }

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

// Each kernel in a function of its own, with all that it calls: what the compiler makes of it depends on nothing that is
// compiled beside it.
#ifdef __clang__
#define SKINLIGHT_APART [[gnu::noinline, gnu::flatten]]
#else
#define SKINLIGHT_APART [[gnu::noipa, gnu::flatten]]
#endif
template <class Kernel, class Visit>
SKINLIGHT_APART void visit_apart(Visit& visit) {
  visit(Kernel());
}
#undef SKINLIGHT_APART

struct KernelsApart {
  template <class Visit>
  static void for_each(Visit visit) {
    skinlight::KernelTable::for_each([&]<class Kernel>(Kernel) { visit_apart<Kernel>(visit); });
  }
};

}  // namespace

}  // namespace skinlight::stability
