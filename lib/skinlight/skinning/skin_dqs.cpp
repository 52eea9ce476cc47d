// Dual quaternion skinning on the CPU.
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/skin_rigid.h"

namespace skinlight {

namespace {

template <class K>
typename K::PosedVertex run(const RigidInput<K>& in, NormalMode mode) {
  if (mode == NormalMode::standard) return K().dqs_standard(in.y, in.rest);
  if (mode == NormalMode::deform) return K().dqs_deform(in.y, in.f, in.rest);
  return K().dqs_exact(in.y, in.f, in.rest);
}

}  // namespace

template <class Real>
SkinRange dqs_range(const SkinJob<Real>& job) {
  const RigidPose rigid = rigid_part(job.pose, bone_reach(job.mesh));
  return with_kernels<Real>(job.data.factors.slots, [&](auto kernels) -> SkinRange {
    using K = decltype(kernels);
    return [job, rigid](int begin, int end) {
      pose_range<K>(job, begin, end, [&](int vertex, const typename K::RestVertex& rest) {
        return run(gather_rigid<K>(job.data.factors, rigid, vertex, rest), job.options.mode);
      });
    };
  });
}

template SkinRange dqs_range(const SkinJob<float>&);
template SkinRange dqs_range(const SkinJob<double>&);

}  // namespace skinlight
