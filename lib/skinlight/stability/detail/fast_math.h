// Floats as -ffast-math compiles them. What that does to a formula depends on what is compiled beside it: kernels of deform
// frames and of iterative blending are parts of their own, so that they change no digit of the others.
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

enum class Part { first, frames, iterated };

constexpr Part part_of(Method method, const KernelReads& reads) {
  return reads.frames ? Part::frames : method == Method::dib ? Part::iterated : Part::first;
}

template <Part part>
struct PartOfTable {
  template <class Visit>
  static constexpr void for_each(Visit visit) {
    skinlight::KernelTable::for_each([&]<class Kernel>(Kernel kernel) {
      if constexpr (part_of(Kernel::method, Kernel::traits.reads) == part) visit(kernel);
    });
  }
};

}  // namespace

}  // namespace skinlight::stability
