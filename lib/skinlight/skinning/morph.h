// The rest mesh under morph weights, ready for skin().
#pragma once

#include <span>

#include "skinlight/preprocess/morph_tangents.h"
#include "skinlight/rig/morph.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// The morphed mesh with tangents that went along with the surface and normals across them. skin() with the
// deform factors of the *rest* mesh poses it, and its normals are those of the morphed and skinned surface in
// every mode that reads deform factors. Its t0 and b0 are stretched and sheared as the surface is, so
// validate() refuses it, and it is no mesh to compute deform factors from: weights are per stretched tangent.
// tangents: morph_tangents() of the same targets; weights: one per target, any number.
// Throws InputError when counts differ, a weight is not finite or a target names a vertex out of range.
RiggedMesh morphed(const RiggedMesh& mesh, std::span<const MorphTarget> morphs,
                   std::span<const MorphTangents> tangents, std::span<const double> weights);

// What engines do: the authored changes of normals and tangents are added, and the frame made orthonormal
// again. Normals stay where a target has no dn. For NormalMode::standard; its tangents do not fit deform
// factors.
RiggedMesh morphed_as_authored(const RiggedMesh& mesh, std::span<const MorphTarget> morphs,
                               std::span<const double> weights);

}  // namespace skinlight
