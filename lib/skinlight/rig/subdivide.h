// Finer versions of a rig on the same surface.
#pragma once

#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// Splits every edge in the middle: one triangle becomes four, the surface stays what it was and the weights
// stay linear along the old edges. What it changes is only how far apart the vertices are, so it tells errors
// of the mesh's coarseness from errors of a method. Normals are interpolated and normalised; slots grow to at
// most twice the number; tangent frames are computed anew.
RiggedMesh bisect_edges(const RiggedMesh& mesh);

}  // namespace skinlight
