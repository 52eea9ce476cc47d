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
  });
  return in;
}

}  // namespace skinlight
