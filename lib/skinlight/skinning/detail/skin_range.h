// How skin() runs the kernels of a method over a range of vertices. Internal to this room: skin_<method>.cpp
// holds one method each.
#pragma once

#include <functional>

#include "skinlight/skinning/detail/skin_input.h"

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

// make(Kernels<Real, N>()) with the smallest compiled N that holds `slots`.
template <class Real, class Make>
auto with_kernels(int slots, Make make) {
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

// Throw InputError when mesh and data, or mesh and pose, do not belong together, naming what differs or is
// missing, and when the method lacks the normal mode.
void require_data(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options);
void require_bones(int bones, const Pose& pose);

// One vertex, unfinished.
template <class K, template <class> class Input>
typename K::PosedVertex pose_vertex(const Input<K>& in, const SkinOptions& options, GuardInput guard) {
  if (options.guard.guard == Guard::none || !takes_guard(options.method, options.mode))
    return unguarded(in, options.method, options.mode);
  return shortened<K>(terms(in, options.method, options.mode), options.guard.guard, guard);
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
