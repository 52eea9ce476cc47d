// Linear blend skinning on the CPU.
#include "skinlight/skinning/skin_range.h"

namespace skinlight {

namespace {

template <class K>
struct LbsInput {
  typename K::RestVertex rest;
  typename K::Influences x;
  typename K::DeformFactors f;
  typename K::WeightGradients g;
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
    in.g.a[s] =
        i < 0 ? typename K::vec3(real(0)) : typename K::vec3(factors.gradient[static_cast<std::size_t>(i)]);
  });
  return in;
}

template <class K>
typename K::PosedVertex run_guarded(const LbsInput<K>& in, Guard guard, GuardInput with) {
  using real = typename K::real;
  switch (guard) {
    case Guard::none:
      break;
    case Guard::clamp:
      return K().lbs_deform_clamped(in.x, in.f, in.rest, real(with.limit));
    case Guard::joint:
      return K().lbs_deform_joint(in.x, in.f, in.rest, real(with.limit));
    case Guard::test_then_fix:
      return K().lbs_deform_test_then_fix(in.x, in.f, in.rest, real(with.limit), real(with.kept));
  }
  return K().lbs_deform(in.x, in.f, in.rest);
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
      break;
  }
  return run_guarded(in, options.guard.guard, guard);
}

}  // namespace

template <class Real>
SkinRange lbs_range(const SkinJob<Real>& job) {
  const GuardInput guard = guard_input(job.options.guard, job.pose);
  const std::vector<Mat4x3<Real>> M(job.pose.M.begin(), job.pose.M.end());
  return with_kernels<Real>(job.data.factors.slots, [&](auto kernels) -> SkinRange {
    using K = decltype(kernels);
    return [job, M, guard](int begin, int end) {
      pose_range<K>(job, begin, end, [&](int vertex, const typename K::RestVertex& rest) {
        return run(gather<K>(job.data.factors, M, vertex, rest), job.options, guard);
      });
    };
  });
}

template SkinRange lbs_range(const SkinJob<float>&);
template SkinRange lbs_range(const SkinJob<double>&);

}  // namespace skinlight
