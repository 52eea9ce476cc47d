// A rig made from formulas: its weights, hence its posed surface and normals, are known in closed form.
#pragma once

#include <vector>

#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

struct ProceduralRig {
  RiggedMesh mesh;
  std::vector<Vec3d> gradient;  // #V by mesh.slots: the exact gradient of each slot's weight at p0
};

}  // namespace skinlight
