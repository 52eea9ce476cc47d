// The truth: what every method and normal mode should give, over any wide scalar. Written from the definitions, not from
// shaders/kernels/: rotations are products of quaternions, tangents are derivatives of the position by dual numbers,
// normals of the Jacobian are its cofactors. The floats of a case are taken as they are; where two formulas would differ
// only because a quaternion in float is not quite unit, a single bone turns as in [KCZO07]'s polynomial form and a blend
// is normalised. What several methods or modes read is computed once for a case, when it is first asked for.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/stability/detail/angle_series.h"
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
class Reference : AngleSeries<T> {
  using V = Vec3<T>;
  using S = Slopes<T>;
  using AngleSeries<T>::angle_over_sine;
  using AngleSeries<T>::cosine_series;
  using AngleSeries<T>::evaluated;
  using AngleSeries<T>::sine_series;
  using AngleSeries<T>::value_of;
  template <class R>
  struct Quat {
    R s;
    Vec3<R> v;
  };
  template <class R>
  using Weights = std::array<R, kMaxCaseSlots>;
  // Moves p to turn p + shift.
  template <class R>
  struct Motion {
    Mat3<R> turn;
    Vec3<R> shift;
  };
  // How rotations are blended.
  enum Blending { kQuaternions, kExponential, kIterated, kBlendings };
  // At the vertex's own weights or at the smooth ones.
  enum At { kOwn, kSmooth, kAts };

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

 public:
  explicit Reference(const VertexCase& c) : c_(c) {}

  // Modes that guards do not act on, or without one.
  Truth<T> unguarded(Method method, NormalMode mode) const {
    if (method == Method::lbs) return lbs(mode);
    switch (mode) {
      case NormalMode::standard:
        return rigid_standard(method);
      case NormalMode::deform:
        return dqs_deform();
      case NormalMode::exact:
      case NormalMode::exact_fixed_centre:
      case NormalMode::smoothed:
      case NormalMode::deform_frames:
        return joined(rigid_terms(method, mode));
      case NormalMode::inverse_transpose:
      case NormalMode::cofactors:
      case NormalMode::tangent_pair:
      case NormalMode::deform_naive:
      case NormalMode::deform_eq13:
      case NormalMode::deform_vectors:
        break;
    }
    throw std::logic_error("methods that blend rotations have no such mode");
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
  static T wide(float x) { return T(static_cast<double>(x)); }
  static V wide(const Vec3f& v) { return {wide(v.x), wide(v.y), wide(v.z)}; }
  static T positive(T x) { return x > T(0) ? x : T(0); }
  static void shorten(TruthTerms<T>& k, T factor) {
    k.d = k.d * factor;
    k.e = k.e * factor;
  }
  // v w in the numbers of the weight w.
  template <class R>
  static Vec3<R> weighted(const V& v, const R& w) {
    return {w * v.x, w * v.y, w * v.z};
  }

  // Linear blend skinning.

  V turned(int s, V v) const {
    const Mat4x3f& m = c_.bone[s];
    return wide(m[0]) * v.x + wide(m[1]) * v.y + wide(m[2]) * v.z;
  }
  // Where bone s moves the vertex.
  const V& moved(int s) const {
    return moved_([&] {
      std::array<V, kMaxCaseSlots> all;
      const V p = wide(c_.p);
      for (int i = 0; i < c_.slots; ++i)
        all[static_cast<std::size_t>(i)] = turned(i, p) + wide(c_.bone[i][3]);
      return all;
    })[static_cast<std::size_t>(s)];
  }
  // Of linear parts.
  const Mat3<T>& blended(At at) const {
    return blended_[at]([&] {
      const float* weight = at == kSmooth ? c_.smooth_weight : c_.weight;
      Mat3<T> sum(V(T(0.0)), V(T(0.0)), V(T(0.0)));
      for (int s = 0; s < c_.slots; ++s)
        for (int i = 0; i < 3; ++i) sum[i] += wide(c_.bone[s][i]) * wide(weight[s]);
      return sum;
    });
  }
  const V& blended_point() const {
    return blended_point_([&] {
      V sum(T(0.0));
      for (int s = 0; s < c_.slots; ++s) sum += moved(s) * wide(c_.weight[s]);
      return sum;
    });
  }
  // sum_s alpha[s] q[s] and sum_s beta[s] q[s] with factors that sum to 0.
  struct Varied {
    V t, b;
  };
  const Varied& varied() const {
    return varied_([&] {
      Varied sum{V(T(0.0)), V(T(0.0))};
      for (int s = 1; s < c_.slots; ++s) {
        const V r = moved(s) - moved(0);
        sum.t += r * wide(c_.alpha[s]);
        sum.b += r * wide(c_.beta[s]);
      }
      return sum;
    });
  }
  // sum_s w[s] M[s] + q[s] a[s]^T [TPS14 Eq. 7]
  const Mat3<T>& jacobian() const {
    return jacobian_([&] {
      Mat3<T> sum = blended(kOwn);
      for (int s = 0; s < c_.slots; ++s)
        for (int i = 0; i < 3; ++i) sum[i] += moved(s) * wide(c_.gradient[s][i]);
      return sum;
    });
  }
  // sum_s M[s] tau[s], tau[0] = (tangent, 0) less the others; `fourth` is what their last components give.
  V by_vectors(const Vec3f* tau, V fourth, V tangent) const {
    V sum = fourth, first = tangent;
    for (int s = 1; s < c_.slots; ++s) {
      sum += turned(s, wide(tau[s]));
      first -= wide(tau[s]);
    }
    return sum + turned(0, first);
  }

  TruthTerms<T> lbs_terms(NormalMode mode) const {
    const V t = wide(c_.t), b = wide(c_.b), n = wide(c_.n);
    const Mat3<T>& M = blended(mode == NormalMode::smoothed ? kSmooth : kOwn);
    TruthTerms<T> k = {blended_point(), M * t, M * b, M * n, varied().t, varied().b};
    if (mode == NormalMode::deform_vectors) {
      k.d = by_vectors(c_.vector_t, k.d, t) - k.Tt;
      k.e = by_vectors(c_.vector_b, k.e, b) - k.Tb;
    }
    return k;
  }

  Truth<T> lbs(NormalMode mode) const {
    const V t = wide(c_.t), b = wide(c_.b), n = wide(c_.n);
    switch (mode) {
      case NormalMode::standard: {
        const Mat3<T>& M = blended(kOwn);
        return {blended_point(), M * t, M * b, M * n};
      }
      case NormalMode::tangent_pair: {
        const V along_t = jacobian() * t, along_b = jacobian() * b;
        return {blended_point(), along_t, along_b, cross(along_t, along_b)};
      }
      case NormalMode::cofactors:
      case NormalMode::inverse_transpose: {
        const V x = jacobian()[0], y = jacobian()[1], z = jacobian()[2];
        V cofactor = cross(y, z) * n.x + cross(z, x) * n.y + cross(x, y) * n.z;
        if (mode == NormalMode::inverse_transpose) cofactor = cofactor * (T(1) / dot(x, cross(y, z)));
        return {blended_point(), jacobian() * t, jacobian() * b, cofactor};
      }
      case NormalMode::deform_naive:
      case NormalMode::deform_eq13:
      case NormalMode::deform:
      case NormalMode::smoothed:
      case NormalMode::deform_vectors:
        return joined(lbs_terms(mode));
      case NormalMode::exact:
      case NormalMode::exact_fixed_centre:
      case NormalMode::deform_frames:
        break;
    }
    throw std::logic_error("linear blending has no such mode");
  }

  // Methods that blend rotations. All see the scaled rest vertex.

  V rest(const Vec3f& v) const { return wide(v) * wide(c_.scale); }

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
  // v to a v a*: v (s^2 - |u|^2) + 2 u (u . v) + 2 s u x v of a = (s, u).
  template <class R>
  static Mat3<R> sandwich(const Quat<R>& a) {
    const R same = a.s * a.s - dot(a.v, a.v);
    const Vec3<R> u = a.v + a.v, turn = u * a.s;
    Mat3<R> m(u * a.v.x, u * a.v.y, u * a.v.z);
    m[0] = m[0] + Vec3<R>(same, turn.z, -turn.y);
    m[1] = m[1] + Vec3<R>(-turn.z, same, turn.x);
    m[2] = m[2] + Vec3<R>(turn.y, -turn.x, same);
    return m;
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
  // What the dual quaternion of one bone does to a point: r p r* + 2 vec(d r*) were |r| = 1, in the form that is linear in p
  // plus quadratic terms of the vector part alone.
  const Mat4x3<T>& single(int s) const {
    return single_([&] {
      std::array<Mat4x3<T>, kMaxCaseSlots> all;
      for (int i = 0; i < c_.slots; ++i) {
        const Quat<T> r = motion_part(i, false), d = motion_part(i, true);
        const Mat3<T> turn = sandwich(r);
        const T missing = T(1) - norm2(r), none(0.0);
        all[static_cast<std::size_t>(i)] = {
            turn[0] + V(missing, none, none), turn[1] + V(none, missing, none),
            turn[2] + V(none, none, missing), product(d, conjugate(r)).v * T(2)};
      }
      return all;
    })[static_cast<std::size_t>(s)];
  }

  template <class R>
  static R lift(T value) {
    if constexpr (std::is_same_v<R, T>)
      return value;
    else
      return R(value);
  }
  template <class R>
  static Vec3<R> lift(V v) {
    return {lift<R>(v.x), lift<R>(v.y), lift<R>(v.z)};
  }
  template <class R>
  static Quat<R> lift(const Quat<T>& q) {
    return {lift<R>(q.s), lift<R>(q.v)};
  }
  static V value_of(const Vec3<S>& v) { return {v.x.v, v.y.v, v.z.v}; }
  static Motion<T> value_of(const Motion<S>& m) {
    return {{value_of(m.turn[0]), value_of(m.turn[1]), value_of(m.turn[2])}, value_of(m.shift)};
  }

  // Slot 0 closes the sums.
  template <class R, class Of>
  Weights<R> closed(R sum, Of of) const {
    Weights<R> w;
    for (int s = c_.slots - 1; s > 0; --s) {
      w[static_cast<std::size_t>(s)] = of(s);
      sum = sum - w[static_cast<std::size_t>(s)];
    }
    w[0] = sum;
    return w;
  }
  // They change by alpha along t0 and by beta along b0.
  Weights<S> weights(At at) const {
    const float* weight = at == kSmooth ? c_.smooth_weight : c_.weight;
    return closed(S(1.0), [&](int s) { return S(wide(weight[s]), wide(c_.alpha[s]), wide(c_.beta[s])); });
  }
  // Of deform frame f.
  Weights<T> frame_weights(int f) const {
    return closed(T(1.0), [&](int s) { return wide(c_.weight[s]) + wide(c_.frame_offset[f][s]); });
  }

  template <class R>
  Quat<R> blend(const Weights<R>& w, bool dual) const {
    Quat<R> sum{R(0.0), Vec3<R>(R(0.0))};
    for (int s = 0; s < c_.slots; ++s) {
      const Quat<T> q = motion_part(s, dual);
      const R k = w[static_cast<std::size_t>(s)] * side(s);
      sum.s = sum.s + k * q.s;
      sum.v = sum.v + weighted(q.v, k);
    }
    return sum;
  }
  // Of a dual quaternion of any length.
  template <class R>
  static Motion<R> motion_of(const Quat<R>& r, const Quat<R>& d) {
    const R inverse = R(1.0) / norm2(r);
    return {sandwich(r) * inverse, product(d, conjugate(r)).v * (inverse + inverse)};
  }

  // The exponential of the blended twist.
  template <class R>
  Motion<R> exponential(const Weights<R>& w) const {
    Vec3<R> a(R(0.0)), shift(R(0.0));
    for (int s = 0; s < c_.slots; ++s) {
      a = a + weighted(wide(c_.turn[s]), w[static_cast<std::size_t>(s)]);
      shift = shift + weighted(wide(c_.shift[s]), w[static_cast<std::size_t>(s)]);
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
  static Quat<Dual<R>> joined(const Quat<R>& r, const Quat<R>& d) {
    return {Dual<R>(r.s, d.s), {Dual<R>(r.v.x, d.v.x), Dual<R>(r.v.y, d.v.y), Dual<R>(r.v.z, d.v.z)}};
  }
  template <class R>
  static Quat<R> part(const Quat<Dual<R>>& q, R Dual<R>::*of) {
    return {q.s.*of, {q.v.x.*of, q.v.y.*of, q.v.z.*of}};
  }

  // c exp(sum_s w[s] log(c* q[s])), c the normalised blend [KCZO08].
  template <class R>
  Motion<R> iterated(const Weights<R>& w) const {
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
    const E x = dot(step, step);
    const Quat<E> m = product(c, Quat<E>{E(1.0) - x * evaluated(cosine_series(), x),
                                         step * (E(1.0) - x * evaluated(sine_series(), x))});
    return motion_of(part(m, &E::v), part(m, &E::d));
  }

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
  template <class R>
  Motion<R> motion(Blending blending, const Weights<R>& w) const {
    if (blending == kExponential) return exponential(w);
    if (blending == kIterated) return iterated(w);
    return motion_of(blend(w, false), blend(w, true));
  }
  // sum_s w[s] M[s]: where centres of rotation go.
  template <class R>
  Mat4x3<R> centre_map(const Weights<R>& w) const {
    const Vec3<R> none(R(0.0));
    Mat4x3<R> sum(none, none, none, none);
    for (int s = 0; s < c_.slots; ++s)
      for (int i = 0; i < 4; ++i) sum[i] += weighted(single(s)[i], w[static_cast<std::size_t>(s)]);
    return sum;
  }
  const Motion<S>& motion_at(Blending blending, At at) const {
    return motion_[blending][at]([&] { return motion(blending, weights(at)); });
  }
  const Mat4x3<S>& centre_map_at(At at) const {
    return centre_map_[at]([&] { return centre_map(weights(at)); });
  }
  const Motion<T>& frame_motion(Blending blending, int f) const {
    return frame_motion_[blending][f]([&] { return motion(blending, frame_weights(f)); });
  }
  const Mat4x3<T>& frame_centre_map(int f) const {
    return frame_centre_map_[f]([&] { return centre_map(frame_weights(f)); });
  }

  static bool turns_about_centre(Method method) { return description(method).centre != CentreKind::none; }
  // Where a motion moves a point, or about a centre of rotation.
  template <class R>
  static Vec3<R> moved_by(const Motion<R>& m, Vec3<R> p) {
    return m.turn * p + m.shift;
  }
  template <class R>
  static Vec3<R> moved_about(const Motion<R>& m, const Mat4x3<R>& centres, Vec3<R> p, Vec3<R> centre) {
    return m.turn * (p - centre) + transform_point(centres, centre);
  }
  // A vector that changes along t0 and b0.
  static Vec3<S> running(V v, V along_t, V along_b) {
    return {S(v.x, along_t.x, along_b.x), S(v.y, along_t.y, along_b.y), S(v.z, along_t.z, along_b.z)};
  }
  // Where the method moves the vertex, with the derivatives; about a centre that changes, or one that is held.
  Vec3<S> position(Method method, At at, bool centre_varies) const {
    const Motion<S>& m = motion_at(blending(method), at);
    const Vec3<S> p = running(rest(c_.p), rest(c_.t), rest(c_.b));
    if (!turns_about_centre(method)) return moved_by(m, p);
    const V none(T(0.0));
    const Vec3<S> centre = running(rest(c_.centre), centre_varies ? rest(c_.centre_along_t) : none,
                                   centre_varies ? rest(c_.centre_along_b) : none);
    return moved_about(m, centre_map_at(at), p, centre);
  }
  V own_position(Method method) const {
    return own_position_[static_cast<std::size_t>(method)](
        [&] { return value_of(position(method, kOwn, false)); });
  }

  Truth<T> rigid_standard(Method method) const {
    const Mat3<T> R = value_of(motion_at(blending(method), kOwn)).turn;
    return {own_position(method), R * rest(c_.t), R * rest(c_.b), R * rest(c_.n)};
  }

  // [TPS14 Sec. 4.5]: the second terms of Eq. 13 with points that single bones move.
  Truth<T> dqs_deform() const {
    Truth<T> k = rigid_standard(Method::dqs);
    const V p = rest(c_.p), first = transform_point(single(0), p);
    for (int s = 1; s < c_.slots; ++s) {
      const V r = transform_point(single(s), p) - first;
      k.t = k.t + r * wide(c_.alpha[s]);
      k.b = k.b + r * wide(c_.beta[s]);
    }
    k.n = cross(k.t, k.b);
    return k;
  }

  // t' = R t0 + sum_k (R[k] - R) v[k] + alpha[k] (M[k] - M) p0, from whole motions [preprocess/deform_frames.h].
  TruthTerms<T> frame_terms(Method method) const {
    const V none(T(0.0)), p = rest(c_.p), centre = rest(c_.centre);
    const Truth<T> turned = rigid_standard(method);
    const Mat3<T> R = value_of(motion_at(blending(method), kOwn)).turn;
    TruthTerms<T> k = {turned.p, turned.t, turned.b, turned.n, none, none};
    for (int f = 0; f < 2; ++f) {
      const Motion<T>& m = frame_motion(blending(method), f);
      const V about = method == Method::crs ? centre + rest(c_.frame_centre[f]) : centre;
      const V there =
          turns_about_centre(method) ? moved_about(m, frame_centre_map(f), p, about) : moved_by(m, p);
      const V moved = there - turned.p;
      const auto changed = [&](V v) {
        return (m.turn[0] - R[0]) * v.x + (m.turn[1] - R[1]) * v.y + (m.turn[2] - R[2]) * v.z;
      };
      k.d += changed(rest(c_.frame_t[f])) + moved * wide(c_.frame_alpha[f]);
      k.e += changed(rest(c_.frame_b[f])) + moved * wide(c_.frame_beta[f]);
    }
    return k;
  }

  // The derivative of the position along a tangent, less the turned tangent.
  TruthTerms<T> rigid_terms(Method method, NormalMode mode) const {
    if (mode == NormalMode::deform_frames) return frame_terms(method);
    const At at = mode == NormalMode::smoothed ? kSmooth : kOwn;
    const bool centre_varies =
        method == Method::crs && (mode == NormalMode::exact || mode == NormalMode::smoothed);
    const Mat3<T> R = value_of(motion_at(blending(method), at)).turn;
    const Vec3<S> p = position(method, at, centre_varies);
    const V Tt = R * rest(c_.t), Tb = R * rest(c_.b);
    return {at == kSmooth ? own_position(method) : value_of(p),
            Tt,
            Tb,
            R * rest(c_.n),
            V(p.x.t, p.y.t, p.z.t) - Tt,
            V(p.x.b, p.y.b, p.z.b) - Tb};
  }

  const VertexCase& c_;
  Once<std::array<V, kMaxCaseSlots>> moved_;
  Once<Mat3<T>> blended_[kAts], jacobian_;
  Once<V> blended_point_, own_position_[kMethodCount];
  Once<Varied> varied_;
  Once<std::array<Mat4x3<T>, kMaxCaseSlots>> single_;
  Once<Motion<S>> motion_[kBlendings][kAts];
  Once<Mat4x3<S>> centre_map_[kAts];
  Once<Motion<T>> frame_motion_[kBlendings][2];
  Once<Mat4x3<T>> frame_centre_map_[2];
};

}  // namespace skinlight::stability
