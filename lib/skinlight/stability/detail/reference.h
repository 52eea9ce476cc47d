// The truth: what every method and normal mode should give, over any wide scalar. Written from the definitions, not from
// shaders/kernels/: rotations are products of quaternions, tangents are derivatives of the position by dual numbers,
// normals of the Jacobian are its cofactors. The floats of a case are taken as they are; where two formulas would differ
// only because a quaternion in float is not quite unit, a single bone turns as in [KCZO07]'s polynomial form and a blend
// is normalised.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "skinlight/core/dual.h"
#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/stability/vertex_case.h"

namespace skinlight::stability {

// All unnormalised.
template <class T>
struct Truth {
  Vec3<T> p, t, b, n;
};

// The terms that guards act on: t = Tt + d, b = Tb + e.
template <class T>
struct TruthTerms {
  Vec3<T> p, Tt, Tb, Tn, d, e;
};

template <class T>
class Reference {
  using V = Vec3<T>;
  using D = Dual<T>;
  template <class R>
  struct Quat {
    R s;
    Vec3<R> v;
  };

 public:
  explicit Reference(const VertexCase& c) : c_(c) {
    for (int s = 0; s < c.slots; ++s) {
      const V zero(T(0.0)), at = single_point(s, zero);
      single_.push_back({single_point(s, V(T(1.0), T(0.0), T(0.0))) - at,
                         single_point(s, V(T(0.0), T(1.0), T(0.0))) - at,
                         single_point(s, V(T(0.0), T(0.0), T(1.0))) - at, at});
    }
  }

  // Modes that guards do not act on, or without one.
  Truth<T> unguarded(Method method, NormalMode mode) const {
    if (method == Method::lbs) return lbs(mode);
    if (mode == NormalMode::standard) return rigid_standard(method);
    if (mode == NormalMode::deform) return dqs_deform();
    return joined(rigid_terms(method, mode));
  }

  // Modes that guards act on.
  TruthTerms<T> terms(Method method, NormalMode mode) const {
    return method == Method::lbs ? lbs_terms(mode) : rigid_terms(method, mode);
  }

  static Truth<T> joined(const TruthTerms<T>& k) {
    const V t = k.Tt + k.d, b = k.Tb + k.e;
    return {k.p, t, b, cross(t, b)};
  }

  static Truth<T> guarded(TruthTerms<T> k, Guard guard, GuardInput with) {
    const T limit(with.limit), kept(with.kept);
    if (guard == Guard::joint) {
      const T aa = dot(k.Tt, k.Tt), bb = dot(k.Tb, k.Tb), ab = dot(k.Tt, k.Tb);
      const T smaller =
          (aa + bb - sqrt((aa - bb) * (aa - bb) + T(4) * ab * ab)) * T(.5);  // eigenvalue of P^T P
      const T bound = limit * sqrt(positive(smaller)), size = sqrt(dot(k.d, k.d) + dot(k.e, k.e));
      if (size > bound) shorten(k, bound / size);
      return joined(k);
    }
    for (V* term : {&k.d, &k.e}) {
      const T size = length(*term);
      if (size > limit) *term = *term * (limit / size);
    }
    if (guard == Guard::test_then_fix) {
      const T standard = dot(cross(k.Tt, k.Tb), k.Tn);
      if (standard < T(0) || standard > T(0)) {
        const T c0 = (T(1) - kept) * standard;
        const T c1 = dot(cross(k.d, k.Tb), k.Tn) + dot(cross(k.Tt, k.e), k.Tn),
                c2 = dot(cross(k.d, k.e), k.Tn);
        if ((c0 + c1 + c2) / standard < T(0)) {  // the smaller positive root of c0 + c1 x + c2 x^2
          const T s = standard < T(0) ? T(-1) : T(1);
          const T root = sqrt(positive(c1 * c1 - T(4) * c2 * c0));
          shorten(k, T(2) * c0 / (s * root - c1));
        }
      }
    }
    return joined(k);
  }

 private:
  template <class R = T>
  static Vec3<R> wide(Vec3f v) {
    return {R(static_cast<double>(v.x)), R(static_cast<double>(v.y)), R(static_cast<double>(v.z))};
  }
  static T wide(float x) { return T(static_cast<double>(x)); }
  static T positive(T x) { return x > T(0) ? x : T(0); }
  static void shorten(TruthTerms<T>& k, T factor) {
    k.d = k.d * factor;
    k.e = k.e * factor;
  }

  // Linear blend skinning.

  V turned(int s, V v) const {
    const Mat4x3f& m = c_.bone[s];
    return wide(m[0]) * v.x + wide(m[1]) * v.y + wide(m[2]) * v.z;
  }
  V moved(int s, V p) const { return turned(s, p) + wide(c_.bone[s][3]); }
  V blended(const float* weight, V v) const {
    V sum(T(0));
    for (int s = 0; s < c_.slots; ++s) sum += turned(s, v) * wide(weight[s]);
    return sum;
  }
  V blended_point() const {
    V sum(T(0));
    for (int s = 0; s < c_.slots; ++s) sum += moved(s, wide(c_.p)) * wide(c_.weight[s]);
    return sum;
  }
  // sum_s factor[s] q[s] with factors that sum to 0.
  V varied(const float* factor) const {
    const V p = wide(c_.p), first = moved(0, p);
    V sum(T(0));
    for (int s = 1; s < c_.slots; ++s) sum += (moved(s, p) - first) * wide(factor[s]);
    return sum;
  }
  // (sum_s w[s] M[s] + q[s] a[s]^T) v [TPS14 Eq. 7]
  V jacobian(V v) const {
    V sum = blended(c_.weight, v);
    for (int s = 0; s < c_.slots; ++s) sum += moved(s, wide(c_.p)) * dot(wide(c_.gradient[s]), v);
    return sum;
  }
  // sum_s M[s] tau[s], tau[0] = (tangent, 0) less the others.
  V by_vectors(const Vec3f* tau, const float* factor, V tangent) const {
    V sum = varied(factor), first = tangent;
    for (int s = 1; s < c_.slots; ++s) {
      sum += turned(s, wide(tau[s]));
      first -= wide(tau[s]);
    }
    return sum + turned(0, first);
  }

  TruthTerms<T> lbs_terms(NormalMode mode) const {
    const V t = wide(c_.t), b = wide(c_.b), n = wide(c_.n);
    const float* w = mode == NormalMode::smoothed ? c_.smooth_weight : c_.weight;
    TruthTerms<T> k = {blended_point(), blended(w, t),    blended(w, b),
                       blended(w, n),   varied(c_.alpha), varied(c_.beta)};
    if (mode == NormalMode::deform_vectors) {
      k.d = by_vectors(c_.vector_t, c_.alpha, t) - k.Tt;
      k.e = by_vectors(c_.vector_b, c_.beta, b) - k.Tb;
    }
    return k;
  }

  Truth<T> lbs(NormalMode mode) const {
    const V t = wide(c_.t), b = wide(c_.b), n = wide(c_.n);
    switch (mode) {
      case NormalMode::standard:
        return {blended_point(), blended(c_.weight, t), blended(c_.weight, b), blended(c_.weight, n)};
      case NormalMode::tangent_pair:
        return {blended_point(), jacobian(t), jacobian(b), cross(jacobian(t), jacobian(b))};
      case NormalMode::cofactors:
      case NormalMode::inverse_transpose: {
        const V x = jacobian(V(T(1), T(0), T(0))), y = jacobian(V(T(0), T(1), T(0))),
                z = jacobian(V(T(0), T(0), T(1)));
        V cofactor = cross(y, z) * n.x + cross(z, x) * n.y + cross(x, y) * n.z;
        if (mode == NormalMode::inverse_transpose) cofactor = cofactor * (T(1) / dot(x, cross(y, z)));
        return {blended_point(), jacobian(t), jacobian(b), cofactor};
      }
      default:
        return joined(lbs_terms(mode));
    }
  }

  // Methods that blend rotations. All see the scaled rest vertex.

  V rest(Vec3f v) const { return wide(v) * wide(c_.scale); }

  template <class R>
  static Quat<R> product(const Quat<R>& a, const Quat<R>& b) {
    return {a.s * b.s - dot(a.v, b.v), b.v * a.s + a.v * b.s + cross(a.v, b.v)};
  }
  template <class R>
  static Quat<R> conjugate(const Quat<R>& a) {
    return {a.s, -a.v};
  }
  template <class R>
  static R norm2(const Quat<R>& a) {
    return a.s * a.s + dot(a.v, a.v);
  }
  template <class R>
  static Vec3<R> sandwich(const Quat<R>& a, Vec3<R> v) {
    return product(product(a, Quat<R>{R(0.0), v}), conjugate(a)).v;
  }
  Quat<T> motion_part(int s, bool dual) const {
    const float* q = dual ? c_.motion[s].d : c_.motion[s].r;
    return {wide(q[3]), wide(Vec3f(q[0], q[1], q[2]))};
  }
  // Of the two signs the one on the side of slot 0.
  T side(int s) const {
    const Quat<T> a = motion_part(s, false), b = motion_part(0, false);
    return a.s * b.s + dot(a.v, b.v) < T(0) ? T(-1) : T(1);
  }
  // What the quaternion of one bone does to a vector: r v r* were |r| = 1, in the form that is linear in v plus
  // quadratic terms of the vector part alone.
  V single(const Quat<T>& r, V v) const { return sandwich(r, v) + v * (T(1) - norm2(r)); }
  V single_point(int s, V p) const {
    const Quat<T> r = motion_part(s, false), d = motion_part(s, true);
    return single(r, p) + product(d, conjugate(r)).v * T(2);
  }

  template <class R>
  static R lift(T value) {
    if constexpr (std::is_same_v<R, T>)
      return value;
    else
      return R(lift<decltype(R::v)>(value));
  }
  template <class R>
  static Vec3<R> lift(V v) {
    return {lift<R>(v.x), lift<R>(v.y), lift<R>(v.z)};
  }
  // Weights that change by `factor` per step. Slot 0 closes the sums.
  template <class R>
  std::vector<R> weights(const float* weight, const float* factor) const {
    std::vector<R> w(static_cast<std::size_t>(c_.slots));
    T rest_weight(1.0), rest_factor(0.0);
    for (int s = c_.slots - 1; s >= 0; --s) {
      const T value = s > 0 ? wide(weight[s]) : rest_weight;
      const T slope = s > 0 ? (factor ? wide(factor[s]) : T(0.0)) : rest_factor;
      if constexpr (std::is_same_v<R, T>)
        w[static_cast<std::size_t>(s)] = value;
      else
        w[static_cast<std::size_t>(s)] = R(value, slope);
      rest_weight = rest_weight - value;
      rest_factor = rest_factor - slope;
    }
    return w;
  }
  template <class R>
  Quat<R> blend(const std::vector<R>& w, bool dual) const {
    Quat<R> sum{R(0.0), Vec3<R>(R(0.0))};
    for (int s = 0; s < c_.slots; ++s) {
      const Quat<T> q = motion_part(s, dual);
      const R k = w[static_cast<std::size_t>(s)] * lift<R>(side(s));
      sum.s = sum.s + lift<R>(q.s) * k;
      sum.v = sum.v + lift<R>(q.v) * k;
    }
    return sum;
  }
  template <class R>
  static Vec3<R> rotated(const Quat<R>& b, Vec3<R> v) {
    return sandwich(b, v) * (R(1.0) / norm2(b));
  }

  // The coefficients of (1 - cos) / x and (angle - sin) / angle^3 as series in x = angle^2.
  struct Series {
    std::vector<T> b, c;
    Series() {
      T factorial(1.0);
      for (int k = 0; k < 40; ++k) {  // beyond 200 bits up to half a turn, and blends do not turn further
        factorial = factorial / T((2.0 * k + 1) * (2 * k + 2));
        b.push_back(k % 2 == 0 ? factorial : -factorial);  // (-1)^k / (2 k + 2)!
        const T next = factorial / T(2.0 * k + 3);
        c.push_back(k % 2 == 0 ? next : -next);  // (-1)^k / (2 k + 3)!
      }
    }
  };
  template <class R>
  static R evaluated(const std::vector<T>& coefficients, R x) {
    R sum = lift<R>(coefficients.back());
    for (std::size_t k = coefficients.size() - 1; k-- > 0;) sum = sum * x + lift<R>(coefficients[k]);
    return sum;
  }
  // Rotates and moves by the exponential of the blended twist.
  template <class R>
  struct Exponential {
    Vec3<R> turn, shift;
    R b, c, cosine, sine;  // sine over angle
    Vec3<R> rotated(Vec3<R> v) const {
      return v * cosine + cross(turn, v) * sine + turn * (dot(turn, v) * b);
    }
    Vec3<R> translation() const {
      const Vec3<R> u = cross(turn, shift);
      return shift + u * b + cross(turn, u) * c;
    }
  };
  template <class R>
  Exponential<R> exponential(const std::vector<R>& w) const {
    static const Series series;
    Exponential<R> e;
    e.turn = e.shift = Vec3<R>(R(0.0));
    for (int s = 0; s < c_.slots; ++s) {
      e.turn = e.turn + lift<R>(wide(c_.turn[s])) * w[static_cast<std::size_t>(s)];
      e.shift = e.shift + lift<R>(wide(c_.shift[s])) * w[static_cast<std::size_t>(s)];
    }
    const R x = dot(e.turn, e.turn);
    e.b = evaluated(series.b, x);
    e.c = evaluated(series.c, x);
    e.cosine = R(1.0) - x * e.b;
    e.sine = R(1.0) - x * e.c;
    return e;
  }

  // Dual quaternions as quaternions over numbers a + eps b.
  template <class R>
  static Quat<Dual<R>> joined(const Quat<R>& r, const Quat<R>& d) {
    return {Dual<R>(r.s, d.s), {Dual<R>(r.v.x, d.v.x), Dual<R>(r.v.y, d.v.y), Dual<R>(r.v.z, d.v.z)}};
  }
  template <class R>
  static Quat<R> part(const Quat<Dual<R>>& q, R Dual<R>::*of) {
    return {q.s.*of, {q.v.x.*of, q.v.y.*of, q.v.z.*of}};
  }
  template <class R>
  static Quat<R> lift(const Quat<T>& q) {
    return {lift<R>(q.s), lift<R>(q.v)};
  }

  // x / sin x of an angle from its cosine: five halvings, then arcsin(s) / (s sqrt(1 - s^2)) = sum_n s^2n prod 2 k / (2 k + 1),
  // s the sine of half the angle. Thirty terms are beyond 200 bits.
  template <class E>
  static E angle_over_sine(E cosine) {
    static const std::vector<T> coefficients = [] {
      std::vector<T> all{T(1.0)};
      for (int k = 1; k < 30; ++k) all.push_back(all.back() * (T(2.0 * k) / T(2.0 * k + 1)));
      return all;
    }();
    E factor(1.0);
    for (int i = 0; i < 5; ++i) {
      cosine = sqrt((cosine + E(1.0)) * E(.5));
      factor = factor * cosine;
    }
    return evaluated(coefficients, (E(1.0) - cosine) * E(.5)) / factor;
  }

  // c exp(sum_s w[s] log(c* q[s])), c the normalised blend [KCZO08], its real and dual part.
  template <class R>
  std::array<Quat<R>, 2> iterated(const std::vector<R>& w) const {
    using E = Dual<R>;
    const auto scaled = [](const Quat<E>& q, E k) { return Quat<E>{q.s * k, q.v * k}; };
    Quat<E> c = joined(blend(w, false), blend(w, true));
    c = scaled(c, E(1.0) / sqrt(norm2(c)));
    Vec3<E> step(E(0.0));
    for (int s = 0; s < c_.slots; ++s) {
      const Quat<E> q = scaled(joined(lift<R>(motion_part(s, false)), lift<R>(motion_part(s, true))),
                               E(lift<R>(side(s)), R(0.0)));
      const Quat<E> seen = product(conjugate(c), q);
      step = step + seen.v * (angle_over_sine(seen.s) * E(w[static_cast<std::size_t>(s)], R(0.0)));
    }
    static const Series series;
    const E x = dot(step, step);
    const Quat<E> m = product(
        c, Quat<E>{E(1.0) - x * evaluated(series.b, x), step * (E(1.0) - x * evaluated(series.c, x))});
    return {part(m, &E::v), part(m, &E::d)};
  }

  // The rotation that the blend by the weights w does, of any length.
  template <class R>
  Quat<R> blended_quaternion(Method method, const std::vector<R>& w) const {
    return method == Method::dib ? iterated(w)[0] : blend(w, false);
  }

  // Where the blend by the weights w moves a point whose centre of rotation is `centre`.
  template <class R>
  Vec3<R> position(Method method, const std::vector<R>& w, Vec3<R> p, Vec3<R> centre) const {
    if (method == Method::log) {
      const Exponential<R> e = exponential(w);
      return e.rotated(p) + e.translation();
    }
    if (method == Method::dib) {
      const auto [r, d] = iterated(w);
      return rotated(r, p) + product(d, conjugate(r)).v * (R(2.0) / norm2(r));
    }
    const Quat<R> r = blend(w, false);
    if (method == Method::dqs)
      return rotated(r, p) + product(blend(w, true), conjugate(r)).v * (R(2.0) / norm2(r));
    Vec3<R> there = rotated(r, p - centre);
    for (int s = 0; s < c_.slots; ++s) {
      const Mat4x3<T>& m = single_[static_cast<std::size_t>(s)];
      const Vec3<R> moved_centre =
          lift<R>(m[3]) + lift<R>(m[0]) * centre.x + lift<R>(m[1]) * centre.y + lift<R>(m[2]) * centre.z;
      there = there + moved_centre * w[static_cast<std::size_t>(s)];
    }
    return there;
  }
  // The frame at rest, turned by the blended rotation.
  Truth<T> turned_frame(Method method, const std::vector<T>& w) const {
    const V t = rest(c_.t), b = rest(c_.b), n = rest(c_.n);
    if (method == Method::log) {
      const Exponential<T> e = exponential(w);
      return {{}, e.rotated(t), e.rotated(b), e.rotated(n)};
    }
    const Quat<T> r = blended_quaternion(method, w);
    return {{}, rotated(r, t), rotated(r, b), rotated(r, n)};
  }

  Truth<T> rigid_standard(Method method) const {
    const std::vector<T> w = weights<T>(c_.weight, nullptr);
    Truth<T> k = turned_frame(method, w);
    k.p = position(method, w, rest(c_.p), rest(c_.centre));
    return k;
  }

  // [TPS14 Sec. 4.5]: the second terms of Eq. 13 with points that single bones move.
  Truth<T> dqs_deform() const {
    Truth<T> k = rigid_standard(Method::dqs);
    const V p = rest(c_.p), first = transform_point(single_[0], p);
    for (int s = 1; s < c_.slots; ++s) {
      const V r = transform_point(single_[static_cast<std::size_t>(s)], p) - first;
      k.t = k.t + r * wide(c_.alpha[s]);
      k.b = k.b + r * wide(c_.beta[s]);
    }
    k.n = cross(k.t, k.b);
    return k;
  }

  // The derivative of the position along a tangent, less the turned tangent.
  static V slope(const Vec3<D>& v) { return {v.x.d, v.y.d, v.z.d}; }
  static V value(const Vec3<D>& v) { return {v.x.v, v.y.v, v.z.v}; }
  static Vec3<D> running(V v, V along) { return {D(v.x, along.x), D(v.y, along.y), D(v.z, along.z)}; }

  // The blended rotation, by its columns.
  std::array<V, 3> rotation(Method method, const std::vector<T>& w) const {
    const T zero(0.0), one(1.0);
    const V x(one, zero, zero), y(zero, one, zero), z(zero, zero, one);
    if (method == Method::log) {
      const Exponential<T> e = exponential(w);
      return {e.rotated(x), e.rotated(y), e.rotated(z)};
    }
    const Quat<T> r = blended_quaternion(method, w);
    return {rotated(r, x), rotated(r, y), rotated(r, z)};
  }

  // t' = R t0 + sum_k (R[k] - R) v[k] + alpha[k] (M[k] - M) p0, from whole motions [preprocess/deform_frames.h].
  TruthTerms<T> frame_terms(Method method) const {
    const V none(T(0.0)), p = rest(c_.p), centre = rest(c_.centre);
    const std::vector<T> own = weights<T>(c_.weight, nullptr);
    const Truth<T> turned = turned_frame(method, own);
    const V here = position(method, own, p, centre);
    const std::array<V, 3> R = rotation(method, own);
    TruthTerms<T> k = {here, turned.t, turned.b, turned.n, none, none};
    for (int f = 0; f < 2; ++f) {
      std::vector<T> w = own;
      for (int s = 1; s < c_.slots; ++s) {
        const T change = wide(c_.frame_offset[f][s]);
        w[static_cast<std::size_t>(s)] = w[static_cast<std::size_t>(s)] + change;
        w[0] = w[0] - change;
      }
      const V about = method == Method::crs ? centre + rest(c_.frame_centre[f]) : centre;
      const V moved = position(method, w, p, about) - here;
      const std::array<V, 3> other = rotation(method, w);
      const auto turn = [&](V v) {
        return (other[0] - R[0]) * v.x + (other[1] - R[1]) * v.y + (other[2] - R[2]) * v.z;
      };
      k.d += turn(rest(c_.frame_t[f])) + moved * wide(c_.frame_alpha[f]);
      k.e += turn(rest(c_.frame_b[f])) + moved * wide(c_.frame_beta[f]);
    }
    return k;
  }

  TruthTerms<T> rigid_terms(Method method, NormalMode mode) const {
    if (mode == NormalMode::deform_frames) return frame_terms(method);
    const float* w = mode == NormalMode::smoothed ? c_.smooth_weight : c_.weight;
    const bool centre_varies =
        method == Method::crs && (mode == NormalMode::exact || mode == NormalMode::smoothed);
    const V none(T(0.0));
    const auto along = [&](const float* factor, Vec3f tangent, Vec3f centre_along) {
      return position(method, weights<D>(w, factor), running(rest(c_.p), rest(tangent)),
                      running(rest(c_.centre), centre_varies ? rest(centre_along) : none));
    };
    const Truth<T> turned = turned_frame(method, weights<T>(w, nullptr));
    const Vec3<D> t = along(c_.alpha, c_.t, c_.centre_along_t), b = along(c_.beta, c_.b, c_.centre_along_b);
    TruthTerms<T> k = {value(t), turned.t, turned.b, turned.n, {}, {}};
    k.d = slope(t) - k.Tt;
    k.e = slope(b) - k.Tb;
    if (mode == NormalMode::smoothed) k.p = rigid_standard(method).p;
    return k;
  }

  const VertexCase& c_;
  std::vector<Mat4x3<T>> single_;  // single_point() as an affine map
};

}  // namespace skinlight::stability
