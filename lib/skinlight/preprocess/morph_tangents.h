// How morph targets move tangents: what makes morphed and skinned normals right.
#pragma once

#include <span>
#include <vector>

#include "skinlight/mesh/averaging.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/rig/morph.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// One target's change of the tangent frames at weight 1: dt = D dp t0 and db = D dp b0, with D dp the
// derivative of the target's displacement over the rest surface, averaged over the one-ring exactly as the
// gradients of the skinning weights are [TPS14 Sec. 3.2].
//
// The tangents t0 + sum_k m[k] dt[k] of the morphed surface run along the images of the curves that t0 and b0
// run along at rest. The weights are attached to the surface, so along these curves their derivatives alpha
// and beta are those of the rest pose [Eq. 11]: deform factors need no recomputing, whatever the morph.
struct MorphTangents {
  std::vector<int> vertex;    // #K: file vertices whose frame turns or stretches, ascending
  std::vector<Vec3d> dt, db;  // #K by 3
};

// One entry per target. Throws InputError as validate() of the targets, and when the surface was built from
// another mesh.
std::vector<MorphTangents> morph_tangents(const RiggedMesh& mesh, const Surface& surface,
                                          std::span<const MorphTarget> morphs,
                                          Averaging averaging = Averaging::mixed_voronoi, int threads = 0);

}  // namespace skinlight
