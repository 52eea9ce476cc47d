// Spherical blend skinning on the CPU.
#include "skinlight/skinning/detail/skin_rigid.h"
#include "skinlight/skinning/spherical_centres.h"

namespace skinlight {

template <class Real>
SkinRange sbs_range(const SkinJob<Real>& job) {
  const RigidPose rigid = rigid_part(job.pose, bone_reach(job.mesh));
  const BoneSets sets = bone_sets(job.mesh, job.data.factors);
  const std::vector<Vec3d> centres = spherical_centres(sets, rigid);
  return rigid_range(job, rigid,
                     [of_vertex = sets.of_vertex, centres]<class K>(int vertex, RigidInput<K>& in) {
                       const int set = of_vertex[static_cast<std::size_t>(vertex)];
                       in.centre.c = typename K::vec3(centres[static_cast<std::size_t>(set)]);
                     });
}

template SkinRange sbs_range(const SkinJob<float>&);
template SkinRange sbs_range(const SkinJob<double>&);

}  // namespace skinlight
