// What the kernels of methods that blend rotations are given. Internal to this room.
#pragma once

#include "skinlight/skinning/detail/skin_range.h"

namespace skinlight {

template <class K>
RigidInput<K> gather_rigid(const NormalRecord& factors, const RigidPose& pose, int vertex,
                           const typename K::RestVertex& rest) {
  RigidInput<K> in;
  in.rest = K().rest_scaled(rest, typename K::real(pose.scale));
  read_slots(in, factors, vertex);
  for_each_slot<K>(factors, vertex, [&](int s, std::size_t bone, std::ptrdiff_t) {
    in.x.q[s] = dual_quaternion<K>(pose.bones[bone]);
  });
  return in;
}

// The loop of a method of rigid bones: complete(vertex, input) adds to the input of a vertex what the method
// needs besides.
template <class Real, class Complete>
SkinRange rigid_range(const SkinJob<Real>& job, const RigidPose& rigid, Complete complete) {
  const GuardInput guard = guard_input(job.options.guard, job.pose);
  return with_kernels<Real>(job.data.factors.slots, [&](auto kernels) -> SkinRange {
    using K = decltype(kernels);
    return [job, rigid, complete, guard](int begin, int end) {
      pose_range<K>(job, begin, end, [&](int vertex, const typename K::RestVertex& rest) {
        RigidInput<K> in = gather_rigid<K>(job.data.factors, rigid, vertex, rest);
        complete(vertex, in);
        return pose_vertex(in, job.options, guard);
      });
    };
  });
}

}  // namespace skinlight
