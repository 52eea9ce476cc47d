// What methods that blend rotations do to a point, over any wide scalar T, and over numbers R that carry derivatives too.
// Written from the definitions, not from shaders/kernels/: rotations are products of quaternions. A single bone turns as in
// [KCZO07]'s polynomial form, for quaternions that are not quite unit; a blend is normalised.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/truth/detail/angle_series.h"

namespace skinlight::by_definition {

template <class R>
struct Quaternion {
  R s;
  Vec3<R> v;
};

// Moves p to turn p + shift.
template <class R>
struct Motion {
  Mat3<R> turn;
  Vec3<R> shift;
};

// The motion of a bone as a unit dual quaternion r + eps d, and its logarithm.
template <class T>
struct BoneMotion {
  Quaternion<T> r, d;
  Vec3<T> turn, shift;
};

// How rotations are blended.
enum Blending { kQuaternions, kExponential, kIterated, kBlendings };

// Computed when it is first asked for.
template <class X>
class Once {
 public:
  template <class Make>
  const X& operator()(Make make) const {
    if (!made_) made_.emplace(make());
    return *made_;
  }

 private:
  mutable std::optional<X> made_;
};

template <class R>
Quaternion<R> product(const Quaternion<R>& a, const Quaternion<R>& b) {
  return {a.s * b.s - dot(a.v, b.v), b.v * a.s + a.v * b.s + cross(a.v, b.v)};
}
template <class R>
Quaternion<R> conjugate(const Quaternion<R>& a) {
  return {a.s, -a.v};
}
template <class R>
R norm2(const Quaternion<R>& a) {
  return a.s * a.s + dot(a.v, a.v);
}
// v to a v a*: v (s^2 - |u|^2) + 2 u (u . v) + 2 s u x v of a = (s, u).
template <class R>
Mat3<R> sandwich(const Quaternion<R>& a) {
  const R same = a.s * a.s - dot(a.v, a.v);
  const Vec3<R> u = a.v + a.v, turn = u * a.s;
  Mat3<R> m(u * a.v.x, u * a.v.y, u * a.v.z);
  m[0] = m[0] + Vec3<R>(same, turn.z, -turn.y);
  m[1] = m[1] + Vec3<R>(-turn.z, same, turn.x);
  m[2] = m[2] + Vec3<R>(turn.y, -turn.x, same);
  return m;
}
// Of a dual quaternion of any length.
template <class R>
Motion<R> motion_of(const Quaternion<R>& r, const Quaternion<R>& d) {
  const R inverse = R(1.0) / norm2(r);
  return {sandwich(r) * inverse, product(d, conjugate(r)).v * (inverse + inverse)};
}

// Where a motion moves a point, or about a centre of rotation, which the map of centres moves.
template <class R>
Vec3<R> moved_by(const Motion<R>& m, Vec3<R> p) {
  return m.turn * p + m.shift;
}
template <class R>
Vec3<R> moved_about(const Motion<R>& m, const Mat4x3<R>& centres, Vec3<R> p, Vec3<R> centre) {
  return m.turn * (p - centre) + transform_point(centres, centre);
}

// A vector that changes along t0 and b0.
template <class T>
Vec3<Slopes<T>> running(Vec3<T> v, Vec3<T> along_t, Vec3<T> along_b) {
  return {{v.x, along_t.x, along_b.x}, {v.y, along_t.y, along_b.y}, {v.z, along_t.z, along_b.z}};
}

// The bones of one vertex, slot by slot, at any weights. What is not a template is a member of one: files that are compiled
// for one instruction set include this (core/pack.h).
template <class T>
class RigidBlend : AngleSeries<T> {
  using AngleSeries<T>::angle_over_sine;
  using AngleSeries<T>::cosine_series;
  using AngleSeries<T>::evaluated;
  using AngleSeries<T>::sine_series;

 public:
  explicit RigidBlend(std::vector<BoneMotion<T>> bones) : bones_(std::move(bones)) {}

  static Blending blending(Method method) {
    switch (method) {
      case Method::lbs:
        break;
      case Method::dqs:
      case Method::crs:
      case Method::sbs:
        return kQuaternions;
      case Method::log:
        return kExponential;
      case Method::dib:
        return kIterated;
    }
    throw std::logic_error("a method that blends matrices has no blend of rotations");
  }

  static bool turns_about_centre(Method method) { return description(method).centre != CentreKind::none; }

  // w: one weight per slot.
  template <class R>
  Motion<R> motion(Blending blending, std::span<const R> w) const {
    switch (blending) {  // what is left out does not compile (-Wswitch)
      case kQuaternions:
        return motion_of(blend(w, &BoneMotion<T>::r), blend(w, &BoneMotion<T>::d));
      case kExponential:
        return exponential(w);
      case kIterated:
        return iterated(w);
      case kBlendings:
        break;
    }
    throw std::logic_error("a number of ways to blend is none of them");
  }

  // sum_s w[s] M[s]: where centres of rotation go.
  template <class R>
  Mat4x3<R> centre_map(std::span<const R> w) const {
    const Vec3<R> none(R(0.0));
    Mat4x3<R> sum(none, none, none, none);
    for (std::size_t s = 0; s < bones_.size(); ++s)
      for (int i = 0; i < 4; ++i) sum[i] += weighted(single(s)[i], w[s]);
    return sum;
  }

  // What the dual quaternion of one bone does to a point: r p r* + 2 vec(d r*) were |r| = 1, in the form that is linear in p
  // plus quadratic terms of the vector part alone.
  const Mat4x3<T>& single(std::size_t s) const {
    return single_([&] {
      std::vector<Mat4x3<T>> all;
      const T none(0.0);
      for (const BoneMotion<T>& bone : bones_) {
        const Mat3<T> turn = sandwich(bone.r);
        const T missing = T(1.0) - norm2(bone.r);
        all.emplace_back(turn[0] + Vec3<T>(missing, none, none), turn[1] + Vec3<T>(none, missing, none),
                         turn[2] + Vec3<T>(none, none, missing),
                         product(bone.d, conjugate(bone.r)).v * T(2.0));
      }
      return all;
    })[s];
  }

 private:
  // v w in the numbers of the weight w.
  template <class R>
  static Vec3<R> weighted(const Vec3<T>& v, const R& w) {
    return {w * v.x, w * v.y, w * v.z};
  }
  template <class R>
  static R lift(T value) {
    if constexpr (std::is_same_v<R, T>)
      return value;
    else
      return R(value);
  }
  template <class R>
  static Quaternion<R> lift(const Quaternion<T>& q) {
    return {lift<R>(q.s), {lift<R>(q.v.x), lift<R>(q.v.y), lift<R>(q.v.z)}};
  }

  // Of the two signs of a bone the one on the side of slot 0.
  T side(std::size_t s) const {
    const Quaternion<T>&a = bones_[s].r, &b = bones_[0].r;
    return a.s * b.s + dot(a.v, b.v) < T(0.0) ? T(-1.0) : T(1.0);
  }

  template <class R>
  Quaternion<R> blend(std::span<const R> w, Quaternion<T> BoneMotion<T>::*part) const {
    Quaternion<R> sum{R(0.0), Vec3<R>(R(0.0))};
    for (std::size_t s = 0; s < bones_.size(); ++s) {
      const Quaternion<T>& q = bones_[s].*part;
      const R k = w[s] * side(s);
      sum.s = sum.s + k * q.s;
      sum.v = sum.v + weighted(q.v, k);
    }
    return sum;
  }

  // The exponential of the blended twist.
  template <class R>
  Motion<R> exponential(std::span<const R> w) const {
    Vec3<R> a(R(0.0)), shift(R(0.0));
    for (std::size_t s = 0; s < bones_.size(); ++s) {
      a = a + weighted(bones_[s].turn, w[s]);
      shift = shift + weighted(bones_[s].shift, w[s]);
    }
    const R x = dot(a, a), b = evaluated(cosine_series(), x), c = evaluated(sine_series(), x);
    const R cosine = R(1.0) - x * b;
    const Vec3<R> sine = a * (R(1.0) - x * c), ab = a * b, u = cross(a, shift);
    Motion<R> m{{ab * a.x, ab * a.y, ab * a.z}, shift + u * b + cross(a, u) * c};
    m.turn[0] = m.turn[0] + Vec3<R>(cosine, sine.z, -sine.y);
    m.turn[1] = m.turn[1] + Vec3<R>(-sine.z, cosine, sine.x);
    m.turn[2] = m.turn[2] + Vec3<R>(sine.y, -sine.x, cosine);
    return m;
  }

  // Dual quaternions as quaternions over numbers a + eps b.
  template <class R>
  static Quaternion<Dual<R>> joined(const Quaternion<R>& r, const Quaternion<R>& d) {
    return {Dual<R>(r.s, d.s), {Dual<R>(r.v.x, d.v.x), Dual<R>(r.v.y, d.v.y), Dual<R>(r.v.z, d.v.z)}};
  }
  template <class R>
  static Quaternion<R> part(const Quaternion<Dual<R>>& q, R Dual<R>::*of) {
    return {q.s.*of, {q.v.x.*of, q.v.y.*of, q.v.z.*of}};
  }

  // c exp(sum_s w[s] log(c* q[s])), c the normalised blend [KCZO08].
  template <class R>
  Motion<R> iterated(std::span<const R> w) const {
    using E = Dual<R>;
    const auto scaled = [](const Quaternion<E>& q, E k) { return Quaternion<E>{q.s * k, q.v * k}; };
    Quaternion<E> c = joined(blend(w, &BoneMotion<T>::r), blend(w, &BoneMotion<T>::d));
    c = scaled(c, E(1.0) / sqrt(norm2(c)));
    Vec3<E> step(E(0.0));
    for (std::size_t s = 0; s < bones_.size(); ++s) {
      const Quaternion<E> q =
          scaled(joined(lift<R>(bones_[s].r), lift<R>(bones_[s].d)), E(lift<R>(side(s)), R(0.0)));
      const Quaternion<E> seen = product(conjugate(c), q);
      step = step + seen.v * (angle_over_sine(seen.s) * E(w[s], R(0.0)));
    }
    const E x = dot(step, step);
    const Quaternion<E> m = product(c, Quaternion<E>{E(1.0) - x * evaluated(cosine_series(), x),
                                                     step * (E(1.0) - x * evaluated(sine_series(), x))});
    return motion_of(part(m, &E::v), part(m, &E::d));
  }

  std::vector<BoneMotion<T>> bones_;
  Once<std::vector<Mat4x3<T>>> single_;
};

}  // namespace skinlight::by_definition
