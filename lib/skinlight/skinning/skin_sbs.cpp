// Spherical blend skinning on the CPU.
#include "skinlight/skinning/skin_rigid.h"
#include "skinlight/skinning/spherical_centres.h"

namespace skinlight {

namespace {

template <class K>
typename K::PosedVertex run(const RigidInput<K>& in, const typename K::vec3& r, const SkinOptions& options,
                            GuardInput guard) {
  const auto tangents = [&](const typename K::Derivative& k) {
    return guarded<K>(k, in.rest, options.guard.guard, guard);
  };
  if (options.mode == NormalMode::standard) return K().sbs_standard(in.y, r, in.rest);
  if (options.mode == NormalMode::smoothed)
    return tangents(K().sbs_smoothed(in.y, in.f, in.averaged, r, in.rest.p));
  return tangents(K().sbs_exact(in.y, in.f, r, in.rest.p));
}

}  // namespace

template <class Real>
SkinRange sbs_range(const SkinJob<Real>& job) {
  const RigidPose rigid = rigid_part(job.pose, bone_reach(job.mesh));
  const BoneSets sets = bone_sets(job.mesh, job.data.factors);
  const std::vector<Vec3d> centres = spherical_centres(sets, rigid);
  return rigid_range(job, rigid,
                     [job, of_vertex = sets.of_vertex, centres]<class K>(int vertex, const RigidInput<K>& in,
                                                                         GuardInput guard) {
                       const int set = of_vertex[static_cast<std::size_t>(vertex)];
                       const typename K::vec3 r(centres[static_cast<std::size_t>(set)]);
                       return run(in, r, job.options, guard);
                     });
}

template SkinRange sbs_range(const SkinJob<float>&);
template SkinRange sbs_range(const SkinJob<double>&);

}  // namespace skinlight
