// Deform factors: the scalars per vertex and bone that make skinned normals right [TPS14 Sec. 4.2, 5].
#pragma once

#include <span>
#include <vector>

#include "skinlight/mesh/averaging.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/preprocess/slots.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

struct DeformFactorOptions {
  Averaging averaging = Averaging::mixed_voronoi;
  int max_slots = 4;  // the paper's N_max, or kAllSlots
  int threads = 0;    // 0: all cores
  // Whether gradient and smooth_weight are kept: half of the memory. Without them skin() refuses the modes
  // that read them, GpuSkin all.
  bool derivatives = true;
};

// Per file vertex and slot. The slots extend the mesh's own: same bones and weights first, slot 0 the largest
// weight, then bones that only the one-ring carries, with weight 0.
struct DeformFactors {
  int slots = 0;
  std::vector<int> bone;       // #V by slots
  std::vector<double> weight;  // #V by slots
  std::vector<double>
      alpha;                 // #V by slots, per unit of length; slot 0 = minus the sum of the others [Eq. 12]
  std::vector<double> beta;  // likewise
  // #V by slots or empty, a[s]: read by the exact-Jacobian modes only
  std::vector<Vec3d> gradient;
  // #V by slots or empty, sum 1: mean of the weights at the far ends of the one-ring's faces (BoneGradient),
  // read by the smoothed modes only. Slot 0 closes the sum: bones that did not fit count there.
  std::vector<double> smooth_weight;
  Averaging averaging = Averaging::mixed_voronoi;
  Overflow overflow;
  int flat_vertices = 0;  // surface vertices without area around them: factors 0, normals as standard

  std::size_t at(int vertex, int slot) const {
    return static_cast<std::size_t>(vertex) * static_cast<std::size_t>(slots) +
           static_cast<std::size_t>(slot);
  }
};

// Twins of one surface vertex get the same gradients, hence identical normals, each with factors in its own
// frame. Throws InputError when the mesh has more influences per vertex than max_slots (limit_influences
// first).
DeformFactors deform_factors(const RiggedMesh& mesh, const Surface& surface,
                             const DeformFactorOptions& options = {});

// alpha and beta from gradients that are already known, for instance analytic ones [TPS14 Eq. 11].
// gradient: #V by mesh.slots, one per slot of the mesh.
DeformFactors deform_factors_from_gradients(const RiggedMesh& mesh, std::span<const Vec3d> gradient);

}  // namespace skinlight
