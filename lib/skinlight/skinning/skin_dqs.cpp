// Dual quaternion skinning on the CPU.
#include "skinlight/skinning/skin_rigid.h"

namespace skinlight {

namespace {

template <class K>
typename K::PosedVertex run(const RigidInput<K>& in, const SkinOptions& options, GuardInput guard) {
  const auto tangents = [&](const typename K::Derivative& k) {
    return guarded<K>(k, in.rest, options.guard.guard, guard);
  };
  if (options.mode == NormalMode::standard) return K().dqs_standard(in.y, in.rest);
  if (options.mode == NormalMode::deform) return K().dqs_deform(in.y, in.f, in.rest);
  if (options.mode == NormalMode::smoothed)
    return tangents(K().dqs_smoothed(in.y, in.f, in.averaged, in.rest.p));
  return tangents(K().dqs_exact(in.y, in.f, in.rest.p));
}

}  // namespace

template <class Real>
SkinRange dqs_range(const SkinJob<Real>& job) {
  return rigid_range(job, rigid_part(job.pose, bone_reach(job.mesh)),
                     [job](int, const auto& in, GuardInput guard) { return run(in, job.options, guard); });
}

template SkinRange dqs_range(const SkinJob<float>&);
template SkinRange dqs_range(const SkinJob<double>&);

}  // namespace skinlight
