// A pose: one rest-to-pose transform per bone.
#pragma once

#include <vector>

#include "skinlight/core/glsl.h"

namespace skinlight {

struct Pose {
  std::vector<Mat4x3d> M;  // #bones; the identity at rest
  double scale = 1;  // geometric mean of the bones' uniform scales: exporters write 100; guards divide it out
  double orientation = 1;  // -1 when the bones mirror: t x b then points inwards
  // Taken out of M: M maps to positions relative to this point. Skinning adds it back to positions, as the
  // last step; normals and tangents do not need it. See centred().
  Vec3d pivot{0.0};
};

// Measures scale and orientation; bones flattened to no volume count in neither. Throws InputError naming the
// bone when a transform is not finite.
Pose make_pose(std::vector<Mat4x3d> M);

// The same pose with its bones measured from `pivot`, subtracted in double: what the skinning kernels, in
// float, then see is as large as the character, not as its distance from the origin, with which their
// rounding grows. In pure float normals are off by 1 degree only where the largest deform factor times that
// distance reaches 1e5, so nothing does this by itself [experiment tarini2014/fig4_cancellation]. Worth one
// call per frame for characters far from the origin, and whenever the naive form [Eq. 10] runs on factors
// that were stored in few bits.
Pose with_pivot(const Pose& pose, Vec3d pivot);

// with_pivot() at the mean of the bones' origins: a point near the posed character.
Pose centred(const Pose& pose);

// The rest pose of `bones` bones.
Pose rest_pose(int bones);

}  // namespace skinlight
