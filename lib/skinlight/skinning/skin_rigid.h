// What the kernels of methods that blend rotations are given. Internal to this room.
#pragma once

#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/skin_range.h"

namespace skinlight {

template <class K>
struct RigidInput {
  typename K::RestVertex rest;  // rest_scaled()
  typename K::RigidInfluences y;
  typename K::DeformFactors f;
  typename K::SmoothWeights averaged;
};

template <class K>
typename K::DualQuaternion dual_quaternion(const DualQuat& q) {
  using real = typename K::real;
  using vec3 = typename K::vec3;
  return {{real(q.r[3]), vec3(Vec3d(q.r[0], q.r[1], q.r[2]))},
          {real(q.d[3]), vec3(Vec3d(q.d[0], q.d[1], q.d[2]))}};
}

template <class K>
RigidInput<K> gather_rigid(const DeformFactors& factors, const RigidPose& pose, int vertex,
                           const typename K::RestVertex& rest) {
  using real = typename K::real;
  RigidInput<K> in;
  in.rest = K().rest_scaled(rest, real(pose.scale));
  for_each_slot<K>(factors, vertex, [&](int s, std::size_t bone, std::ptrdiff_t i) {
    in.y.q[s] = dual_quaternion<K>(pose.bones[bone]);
    in.y.w[s] = slot_value<real>(factors.weight, i);
    in.f.alpha[s] = slot_value<real>(factors.alpha, i);
    in.f.beta[s] = slot_value<real>(factors.beta, i);
    in.averaged.w[s] = slot_value<real>(factors.smooth_weight, i);
  });
  return in;
}

// The tangents of a derivative, and what a guard leaves of them.
template <class K>
typename K::PosedVertex guarded(const typename K::Derivative& k, const typename K::RestVertex& rest,
                                Guard guard, GuardInput with) {
  using real = typename K::real;
  switch (guard) {
    case Guard::none:
      break;
    case Guard::clamp:
      return K().joined(K().guard_clamp(K().tangent_terms(k, rest), real(with.limit)));
    case Guard::joint:
      return K().joined(K().guard_joint(K().tangent_terms(k, rest), real(with.limit)));
    case Guard::test_then_fix:
      return K().joined(
          K().guard_test_then_fix(K().tangent_terms(k, rest), real(with.limit), real(with.kept)));
  }
  return K().turned(k, rest);
}

// The loop of a method of rigid bones: run(vertex, input, guard) poses a vertex.
template <class Real, class Run>
SkinRange rigid_range(const SkinJob<Real>& job, const RigidPose& rigid, Run run) {
  const GuardInput guard = guard_input(job.options.guard, job.pose);
  return with_kernels<Real>(job.data.factors.slots, [&](auto kernels) -> SkinRange {
    using K = decltype(kernels);
    return [job, rigid, run, guard](int begin, int end) {
      pose_range<K>(job, begin, end, [&](int vertex, const typename K::RestVertex& rest) {
        return run(vertex, gather_rigid<K>(job.data.factors, rigid, vertex, rest), guard);
      });
    };
  });
}

}  // namespace skinlight
