// Forward-mode automatic differentiation: value + derivative * epsilon, epsilon^2 = 0. The oracle for every
// tangent: a position kernel run over Dual<double> along t0 yields the exact transformed tangent (numerics:
// oracle 2).
#pragma once

#include <cmath>
#include <type_traits>

#include "skinlight/core/glsl.h"

namespace skinlight {

template <class T>
struct Dual {
  T v, d;  // value, derivative
  Dual() = default;
  explicit constexpr Dual(T value, T derivative = T(0)) : v(value), d(derivative) {}
  // A constant, where the scalar takes doubles only explicitly.
  explicit constexpr Dual(double value) requires(!std::is_same_v<T, double>) : v(T(value)), d(T(0)) {}
  static constexpr Dual ratio(int n, int d) { return Dual(skinlight::ratio<T>(n, d)); }

  friend constexpr Dual operator+(Dual a, Dual b) { return Dual(a.v + b.v, a.d + b.d); }
  friend constexpr Dual operator-(Dual a, Dual b) { return Dual(a.v - b.v, a.d - b.d); }
  friend constexpr Dual operator-(Dual a) { return Dual(-a.v, -a.d); }
  friend constexpr Dual operator*(Dual a, Dual b) { return Dual(a.v * b.v, a.d * b.v + a.v * b.d); }
  friend constexpr Dual operator/(Dual a, Dual b) {
    return Dual(a.v / b.v, (a.d * b.v - a.v * b.d) / (b.v * b.v));
  }
  friend constexpr bool operator<(Dual a, Dual b) { return a.v < b.v; }
  friend constexpr bool operator>(Dual a, Dual b) { return a.v > b.v; }
};

template <class T>
Dual<T> sqrt(Dual<T> a) {
  using std::sqrt;
  const T root = sqrt(a.v);
  return Dual<T>(root, a.d / (T(2) * root));
}

template <class T>
Dual<T> inversesqrt(Dual<T> a) {
  using std::sqrt;
  const T r = T(1) / sqrt(a.v);
  return Dual<T>(r, -a.d * r / (T(2) * a.v));
}

template <class T>
constexpr Dual<T> select(bool c, Dual<T> a, Dual<T> b) {
  return c ? a : b;
}

}  // namespace skinlight
