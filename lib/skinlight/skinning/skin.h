// Skinning on the CPU, through the kernels that the GPU runs.
#pragma once

#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/skin_data.h"

namespace skinlight {

// What is computed of a posed mesh: each with those before it.
enum class Outputs { positions = 1, normals, tangents, frame };

// A posed mesh. All arrays #V by 3, empty where they were not asked for; t, b, n are unit vectors.
template <class Real>
struct SkinnedMesh {
  std::vector<Vec3<Real>> p, t, b, n;
};

struct SkinOptions {
  Method method = Method::lbs;
  NormalMode mode = NormalMode::deform;
  GuardOptions guard = {};           // acts on the kernels whose KernelRow::guards says so
  int threads = 0;                   // 0: all cores; the result does not depend on it
  Outputs outputs = Outputs::frame;  // with bitangents; what is left out does not change the rest
};

// Poses every vertex of `mesh` with the slots of the deform factors, or of what the normal mode reads in
// their place. Real is float (what a GPU computes) or double. Throws InputError when mesh, data and pose do
// not belong together, naming what differs or is missing, when the method lacks the normal mode, and for a
// guard that has no meaning. Methods of rigid bones see rigid_part() of the pose (rig/rigid_pose.h), which
// also tells which bones were not rigid. For many poses of one mesh: batch/batch.h.
template <class Real>
SkinnedMesh<Real> skin(const RiggedMesh& mesh, const SkinData& data, const Pose& pose,
                       const SkinOptions& options = {});

extern template SkinnedMesh<float> skin(const RiggedMesh&, const SkinData&, const Pose&, const SkinOptions&);
extern template SkinnedMesh<double> skin(const RiggedMesh&, const SkinData&, const Pose&, const SkinOptions&);

// The smallest of the slot counts that kernels are compiled for that holds `slots`, on the CPU and on the GPU.
int kernel_slots(int slots);

}  // namespace skinlight
