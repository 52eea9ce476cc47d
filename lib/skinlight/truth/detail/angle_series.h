// What the truth differentiates with, over any wide scalar: numbers that carry derivatives, and the functions of angles
// that blended rotations need, as power series of which the derivatives are taken too.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "skinlight/core/dual.h"

namespace skinlight::by_definition {

// A value and its derivatives along t0 and b0.
template <class T>
struct Slopes {
  T v, t, b;
  Slopes() = default;
  Slopes(T value, T along_t, T along_b) : v(value), t(along_t), b(along_b) {}
  explicit Slopes(T value) : Slopes(value, T(0.0), T(0.0)) {}
  explicit Slopes(double value) requires(!std::is_same_v<T, double>) : Slopes(T(value)) {}

  friend Slopes operator+(const Slopes& x, const Slopes& y) { return {x.v + y.v, x.t + y.t, x.b + y.b}; }
  friend Slopes operator-(const Slopes& x, const Slopes& y) { return {x.v - y.v, x.t - y.t, x.b - y.b}; }
  friend Slopes operator-(const Slopes& x) { return {-x.v, -x.t, -x.b}; }
  friend Slopes operator*(const Slopes& x, const Slopes& y) {
    return {x.v * y.v, x.t * y.v + x.v * y.t, x.b * y.v + x.v * y.b};
  }
  friend Slopes operator*(const Slopes& x, const T& k) { return {x.v * k, x.t * k, x.b * k}; }
  friend Slopes operator/(const Slopes& x, const Slopes& y) {
    const T one = T(1.0) / y.v, q = x.v * one;
    return {q, (x.t - q * y.t) * one, (x.b - q * y.b) * one};
  }
  friend Slopes sqrt(const Slopes& x) {
    using std::sqrt;
    const T root = sqrt(x.v), half = T(.5) / root;
    return {root, x.t * half, x.b * half};
  }
};

template <class T>
struct AngleSeries {
  using S = Slopes<T>;

  // Numbers with derivatives are T, Slopes<T> or dual numbers over these. `x` without any:
  static const T& value_of(const T& x) { return x; }
  static const T& value_of(const S& x) { return x.v; }
  template <class R>
  static const T& value_of(const Dual<R>& x) {
    return value_of(x.v);
  }

  // How many derivatives of a function numbers need.
  template <class R>
  struct Depth {
    static constexpr int value = std::is_same_v<R, T> ? 0 : 1;
  };
  template <class R>
  struct Depth<Dual<R>> {
    static constexpr int value = 1 + Depth<R>::value;
  };
  // f(x) by the chain rule, of f and its derivatives where x has its value.
  template <class R>
  static R composed(const T* f, const R& x) {
    if constexpr (std::is_same_v<R, T>)
      return f[0];
    else if constexpr (std::is_same_v<R, S>)
      return S(f[0], f[1] * x.t, f[1] * x.b);
    else
      return R(composed(f, x.v), composed(f + 1, x.v) * x.d);
  }

  // A power series whose terms beyond the last are nothing in any scalar.
  struct Series {
    static constexpr std::size_t kTerms = 40;
    std::array<T, kTerms> coefficient;
    std::array<double, kTerms> size;

    template <class Next>
    Series(T first, Next next) {
      for (std::size_t k = 0; k < kTerms; ++k) {
        coefficient[k] = k == 0 ? first : next(coefficient[k - 1], static_cast<double>(k));
        size[k] = std::abs(static_cast<double>(coefficient[k]));
      }
    }
    // Those that count at x, in the second derivative too.
    std::size_t terms(double x) const {
      const double least = std::ldexp(1.0, -kBits - 16);
      double power = 1;
      for (std::size_t k = 3; k < kTerms; ++k) {
        power *= x;
        if (size[k] * static_cast<double>(k * k) * power < least) return k;
      }
      return kTerms;
    }
  };
  static constexpr int bits() {
    if constexpr (requires { T::kBits; })
      return T::kBits;
    else
      return std::numeric_limits<T>::digits;
  }
  static constexpr int kBits = bits();

  // Horner's scheme, for the derivatives too.
  template <class R>
  static R evaluated(const Series& series, const R& x) {
    constexpr int kDepth = Depth<R>::value;
    static_assert(kDepth <= 2);
    const T at = value_of(x);
    T f[kDepth + 1];  // derivatives over factorials
    for (T& one : f) one = T(0.0);
    for (std::size_t k = series.terms(static_cast<double>(at)); k-- > 0;) {
      for (int i = kDepth; i > 0; --i) f[i] = f[i] * at + f[i - 1];
      f[0] = f[0] * at + series.coefficient[k];
    }
    if constexpr (kDepth == 2) f[2] = f[2] + f[2];
    return composed(f, x);
  }

  // (1 - cos) / x and (angle - sin) / angle^3 in x = angle^2: (-1)^k / (2 k + 2)! and (-1)^k / (2 k + 3)!. Forty terms are
  // beyond 200 bits up to half a turn, and blends do not turn further.
  static const Series& cosine_series() {
    static const Series series(T(.5), [](T c, double k) { return -c / T((2 * k + 1) * (2 * k + 2)); });
    return series;
  }
  static const Series& sine_series() {
    static const Series series(T(1.0) / T(6.0),
                               [](T c, double k) { return -c / T((2 * k + 2) * (2 * k + 3)); });
    return series;
  }

  // x / sin x of an angle from its cosine: five halvings, then arcsin(s) / (s sqrt(1 - s^2)) = sum_n s^2n prod 2 k / (2 k + 1),
  // s the sine of half the angle.
  template <class E>
  static E angle_over_sine(const E& cosine) {
    static const Series series(T(1.0), [](T c, double k) { return c * (T(2 * k) / T(2 * k + 1)); });
    // By the cosine itself, once or twice.
    using Jet = std::conditional_t<Depth<E>::value == 1, Dual<T>, Dual<Dual<T>>>;
    Jet c, factor(1.0);
    if constexpr (Depth<E>::value == 1)
      c = Jet(value_of(cosine), T(1.0));
    else
      c = Jet(Dual<T>(value_of(cosine), T(1.0)), Dual<T>(T(1.0), T(0.0)));
    for (int i = 0; i < 5; ++i) {
      c = sqrt((c + Jet(1.0)) * Jet(.5));
      factor = factor * c;
    }
    const Jet found = evaluated(series, (Jet(1.0) - c) * Jet(.5)) / factor;
    if constexpr (Depth<E>::value == 1) {
      const T f[] = {found.v, found.d};
      return composed(f, cosine);
    } else {
      const T f[] = {found.v.v, found.v.d, found.d.d};
      return composed(f, cosine);
    }
  }
};

}  // namespace skinlight::by_definition
