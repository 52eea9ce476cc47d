// Skinning about optimised centres of rotation on the CPU.
#include "skinlight/skinning/skin_rigid.h"
#include "skinlight/skinning/vertex_centre.h"

namespace skinlight {

namespace {

template <class K>
typename K::PosedVertex run(const RigidInput<K>& in, const typename K::Centre& centre,
                            const SkinOptions& options, GuardInput guard) {
  const auto tangents = [&](const typename K::Derivative& k) {
    return guarded<K>(k, in.rest, options.guard.guard, guard);
  };
  if (options.mode == NormalMode::standard) return K().crs_standard(in.y, centre.c, in.rest);
  if (options.mode == NormalMode::exact_fixed_centre)
    return tangents(K().crs_exact_fixed_centre(in.y, in.f, centre.c, in.rest.p));
  if (options.mode == NormalMode::smoothed)
    return tangents(K().crs_smoothed(in.y, in.f, in.averaged, centre, in.rest.p));
  return tangents(K().crs_exact(in.y, in.f, centre, in.rest.p));
}

}  // namespace

template <class Real>
SkinRange crs_range(const SkinJob<Real>& job) {
  require_centres(job.mesh, job.data.centres);
  const RigidPose rigid = rigid_part(job.pose, bone_reach(job.mesh));
  const Real scale = Real(rigid.scale);
  return rigid_range(job, rigid,
                     [job, scale]<class K>(int vertex, const RigidInput<K>& in, GuardInput guard) {
                       using vec3 = typename K::vec3;
                       const VertexCentre at = centre_of(job.mesh, *job.data.centres, vertex);
                       const typename K::Centre rest = {vec3(at.c), vec3(at.along_t), vec3(at.along_b)};
                       return run(in, K().centre_scaled(rest, scale), job.options, guard);
                     });
}

template SkinRange crs_range(const SkinJob<float>&);
template SkinRange crs_range(const SkinJob<double>&);

}  // namespace skinlight
