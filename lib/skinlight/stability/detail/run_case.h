// Runs the kernels of subjects on a case, over any scalar. Nothing here but templates over the scalar: a file compiled
// with other flags gives its own scalar, a type of an unnamed namespace (see core/pack.h).
#pragma once

#include <array>
#include <span>

#include "skinlight/core/random.h"
#include "skinlight/skinning/detail/skin_modes.h"
#include "skinlight/stability/scalars.h"

namespace skinlight::stability {

// What a guard is given in the case: floats, as all else.
GuardInput case_guard(const VertexCase& c, Guard guard);

// The sign that makes the normal of the mode point outwards.
double case_side(const VertexCase& c, NormalMode mode);

template <class K>
class CaseInput {
  using real = typename K::real;
  using V = Vec3<real>;

 public:
  explicit CaseInput(const VertexCase& c) {
    for (int s = 0; s < K::INFLUENCES; ++s) {
      lbs_.x.w[s] = rigid_.x.w[s] = rigid_.twists.w[s] = of(c.weight[s]);
      lbs_.averaged.w[s] = rigid_.averaged.w[s] = of(c.smooth_weight[s]);
      lbs_.f.alpha[s] = lbs_.tau.alpha[s] = rigid_.f.alpha[s] = of(c.alpha[s]);
      lbs_.f.beta[s] = lbs_.tau.beta[s] = rigid_.f.beta[s] = of(c.beta[s]);
      lbs_.g.a[s] = of(c.gradient[s]);
      lbs_.tau.t[s] = of(c.vector_t[s]);
      lbs_.tau.b[s] = of(c.vector_b[s]);
      for (int i = 0; i < 4; ++i) lbs_.x.M[s][i] = of(c.bone[s][i]);
      rigid_.x.q[s] = {of(c.motion[s].r), of(c.motion[s].d)};
      rigid_.twists.xi[s] = {of(c.turn[s]), of(c.shift[s])};
    }
    lbs_.rest = {of(c.p), of(c.n), of(c.t), of(c.b)};
    const real scale = of(c.scale);
    rigid_.rest = K().rest_scaled(lbs_.rest, scale);
    rigid_.centre = K().centre_scaled({of(c.centre), of(c.centre_along_t), of(c.centre_along_b)}, scale);
  }

  const typename K::RestVertex& rest() const { return lbs_.rest; }
  // Of a method that blends rotations, in a mode that takes guards.
  typename K::Derivative derivative(const Subject& subject) const {
    return skinlight::derivative<K>(rigid_, subject.method, subject.mode);
  }
  typename K::PosedVertex turned(const typename K::Derivative& k) const { return K().turned(k, rigid_.rest); }
  typename K::TangentTerms terms(const typename K::Derivative& k) const {
    return K().tangent_terms(k, rigid_.rest);
  }
  typename K::PosedVertex unguarded(const Subject& subject) const {
    return subject.method == Method::lbs ? skinlight::unguarded(lbs_, subject.method, subject.mode)
                                         : skinlight::unguarded(rigid_, subject.method, subject.mode);
  }
  typename K::TangentTerms lbs_terms(const Subject& subject) const {
    return skinlight::terms(lbs_, subject.method, subject.mode);
  }

 private:
  static real of(float x) { return real(static_cast<double>(x)); }
  static V of(const Vec3f& v) { return {of(v.x), of(v.y), of(v.z)}; }
  static typename K::Quaternion of(const float* q) { return {of(q[3]), {of(q[0]), of(q[1]), of(q[2])}}; }

  LbsInput<K> lbs_{};
  RigidInput<K> rigid_{};
};

// For each subject but rivals: before(stage), its kernel, done(which, posed vertex, rest vertex). Subjects of one mode that
// follow each other share its derivative or its terms, which are the same whatever is done with them.
enum class Stage { kernel, shared, continued };

template <class K, class Before, class Done>
void run_subjects(const VertexCase& c, std::span<const Subject> chosen, Before before, Done done) {
  const CaseInput<K> in(c);
  typename K::Derivative derivative{};
  typename K::TangentTerms terms{};
  const Subject* shared_of = nullptr;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Subject& subject = chosen[i];
    if (subject.rival) continue;
    const bool rigid = subject.method != Method::lbs, guarded = subject.guard != Guard::none;
    if (!guarded && !(rigid && takes_guard(subject.method, subject.mode))) {
      before(Stage::kernel);
      done(i, in.unguarded(subject), in.rest());
      continue;
    }
    if (!shared_of || shared_of->method != subject.method || shared_of->mode != subject.mode) {
      before(Stage::shared);
      if (rigid) {
        derivative = in.derivative(subject);
        terms = in.terms(derivative);
      } else {
        terms = in.lbs_terms(subject);
      }
      shared_of = &subject;
    }
    before(Stage::continued);
    done(i,
         guarded ? shortened<K>(terms, subject.guard, case_guard(c, subject.guard)) : in.turned(derivative),
         in.rest());
  }
}

// run(Kernels<Real, N>()) with the slots of the case.
template <class Real, class Run>
void with_case_kernels(const VertexCase& c, Run run) {
  if (c.slots == 4)
    run(Kernels<Real, 4>());
  else if (c.slots == 8)
    run(Kernels<Real, 8>());
  else
    run(Kernels<Real, 16>());
}

// What stands for a scalar of finished results: its number, and what happens before a kernel runs on it.
template <class Real>
struct Trait {
  static double value(const Real& x) { return static_cast<double>(x.value()); }
  static void seed(std::uint64_t) {}
  static bool missed() { return false; }
};

// results: #chosen; those of rivals stay as they are.
template <class Real>
void run_case(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  using T = Trait<Real>;
  const auto plain = [](const Vec3<Real>& v) { return Vec3d(T::value(v.x), T::value(v.y), T::value(v.z)); };
  with_case_kernels<Real>(c, [&](auto kernels) {
    using K = decltype(kernels);
    bool shared_missed = false, first = false;
    run_subjects<K>(
        c, chosen,
        [&](Stage stage) {
          if (stage == Stage::continued) {
            if (first) shared_missed = T::missed();
            first = false;
          } else {
            shared_missed = false;
            first = stage == Stage::shared;
          }
          T::seed(c.seed + (stage == Stage::continued ? 1 : 0));
        },
        [&](std::size_t i, const typename K::PosedVertex& posed, const typename K::RestVertex& rest) {
          const typename K::PosedVertex v = K().finish(posed, rest, Real(case_side(c, chosen[i].mode)));
          results[i] = {plain(v.p), plain(v.t), plain(v.b), plain(v.n), shared_missed || T::missed()};
        });
  });
}

}  // namespace skinlight::stability
