// GLSL's vocabulary in C++ over a scalar `T`: what shaders/kernels/*.glsl is written in. Only what the
// kernels use. Matrices are indexed by column, as in GLSL: mat4x3 has 4 columns of 3 rows and maps a
// homogeneous point.
#pragma once

#include <cmath>
#include <type_traits>

namespace skinlight {

using std::sqrt;

template <class T>
struct Vec2 {
  T x, y;
  Vec2() = default;
  constexpr Vec2(T x_, T y_) : x(x_), y(y_) {}
  template <class U>
  explicit constexpr Vec2(const Vec2<U>& v) : x(T(v.x)), y(T(v.y)) {}

  friend constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Vec2 operator*(Vec2 a, T s) { return {a.x * s, a.y * s}; }
  friend constexpr bool operator==(Vec2 a, Vec2 b) { return a.x == b.x && a.y == b.y; }
};

template <class T>
struct Vec3 {
  T x, y, z;
  Vec3() = default;
  explicit constexpr Vec3(T s) : x(s), y(s), z(s) {}
  constexpr Vec3(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
  template <class U>
  explicit constexpr Vec3(const Vec3<U>& v) : x(T(v.x)), y(T(v.y)), z(T(v.z)) {}

  constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

  friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(Vec3 a, T s) { return {a.x * s, a.y * s, a.z * s}; }
  friend constexpr Vec3 operator*(T s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
  friend constexpr Vec3 operator/(Vec3 a, T s) { return {a.x / s, a.y / s, a.z / s}; }
  Vec3& operator+=(Vec3 b) { return *this = *this + b; }
  Vec3& operator-=(Vec3 b) { return *this = *this - b; }
  Vec3& operator*=(T s) { return *this = *this * s; }
  friend constexpr bool operator==(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
};

template <class T>
struct Mat4x3;

template <class T>
struct Mat3 {
  Vec3<T> c[3];  // columns
  Mat3() = default;
  explicit constexpr Mat3(const Mat4x3<T>& m) : c{m[0], m[1], m[2]} {}  // the linear part
  constexpr Mat3(Vec3<T> a, Vec3<T> b, Vec3<T> d) : c{a, b, d} {}

  constexpr Vec3<T>& operator[](int i) { return c[i]; }
  constexpr const Vec3<T>& operator[](int i) const { return c[i]; }

  friend constexpr Mat3 operator+(Mat3 a, Mat3 b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
  friend constexpr Mat3 operator*(Mat3 a, T s) { return {a[0] * s, a[1] * s, a[2] * s}; }
  friend constexpr Vec3<T> operator*(Mat3 a, Vec3<T> v) { return a[0] * v.x + a[1] * v.y + a[2] * v.z; }
  friend constexpr Mat3 operator*(Mat3 a, Mat3 b) { return {a * b[0], a * b[1], a * b[2]}; }
};

template <class T>
struct Mat4x3 {
  Vec3<T> c[4];  // columns; the last is the translation
  Mat4x3() = default;
  constexpr Mat4x3(Vec3<T> a, Vec3<T> b, Vec3<T> d, Vec3<T> e) : c{a, b, d, e} {}
  template <class U>
  explicit constexpr Mat4x3(const Mat4x3<U>& m)
      : c{Vec3<T>(m[0]), Vec3<T>(m[1]), Vec3<T>(m[2]), Vec3<T>(m[3])} {}

  constexpr Vec3<T>& operator[](int i) { return c[i]; }
  constexpr const Vec3<T>& operator[](int i) const { return c[i]; }

  friend constexpr Mat4x3 operator+(Mat4x3 a, Mat4x3 b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
  }
  friend constexpr Mat4x3 operator*(Mat4x3 a, T s) { return {a[0] * s, a[1] * s, a[2] * s, a[3] * s}; }
};

using Vec2d = Vec2<double>;
using Vec2f = Vec2<float>;
using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;
using Mat3d = Mat3<double>;
using Mat4x3d = Mat4x3<double>;
using Mat4x3f = Mat4x3<float>;

// Whether a scalar is a double, or lanes of them (core/pack.h).
template <class T>
inline constexpr bool holds_doubles = std::is_same_v<T, double>;
template <class T>
requires requires { typename T::Lane; }
inline constexpr bool holds_doubles<T> = std::is_same_v<typename T::Lane, double>;

// What GLSL calls built-in functions. Scalars other than the language's own bring their own sqrt, inversesqrt,
// select, and where double is not enough for their constants, ratio.
inline float inversesqrt(float x) { return 1.0f / std::sqrt(x); }
inline double inversesqrt(double x) { return 1.0 / std::sqrt(x); }
inline long double inversesqrt(long double x) { return 1.0L / std::sqrt(x); }
inline float select(bool c, float a, float b) { return c ? a : b; }
inline double select(bool c, double a, double b) { return c ? a : b; }
inline long double select(bool c, long double a, long double b) { return c ? a : b; }

// n / d as exactly as the scalar can have it: through double it would end after 53 bits.
template <class T>
constexpr T ratio(int n, int d) {
  if constexpr (requires { T::ratio(n, d); })
    return T::ratio(n, d);
  else if constexpr (std::is_same_v<T, long double>)
    return static_cast<T>(n) / static_cast<T>(d);
  else
    return T(static_cast<double>(n) / d);
}

template <class Mask, class T>
Vec3<T> select(Mask c, Vec3<T> a, Vec3<T> b) {
  return {select(c, a.x, b.x), select(c, a.y, b.y), select(c, a.z, b.z)};
}

template <class T>
constexpr T dot(Vec3<T> a, Vec3<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
T length(Vec3<T> a) {
  return sqrt(dot(a, a));
}

template <class T>
Vec3<T> normalize(Vec3<T> a) {
  return a * inversesqrt(dot(a, a));
}

template <class T>
constexpr Mat3<T> transpose(Mat3<T> m) {
  return {Vec3<T>(m[0].x, m[1].x, m[2].x), Vec3<T>(m[0].y, m[1].y, m[2].y), Vec3<T>(m[0].z, m[1].z, m[2].z)};
}

template <class T>
constexpr T determinant(Mat3<T> m) {
  return dot(m[0], cross(m[1], m[2]));
}

template <class T>
constexpr Vec3<T> transform_point(Mat4x3<T> m, Vec3<T> p) {
  return m[3] + m[0] * p.x + m[1] * p.y + m[2] * p.z;
}

// a after b.
template <class T>
constexpr Mat4x3<T> compose(Mat4x3<T> a, Mat4x3<T> b) {
  const Mat3<T> l(a);
  return {l * b[0], l * b[1], l * b[2], l * b[3] + a[3]};
}

template <class T>
constexpr Mat4x3<T> identity_transform() {
  return {Vec3<T>(T(1), T(0), T(0)), Vec3<T>(T(0), T(1), T(0)), Vec3<T>(T(0), T(0), T(1)), Vec3<T>(T(0))};
}

inline bool is_finite(Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
inline bool is_finite(const Mat4x3d& m) {
  return is_finite(m[0]) && is_finite(m[1]) && is_finite(m[2]) && is_finite(m[3]);
}

}  // namespace skinlight
