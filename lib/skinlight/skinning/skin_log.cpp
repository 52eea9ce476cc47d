// Log-matrix blending on the CPU.
#include "skinlight/rig/twist.h"
#include "skinlight/skinning/skin_rigid.h"

namespace skinlight {

namespace {

template <class K>
typename K::TwistInfluences gather_twists(const DeformFactors& factors, const std::vector<Twist>& twists,
                                          int vertex) {
  using real = typename K::real;
  using vec3 = typename K::vec3;
  typename K::TwistInfluences x;
  for_each_slot<K>(factors, vertex, [&](int s, std::size_t bone, std::ptrdiff_t i) {
    x.xi[s] = {vec3(twists[bone].turn), vec3(twists[bone].shift)};
    x.w[s] = slot_value<real>(factors.weight, i);
  });
  return x;
}

template <class K>
typename K::PosedVertex run(const RigidInput<K>& in, const typename K::TwistInfluences& x,
                            const SkinOptions& options, GuardInput guard) {
  const auto tangents = [&](const typename K::Derivative& k) {
    return guarded<K>(k, in.rest, options.guard.guard, guard);
  };
  if (options.mode == NormalMode::standard) return K().log_standard(x, in.rest);
  if (options.mode == NormalMode::smoothed)
    return tangents(K().log_smoothed(x, in.f, in.averaged, in.rest.p));
  return tangents(K().log_exact(x, in.f, in.rest.p));
}

}  // namespace

template <class Real>
SkinRange log_range(const SkinJob<Real>& job) {
  // A pivot would change the result: logarithms of motions followed by a common one are not blended alike.
  const Pose whole = with_pivot(job.pose, -job.pose.pivot);
  const RigidPose rigid = rigid_part(whole, bone_reach(job.mesh));
  std::vector<Twist> twists;
  for (const DualQuat& q : rigid.bones) twists.push_back(log_of(q));
  const GuardInput guard = guard_input(job.options.guard, job.pose);
  return with_kernels<Real>(job.data.factors.slots, [&](auto kernels) -> SkinRange {
    using K = decltype(kernels);
    return [job, whole, rigid, twists, guard](int begin, int end) {
      const SkinJob<Real> without_pivot{job.mesh, job.data, whole, job.options, job.out};
      pose_range<K>(without_pivot, begin, end, [&](int vertex, const typename K::RestVertex& rest) {
        return run(gather_rigid<K>(job.data.factors, rigid, vertex, rest),
                   gather_twists<K>(job.data.factors, twists, vertex), job.options, guard);
      });
    };
  });
}

template SkinRange log_range(const SkinJob<float>&);
template SkinRange log_range(const SkinJob<double>&);

}  // namespace skinlight
