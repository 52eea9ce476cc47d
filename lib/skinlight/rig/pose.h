// A pose: one rest-to-pose transform per bone.
#pragma once

#include <vector>

#include "skinlight/core/glsl.h"

namespace skinlight {

struct Pose {
  std::vector<Mat4x3d> M;  // #bones; the identity at rest
  double scale = 1;  // geometric mean of the bones' uniform scales: exporters write 100; guards divide it out
  double orientation = 1;  // -1 when the bones mirror: t x b then points inwards
};

// Measures scale and orientation; bones flattened to no volume count in neither. Throws InputError naming the
// bone when a transform is not finite.
Pose make_pose(std::vector<Mat4x3d> M);

// The rest pose of `bones` bones.
Pose rest_pose(int bones);

}  // namespace skinlight
