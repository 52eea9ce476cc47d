// Skinning about optimised centres of rotation on the CPU.
#include "skinlight/skinning/detail/skin_rigid.h"
#include "skinlight/skinning/vertex_centre.h"

namespace skinlight {

template <class Real>
SkinRange crs_range(const SkinJob<Real>& job) {
  require_centres(job.mesh, job.data.centres);
  const RigidPose rigid = rigid_part(job.pose, bone_reach(job.mesh));
  const Real scale = Real(rigid.scale);
  return rigid_range(job, rigid, [job, scale]<class K>(int vertex, RigidInput<K>& in) {
    in.centre = K().centre_scaled(kernel_centre<K>(job.mesh, *job.data.centres, vertex), scale);
  });
}

template SkinRange crs_range(const SkinJob<float>&);
template SkinRange crs_range(const SkinJob<double>&);

}  // namespace skinlight
