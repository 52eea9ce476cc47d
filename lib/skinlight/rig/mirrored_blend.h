// Blends of bones that mirror with bones that do not: between them linear blending passes through a flat matrix.
#pragma once

#include <vector>

#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// Per vertex the weight on bones that mirror (determinant below 0) or that on those that do not, whichever is less: 0 where
// no blend crosses a mirror. Flat bones count in neither. #V. Throws InputError when the pose has too few bones.
std::vector<double> mirrored_share(const RiggedMesh& mesh, const Pose& pose);

}  // namespace skinlight
