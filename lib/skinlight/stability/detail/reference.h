// The truth: what every method and normal mode should give, over any wide scalar. Written from the definitions, not from
// shaders/kernels/: motions are those of truth/detail/rigid_blend.h, tangents are derivatives of the position by dual
// numbers, normals of the Jacobian are its cofactors. The floats of a case are taken as they are. What several methods or
// modes read is computed once for a case, when it is first asked for.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/stability/vertex_case.h"
#include "skinlight/truth/detail/rigid_blend.h"

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
  using S = by_definition::Slopes<T>;
  using Blending = by_definition::Blending;
  using Bones = by_definition::RigidBlend<T>;
  template <class R>
  using Motion = by_definition::Motion<R>;
  template <class X>
  using Once = by_definition::Once<X>;
  template <class R>
  using Weights = std::array<R, kMaxCaseSlots>;
  // At the vertex's own weights or at the smooth ones.
  enum At { kOwn, kSmooth, kAts };

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

  const Bones& bones() const {
    return bones_([&] {
      const auto quaternion = [](const float* q) {
        return by_definition::Quaternion<T>{wide(q[3]), wide(Vec3f(q[0], q[1], q[2]))};
      };
      std::vector<by_definition::BoneMotion<T>> all;
      for (int s = 0; s < c_.slots; ++s)
        all.push_back(
            {quaternion(c_.motion[s].r), quaternion(c_.motion[s].d), wide(c_.turn[s]), wide(c_.shift[s])});
      return Bones(std::move(all));
    });
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
  std::span<const R> of_slots(const Weights<R>& w) const {
    return std::span(w).first(static_cast<std::size_t>(c_.slots));
  }
  const Motion<S>& motion_at(Blending blending, At at) const {
    return motion_[blending][at]([&] { return bones().motion(blending, of_slots(weights(at))); });
  }
  const Mat4x3<S>& centre_map_at(At at) const {
    return centre_map_[at]([&] { return bones().centre_map(of_slots(weights(at))); });
  }
  const Motion<T>& frame_motion(Blending blending, int f) const {
    return frame_motion_[blending][f]([&] { return bones().motion(blending, of_slots(frame_weights(f))); });
  }
  const Mat4x3<T>& frame_centre_map(int f) const {
    return frame_centre_map_[f]([&] { return bones().centre_map(of_slots(frame_weights(f))); });
  }

  // Where the method moves the vertex, with the derivatives; about a centre that changes, or one that is held.
  Vec3<S> position(Method method, At at, bool centre_varies) const {
    const Motion<S>& m = motion_at(Bones::blending(method), at);
    const Vec3<S> p = by_definition::running(rest(c_.p), rest(c_.t), rest(c_.b));
    if (!Bones::turns_about_centre(method)) return by_definition::moved_by(m, p);
    const V none(T(0.0));
    const Vec3<S> centre =
        by_definition::running(rest(c_.centre), centre_varies ? rest(c_.centre_along_t) : none,
                               centre_varies ? rest(c_.centre_along_b) : none);
    return moved_about(m, centre_map_at(at), p, centre);
  }
  V own_position(Method method) const {
    return own_position_[static_cast<std::size_t>(method)](
        [&] { return value_of(position(method, kOwn, false)); });
  }

  Truth<T> rigid_standard(Method method) const {
    const Mat3<T> R = value_of(motion_at(Bones::blending(method), kOwn)).turn;
    return {own_position(method), R * rest(c_.t), R * rest(c_.b), R * rest(c_.n)};
  }

  // [TPS14 Sec. 4.5]: the second terms of Eq. 13 with points that single bones move.
  Truth<T> dqs_deform() const {
    Truth<T> k = rigid_standard(Method::dqs);
    const V p = rest(c_.p), first = transform_point(bones().single(0), p);
    for (int s = 1; s < c_.slots; ++s) {
      const V r = transform_point(bones().single(static_cast<std::size_t>(s)), p) - first;
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
    const Mat3<T> R = value_of(motion_at(Bones::blending(method), kOwn)).turn;
    TruthTerms<T> k = {turned.p, turned.t, turned.b, turned.n, none, none};
    for (int f = 0; f < 2; ++f) {
      const Motion<T>& m = frame_motion(Bones::blending(method), f);
      const V about = method == Method::crs ? centre + rest(c_.frame_centre[f]) : centre;
      const V there =
          Bones::turns_about_centre(method) ? moved_about(m, frame_centre_map(f), p, about) : moved_by(m, p);
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
    const Mat3<T> R = value_of(motion_at(Bones::blending(method), at)).turn;
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
  Once<Bones> bones_;
  Once<Motion<S>> motion_[by_definition::kBlendings][kAts];
  Once<Mat4x3<S>> centre_map_[kAts];
  Once<Motion<T>> frame_motion_[by_definition::kBlendings][2];
  Once<Mat4x3<T>> frame_centre_map_[2];
};

}  // namespace skinlight::stability
