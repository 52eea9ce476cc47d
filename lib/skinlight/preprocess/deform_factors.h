// Deform factors: the scalars per vertex and bone that make skinned normals right [TPS14 Sec. 4.2, 5].
#pragma once

#include <span>

#include "skinlight/mesh/averaging.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/preprocess/normal_record.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

struct DeformFactorOptions {
  Averaging averaging = Averaging::mixed_voronoi;
  int max_slots = 4;  // the paper's N_max, or kAllSlots
  int threads = 0;    // 0: all cores
  // Whether these columns are kept, which take half and a sixth of the memory. Without them skin() refuses the
  // modes that read them, GpuSkin all.
  bool gradients = true;
  bool smooth_weights = true;
};

// alpha and beta, with gradient and smooth_weight unless these are declined.
// Twins of one surface vertex get the same gradients, hence identical normals, each with factors in its own
// frame. Throws InputError when the mesh has more influences per vertex than max_slots (limit_influences
// first).
NormalRecord deform_factors(const RiggedMesh& mesh, const Surface& surface,
                            const DeformFactorOptions& options = {});

// alpha and beta from gradients that are already known, for instance analytic ones [TPS14 Eq. 11].
// gradient: #V by mesh.slots, one per slot of the mesh.
NormalRecord deform_factors_from_gradients(const RiggedMesh& mesh, std::span<const Vec3d> gradient);

}  // namespace skinlight
