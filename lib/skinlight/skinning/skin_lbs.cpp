// Linear blend skinning on the CPU.
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/skinning/skin_range.h"

namespace skinlight {

namespace {

template <class K>
struct LbsInput {
  typename K::RestVertex rest;
  typename K::Influences x;
  typename K::DeformFactors f;
  typename K::WeightGradients g;
  typename K::SmoothWeights mean;
  typename K::DeformVectors tau;
};

template <class K>
LbsInput<K> gather(const DeformFactors& factors, const std::vector<typename K::mat4x3>& M, int vertex,
                   const typename K::RestVertex& rest) {
  using real = typename K::real;
  LbsInput<K> in;
  in.rest = rest;
  for_each_slot<K>(factors, vertex, [&](int s, std::size_t bone, std::ptrdiff_t i) {
    in.x.M[s] = M[bone];
    in.x.w[s] = slot_value<real>(factors.weight, i);
    in.f.alpha[s] = slot_value<real>(factors.alpha, i);
    in.f.beta[s] = slot_value<real>(factors.beta, i);
    in.mean.w[s] = slot_value<real>(factors.smooth_weight, i);
    in.g.a[s] = i < 0 || factors.gradient.empty()
                    ? typename K::vec3(real(0))
                    : typename K::vec3(factors.gradient[static_cast<std::size_t>(i)]);
  });
  return in;
}

template <class K>
LbsInput<K> gather(const DeformVectors& vectors, const std::vector<typename K::mat4x3>& M, int vertex,
                   const typename K::RestVertex& rest) {
  using real = typename K::real;
  LbsInput<K> in;
  in.rest = rest;
  for_each_slot<K>(vectors, vertex, [&](int s, std::size_t bone, std::ptrdiff_t i) {
    in.x.M[s] = M[bone];
    in.x.w[s] = slot_value<real>(vectors.weight, i);
    const DeformVector none;
    const DeformVector& t = i < 0 ? none : vectors.along_t[static_cast<std::size_t>(i)];
    const DeformVector& b = i < 0 ? none : vectors.along_b[static_cast<std::size_t>(i)];
    in.tau.t[s] = typename K::vec3(t.v);
    in.tau.alpha[s] = real(t.w);
    in.tau.b[s] = typename K::vec3(b.v);
    in.tau.beta[s] = real(b.w);
  });
  return in;
}

// The modes that guards act on.
template <class K>
typename K::PosedVertex run_free(const LbsInput<K>& in, NormalMode mode) {
  if (mode == NormalMode::smoothed) return K().lbs_smoothed(in.x, in.f, in.mean, in.rest);
  if (mode == NormalMode::deform_vectors) return K().lbs_deform_vectors(in.x, in.tau, in.rest);
  return K().lbs_deform(in.x, in.f, in.rest);
}

template <class K>
typename K::TangentTerms tangent_terms(const LbsInput<K>& in, NormalMode mode) {
  if (mode == NormalMode::smoothed) return K().lbs_smoothed_terms(in.x, in.f, in.mean, in.rest);
  if (mode == NormalMode::deform_vectors) return K().lbs_deform_vectors_terms(in.x, in.tau, in.rest);
  return K().lbs_deform_terms(in.x, in.f, in.rest);
}

template <class K>
typename K::PosedVertex run_guarded(const LbsInput<K>& in, NormalMode mode, Guard guard, GuardInput with) {
  using real = typename K::real;
  switch (guard) {
    case Guard::none:
      break;
    case Guard::clamp:
      return K().joined(K().guard_clamp(tangent_terms<K>(in, mode), real(with.limit)));
    case Guard::joint:
      return K().joined(K().guard_joint(tangent_terms<K>(in, mode), real(with.limit)));
    case Guard::test_then_fix:
      return K().joined(
          K().guard_test_then_fix(tangent_terms<K>(in, mode), real(with.limit), real(with.kept)));
  }
  return run_free<K>(in, mode);
}

template <class K>
typename K::PosedVertex run(const LbsInput<K>& in, const SkinOptions& options, GuardInput guard) {
  switch (options.mode) {
    case NormalMode::standard:
      return K().lbs_standard(in.x, in.rest);
    case NormalMode::inverse_transpose:
      return K().lbs_exact_inverse_transpose(in.x, in.g, in.rest);
    case NormalMode::cofactors:
      return K().lbs_exact_cofactors(in.x, in.g, in.rest);
    case NormalMode::tangent_pair:
      return K().lbs_exact_tangent_pair(in.x, in.g, in.rest);
    case NormalMode::deform_naive:
      return K().lbs_deform_naive(in.x, in.f, in.rest);
    case NormalMode::deform:
    case NormalMode::exact:
    case NormalMode::smoothed:
    case NormalMode::exact_fixed_centre:
    case NormalMode::deform_vectors:
      break;
  }
  return run_guarded<K>(in, options.mode, options.guard.guard, guard);
}

// The loop over vertices with the slots of `source`: deform factors or deform vectors.
template <class Real, class Source>
SkinRange range_over(const SkinJob<Real>& job, const Source& source) {
  const GuardInput guard = guard_input(job.options.guard, job.pose);
  const std::vector<Mat4x3<Real>> M(job.pose.M.begin(), job.pose.M.end());
  return with_kernels<Real>(source.slots, [&](auto kernels) -> SkinRange {
    using K = decltype(kernels);
    return [job, M, guard, &source](int begin, int end) {
      pose_range<K>(job, begin, end, [&](int vertex, const typename K::RestVertex& rest) {
        return run<K>(gather<K>(source, M, vertex, rest), job.options, guard);
      });
    };
  });
}

}  // namespace

template <class Real>
SkinRange lbs_range(const SkinJob<Real>& job) {
  if (job.options.mode == NormalMode::deform_vectors) return range_over(job, *job.data.vectors);
  return range_over(job, job.data.factors);
}

template SkinRange lbs_range(const SkinJob<float>&);
template SkinRange lbs_range(const SkinJob<double>&);

}  // namespace skinlight
