// Forward-mode automatic differentiation: value + derivative * epsilon, epsilon^2 = 0. The oracle for every
// tangent: a position kernel run over Dual<double> along t0 yields the exact transformed tangent (numerics:
// oracle 2).
#pragma once

#include <cmath>

namespace skinlight {

template <class T>
struct Dual {
  T v, d;  // value, derivative
  Dual() = default;
  explicit constexpr Dual(T value, T derivative = T(0)) : v(value), d(derivative) {}

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
  const T root = std::sqrt(a.v);
  return Dual<T>(root, a.d / (T(2) * root));
}

template <class T>
Dual<T> inversesqrt(Dual<T> a) {
  const T r = T(1) / std::sqrt(a.v);
  return Dual<T>(r, -a.d * r / (T(2) * a.v));
}

template <class T>
constexpr Dual<T> select(bool c, Dual<T> a, Dual<T> b) {
  return c ? a : b;
}

}  // namespace skinlight
