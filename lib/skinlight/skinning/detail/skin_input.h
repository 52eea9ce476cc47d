// What the kernels are given at one vertex of the file. Internal to this room.
#pragma once

#include <cstddef>
#include <vector>

#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/rig/twist.h"
#include "skinlight/skinning/detail/skin_modes.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

template <class K>
typename K::RestVertex rest_vertex(const RiggedMesh& mesh, int vertex) {
  const auto v = static_cast<std::size_t>(vertex);
  typename K::RestVertex rest;
  rest.p = typename K::vec3(mesh.p0[v]);
  rest.n = typename K::vec3(mesh.n0[v]);
  rest.t = typename K::vec3(mesh.t0[v]);
  rest.b = typename K::vec3(mesh.b0[v]);
  return rest;
}

// Calls visit(s, bone, i) for every slot s of the kernel: i is the entry of the arrays of the factors (or
// deform vectors), or -1 for slots beyond theirs, which stand on the bone of slot 0 and must get weight and
// factors 0: they add nothing.
template <class K, class Factors, class Visit>
void for_each_slot(const Factors& factors, int vertex, Visit visit) {
  for (int s = 0; s < K::INFLUENCES; ++s) {
    const bool used = s < factors.slots;
    const std::size_t i = factors.at(vertex, used ? s : 0);
    visit(s, static_cast<std::size_t>(factors.bone[i]), used ? static_cast<std::ptrdiff_t>(i) : -1);
  }
}

// The entry i of an array of the factors; 0 for unused slots, and where the array is left out.
template <class real>
real slot_value(const std::vector<double>& values, std::ptrdiff_t i) {
  return i < 0 || values.empty() ? real(0) : real(values[static_cast<std::size_t>(i)]);
}

// Weights and factors of the slots: all that `in` holds of them but the bones.
template <class K, template <class> class Input>
void read_slots(Input<K>& in, const DeformFactors& factors, int vertex) {
  using real = typename K::real;
  using vec3 = typename K::vec3;
  for_each_slot<K>(factors, vertex, [&](int s, std::size_t, std::ptrdiff_t i) {
    in.x.w[s] = slot_value<real>(factors.weight, i);
    in.f.alpha[s] = slot_value<real>(factors.alpha, i);
    in.f.beta[s] = slot_value<real>(factors.beta, i);
    in.averaged.w[s] = slot_value<real>(factors.smooth_weight, i);
    if constexpr (requires { in.g; })
      in.g.a[s] = i < 0 || factors.gradient.empty() ? vec3(real(0))
                                                    : vec3(factors.gradient[static_cast<std::size_t>(i)]);
  });
}

template <class K>
void read_slots(LbsInput<K>& in, const DeformVectors& vectors, int vertex) {
  using real = typename K::real;
  for_each_slot<K>(vectors, vertex, [&](int s, std::size_t, std::ptrdiff_t i) {
    in.x.w[s] = slot_value<real>(vectors.weight, i);
    const DeformVector none;
    const DeformVector& t = i < 0 ? none : vectors.along_t[static_cast<std::size_t>(i)];
    const DeformVector& b = i < 0 ? none : vectors.along_b[static_cast<std::size_t>(i)];
    in.tau.t[s] = typename K::vec3(t.v);
    in.tau.alpha[s] = real(t.w);
    in.tau.b[s] = typename K::vec3(b.v);
    in.tau.beta[s] = real(b.w);
  });
}

template <class K>
typename K::DualQuaternion dual_quaternion(const DualQuat& q) {
  using real = typename K::real;
  using vec3 = typename K::vec3;
  return {{real(q.r[3]), vec3(Vec3d(q.r[0], q.r[1], q.r[2]))},
          {real(q.d[3]), vec3(Vec3d(q.d[0], q.d[1], q.d[2]))}};
}

}  // namespace skinlight
