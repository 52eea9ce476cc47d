// Runs the kernels of subjects on a case, over any scalar. Nothing here but templates over the scalar: a file compiled
// with other flags gives its own scalar, a type of an unnamed namespace (see core/pack.h).
#pragma once

#include <array>
#include <span>
#include <type_traits>

#include "skinlight/core/random.h"
#include "skinlight/skinning/block_loop.h"
#include "skinlight/stability/scalars.h"

namespace skinlight::stability {

// What a guard is given in the case: floats, as all else.
GuardInput case_guard(const VertexCase& c, Guard guard);

// The sign that makes the normal of the mode point outwards, or of all modes of that side.
double case_side(const VertexCase& c, NormalMode mode);
double case_side(const VertexCase& c, NormalSide side);

// The case as kernels read it: its numbers are floats, or the scalar's already.
template <class K>
class CaseInput {
  using real = typename K::real;
  using V = Vec3<real>;
  static constexpr bool kOther = !std::is_same_v<real, float>;

 public:
  template <class Float>
  explicit CaseInput(const BasicVertexCase<Float>& c) {
    KernelInput<K>& in = by_matrices_;
    in.rest = {of(c.p), of(c.n), of(c.t), of(c.b)};
    for (int s = 0; s < K::INFLUENCES; ++s) {
      in.x.w[s] = in.y.w[s] = in.z.w[s] = of(c.weight[s]);
      in.mean.w[s] = of(c.smooth_weight[s]);
      in.f.alpha[s] = in.tau.alpha[s] = of(c.alpha[s]);
      in.f.beta[s] = in.tau.beta[s] = of(c.beta[s]);
      in.g.a[s] = of(c.gradient[s]);
      in.tau.t[s] = of(c.vector_t[s]);
      in.tau.b[s] = of(c.vector_b[s]);
      for (int i = 0; i < 4; ++i) in.x.M[s][i] = of(c.bone[s][i]);
      in.y.q[s] = {of(c.motion[s].r), of(c.motion[s].d)};
      in.z.xi[s] = {of(c.turn[s]), of(c.shift[s])};
    }
    const real scale = of(c.scale);
    for (int k = 0; k < K::FRAMES; ++k) {
      for (int s = 0; s < K::INFLUENCES; ++s) in.frames.w[K::INFLUENCES * k + s] = of(c.frame_offset[k][s]);
      in.frames.t[k] = of(c.frame_t[k]);
      in.frames.b[k] = of(c.frame_b[k]);
      in.frames.alpha[k] = of(c.frame_alpha[k]);
      in.frames.beta[k] = of(c.frame_beta[k]);
      in.frames.centre[k] = of(c.frame_centre[k]);
    }
    in.frames = K().frames_scaled(in.frames, scale);
    in.centre = K().centre_scaled({of(c.centre), of(c.centre_along_t), of(c.centre_along_b)}, scale);
    rigid_ = in;
    rigid_.rest = K().rest_scaled(in.rest, scale);
  }

  const typename K::RestVertex& rest() const { return by_matrices_.rest; }
  const KernelInput<K>& of_mover(Mover mover) const {
    return mover == Mover::matrices ? by_matrices_ : rigid_;
  }

 private:
  static real of(float x) { return real(static_cast<double>(x)); }
  static V of(const Vec3f& v) { return {of(v.x), of(v.y), of(v.z)}; }
  static typename K::Quaternion of(const float* q) { return {of(q[3]), {of(q[0]), of(q[1]), of(q[2])}}; }
  static const real& of(const real& x) requires kOther { return x; }
  static const V& of(const V& v) requires kOther { return v; }
  static typename K::Quaternion of(const real* q) requires kOther { return {q[3], {q[0], q[1], q[2]}}; }

  KernelInput<K> by_matrices_{}, rigid_{};
};

// Once for all: before(stage). Then for each subject but rivals: before(stage), its kernel, done(which, posed vertex, rest
// vertex). Subjects of one mode that follow each other share its derivative or its terms, which are the same whatever is
// done with them.
enum class Stage { kernel, shared, continued };

template <class K, class Float, class Before, class Done>
void run_subjects(const BasicVertexCase<Float>& c, std::span<const Subject> chosen, Before before,
                  Done done) {
  // What all of them share rounds by the case's own seed too, and not by what ran before it.
  before(Stage::kernel);
  const CaseInput<K> inputs(c);
  KernelTable::for_each([&]<class Kernel>(Kernel) {
    const KernelInput<K>& in = inputs.of_mover(Kernel::traits.mover);
    bool shared = false;
    [[maybe_unused]] typename K::Derivative derivative{};
    [[maybe_unused]] typename K::TangentTerms terms{};
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const Subject& subject = chosen[i];
      if (subject.rival || subject.method != Kernel::method || subject.mode != Kernel::mode) continue;
      const bool guarded = subject.guard != Guard::none;
      if constexpr (takes_guards<Kernel>) {
        if (!shared && (gives_derivative<Kernel> || guarded)) {
          before(Stage::shared);
          if constexpr (gives_derivative<Kernel>) {
            derivative = Kernel::derivative(in);
            terms = K().tangent_terms(derivative, in.rest);
          } else {
            terms = Kernel::terms(in);
          }
          shared = true;
        }
        if (guarded) {
          before(Stage::continued);
          const auto with = case_guard(c, subject.guard);
          using real = typename K::real;
          done(i, shortened<K>(terms, subject.guard, real(with.limit), real(with.kept)), inputs.rest());
          continue;
        }
      }
      if constexpr (gives_derivative<Kernel>) {
        before(Stage::continued);
        done(i, K().turned(derivative, in.rest), inputs.rest());
      } else {
        before(Stage::kernel);
        done(i, Kernel::run(in), inputs.rest());
      }
    }
  });
}

// run(Kernels<Real, N>()) with the slots of the case.
template <class Real, class Float, class Run>
void with_case_kernels(const BasicVertexCase<Float>& c, Run run) {
  if (c.slots == 4)
    run(Kernels<Real, 4>());
  else if (c.slots == 8)
    run(Kernels<Real, 8>());
  else
    run(Kernels<Real, 16>());
}

// results: #chosen; those of rivals stay as they are.
template <class Real>
void run_case(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  with_case_kernels<Real>(c, [&](auto kernels) {
    using K = decltype(kernels);
    run_subjects<K>(
        c, chosen, [](Stage) {},
        [&](std::size_t i, const typename K::PosedVertex& posed, const typename K::RestVertex& rest) {
          const typename K::PosedVertex v = K().finish(posed, rest, Real(case_side(c, chosen[i].mode)));
          results[i] = {Vec3d(v.p), Vec3d(v.t), Vec3d(v.b), Vec3d(v.n)};
        });
  });
}

}  // namespace skinlight::stability
