// What skin(), SkinBatch and GpuSkin ask of their input, in one place.
#pragma once

#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/skin_data.h"

namespace skinlight {

// The slots of what the kernel reads; of the deform factors, or, where there are none, of the mesh itself, for one that reads
// neither.
VertexSlots vertex_slots(const RiggedMesh& mesh, const SkinData& data, const KernelReads& reads);

// What there is of SkinData.
struct DataParts {
  bool factors = false, gradients = false, smooth = false, vectors = false, frames = false,
       frame_centres = false, centres = false;
};

// Throws InputError when a part does not belong to the mesh, naming what differs.
DataParts data_parts(const RiggedMesh& mesh, const SkinData& data);

// Throws InputError naming what the kernel reads that is not there.
void require_parts(const DataParts& parts, const KernelTraits& traits);

// Throws InputError when the pose has too few bones.
void require_bones(int bones, const Pose& pose);

}  // namespace skinlight
