// Dual quaternion skinning on the CPU.
#include "skinlight/skinning/detail/skin_rigid.h"

namespace skinlight {

template <class Real>
SkinRange dqs_range(const SkinJob<Real>& job) {
  return rigid_range(job, rigid_part(job.pose, bone_reach(job.mesh)), [](int, const auto&) {});
}

template SkinRange dqs_range(const SkinJob<float>&);
template SkinRange dqs_range(const SkinJob<double>&);

}  // namespace skinlight
