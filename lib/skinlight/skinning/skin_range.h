// How skin() runs the kernels of a method over a range of vertices. Internal to this room: skin_<method>.cpp
// holds one method each.
#pragma once

#include <functional>
#include <vector>

#include "skinlight/skinning/kernels.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

// What one call of skin() works on; outlives the call's loops.
template <class Real>
struct SkinJob {
  const RiggedMesh& mesh;
  const SkinData& data;
  const Pose& pose;
  const SkinOptions& options;
  SkinnedMesh<Real>& out;
};

// Skins the vertices begin .. end - 1.
using SkinRange = std::function<void(int begin, int end)>;

// Each prepares what the pose alone determines, once, and returns the loop over vertices.
template <class Real>
SkinRange lbs_range(const SkinJob<Real>& job);
template <class Real>
SkinRange dqs_range(const SkinJob<Real>& job);
template <class Real>
SkinRange crs_range(const SkinJob<Real>& job);
template <class Real>
SkinRange sbs_range(const SkinJob<Real>& job);
template <class Real>
SkinRange log_range(const SkinJob<Real>& job);

// Calls make(Kernels<Real, N>()) with the smallest compiled N that holds `slots`.
template <class Real, class Make>
SkinRange with_kernels(int slots, Make make) {
  switch (kernel_slots(slots)) {
    case 1:
      return make(Kernels<Real, 1>());
    case 2:
      return make(Kernels<Real, 2>());
    case 3:
      return make(Kernels<Real, 3>());
    case 4:
      return make(Kernels<Real, 4>());
    case 8:
      return make(Kernels<Real, 8>());
    default:
      return make(Kernels<Real, 16>());
  }
}

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

// Poses each vertex by run(vertex, rest), an unfinished vertex of the kernels, and writes it.
template <class K, class Run>
void pose_range(const SkinJob<typename K::real>& job, int begin, int end, Run run) {
  using real = typename K::real;
  for (int vertex = begin; vertex < end; ++vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    const typename K::RestVertex rest = rest_vertex<K>(job.mesh, vertex);
    const double side = normal_side(job.options.mode, job.mesh.handedness[v], job.pose);
    const typename K::PosedVertex posed = K().finish(run(vertex, rest), rest, real(side));
    job.out.p[v] = posed.p + Vec3<real>(job.pose.pivot);
    job.out.t[v] = posed.t;
    job.out.b[v] = posed.b;
    job.out.n[v] = posed.n;
  }
}

}  // namespace skinlight
