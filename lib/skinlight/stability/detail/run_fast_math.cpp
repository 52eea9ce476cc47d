// Compiled with -ffast-math: the compiler may reorder sums, replace divisions and take numbers for finite.
#include <cmath>

#include "skinlight/stability/detail/runs.h"

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

}  // namespace

void run_fast_math(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  run_case<FastFloat>(c, chosen, results);
}

}  // namespace skinlight::stability
