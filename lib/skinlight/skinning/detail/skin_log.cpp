// Log-matrix blending on the CPU.
#include <memory>

#include "skinlight/rig/twist.h"
#include "skinlight/skinning/detail/skin_rigid.h"

namespace skinlight {

template <class Real>
SkinRange log_range(const SkinJob<Real>& job) {
  // A pivot would change the result: logarithms of motions followed by a common one are not blended alike.
  const auto whole = std::make_shared<const Pose>(with_pivot(job.pose, -job.pose.pivot));
  const RigidPose rigid = rigid_part(*whole, bone_reach(job.mesh));
  std::vector<Twist> twists;
  for (const DualQuat& q : rigid.bones) twists.push_back(log_of(q));
  const SkinJob<Real> without_pivot{job.mesh, job.data, *whole, job.options, job.out};
  return rigid_range(without_pivot, rigid, [job, whole, twists]<class K>(int vertex, RigidInput<K>& in) {
    for_each_slot<K>(job.data.factors, vertex, [&](int s, std::size_t bone, std::ptrdiff_t) {
      in.twists.xi[s] = {typename K::vec3(twists[bone].turn), typename K::vec3(twists[bone].shift)};
      in.twists.w[s] = in.x.w[s];
    });
  });
}

template SkinRange log_range(const SkinJob<float>&);
template SkinRange log_range(const SkinJob<double>&);

}  // namespace skinlight
