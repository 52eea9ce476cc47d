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

// Calls visit(s, bone, i) for every slot s of the kernel: i is the entry of the columns, or -1 for slots beyond theirs, which stand on the bone of slot 0 and must get weight and
// factors 0: they add nothing.
template <class K, class Visit>
void for_each_slot(const NormalRecord& factors, int vertex, Visit visit) {
  for (int s = 0; s < K::INFLUENCES; ++s) {
    const bool used = s < factors.slots;
    const std::size_t i = factors.at(vertex, used ? s : 0);
    visit(s, static_cast<std::size_t>(factors.bone[i]), used ? static_cast<std::ptrdiff_t>(i) : -1);
  }
}

// The entry i of a column; 0 for unused slots, and where the column is left out.
template <class real>
real slot_value(const std::vector<double>& values, std::ptrdiff_t i) {
  return i < 0 || values.empty() ? real(0) : real(values[static_cast<std::size_t>(i)]);
}

template <class vec3>
vec3 slot_vector(const std::vector<Vec3d>& values, std::ptrdiff_t i) {
  return vec3(i < 0 || values.empty() ? Vec3d(0.0) : values[static_cast<std::size_t>(i)]);
}

// All that `in` holds of the slots but the bones; 0 where the record lacks the column.
template <class K, template <class> class Input>
void read_slots(Input<K>& in, const NormalRecord& record, int vertex) {
  using real = typename K::real;
  using vec3 = typename K::vec3;
  for_each_slot<K>(record, vertex, [&](int s, std::size_t, std::ptrdiff_t i) {
    in.x.w[s] = slot_value<real>(record.weight, i);
    in.f.alpha[s] = slot_value<real>(record.alpha, i);
    in.f.beta[s] = slot_value<real>(record.beta, i);
    in.averaged.w[s] = slot_value<real>(record.smooth_weight, i);
    if constexpr (requires { in.g; }) in.g.a[s] = slot_vector<vec3>(record.gradient, i);
    if constexpr (requires { in.tau; }) {
      in.tau.t[s] = slot_vector<vec3>(record.along_t, i);
      in.tau.alpha[s] = in.f.alpha[s];
      in.tau.b[s] = slot_vector<vec3>(record.along_b, i);
      in.tau.beta[s] = in.f.beta[s];
    }
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
