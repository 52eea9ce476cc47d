// What the readers of all formats share: the steps from the vertices of a file to a mesh that validate()
// accepts.
#pragma once

#include <string>
#include <vector>

#include "skinlight/asset/raw_attributes.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// A mesh as collected from a file.
struct CollectedMesh {
  RiggedMesh mesh;  // without t0, b0, handedness, frame_source; n0 is 0 where the file has no normal; weights
                    // in any order and of any sum
  std::vector<Vec3d> tangent;        // #V by 3; 0 where the file has none
  std::vector<double> tangent_sign;  // #V: +1 or -1, b = sign n x t
};

// Weights normalised and limited to the strongest `max_influences`, normals where the file lacks them, a
// tangent frame on every vertex. Repairs and losses are warnings. Throws as normalize_weights() and
// limit_influences() do. `raw`, when given, receives the attributes as collected.
RiggedMesh complete(CollectedMesh collected, int max_influences, std::vector<Warning>& warnings,
                    RawAttributes* raw = nullptr);

// One warning per reason, counting.
void warn(std::vector<Warning>& warnings, const std::string& element, const std::string& reason);

}  // namespace skinlight
