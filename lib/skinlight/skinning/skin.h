// Skinning on the CPU, through the kernels that the GPU runs.
#pragma once

#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/method.h"
#include "skinlight/skinning/skin_data.h"

namespace skinlight {

// A posed mesh. All arrays #V by 3; t, b, n are unit vectors.
template <class Real>
struct SkinnedMesh {
  std::vector<Vec3<Real>> p, t, b, n;
};

struct SkinOptions {
  Method method = Method::lbs;
  NormalMode mode = NormalMode::deform;
  GuardOptions guard = {};  // acts on `deform`, `smoothed` and `deform_vectors` of LBS and on the derivatives
                            // of the other methods: exact, smoothed, exact_fixed_centre
  int threads = 0;          // 0: all cores; the result does not depend on it
};

// Poses every vertex of `mesh` with the slots of the deform factors, or of what the normal mode reads in
// their place. Real is float (what a GPU computes) or double. Throws InputError when mesh, data and pose do
// not belong together, naming what differs or is missing, when the method lacks the normal mode, and for a
// guard that has no meaning. Methods of rigid bones see rigid_part() of the pose (rig/rigid_pose.h), which
// also tells which bones were not rigid.
template <class Real>
SkinnedMesh<Real> skin(const RiggedMesh& mesh, const SkinData& data, const Pose& pose,
                       const SkinOptions& options = {});

extern template SkinnedMesh<float> skin(const RiggedMesh&, const SkinData&, const Pose&, const SkinOptions&);
extern template SkinnedMesh<double> skin(const RiggedMesh&, const SkinData&, const Pose&, const SkinOptions&);

// The slot counts that kernels are compiled for, on the CPU and on the GPU: the smallest that holds `slots`.
int kernel_slots(int slots);

// The sign that makes the mode's normal at a vertex point outwards (see NormalSide).
double normal_side(NormalMode mode, double handedness, const Pose& pose);

}  // namespace skinlight
