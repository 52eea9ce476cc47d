// Deform factors from each triangle's own weight gradients, not averaged: what [TPS14 Fig. 3, middle] warns
// of.
#pragma once

#include "skinlight/preprocess/deform_factors.h"

namespace skinlight {

// A rig none of whose triangles share a vertex: only so can a vertex shader use per-triangle gradients.
struct PerFaceRig {
  RiggedMesh mesh;          // 3 #F vertices; face f has the corners 3 f, 3 f + 1, 3 f + 2
  std::vector<int> vertex;  // 3 #F: the vertex of the original mesh
  NormalRecord factors;     // alpha, beta of a[s] = the face's gradient [TPS14 Eq. 5]
};

// Throws InputError as deform_factors.
PerFaceRig per_face_factors(const RiggedMesh& mesh, const DeformFactorOptions& options = {});

}  // namespace skinlight
