// Morph targets (blend shapes): displacements of the rest mesh, each with a weight of the pose.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// The morphed vertex is p0 + sum_k m[k] dp[k]; skinning moves it afterwards. Only vertices that a target
// moves are stored: of a face's fifty targets each moves a few.
struct MorphTarget {
  std::string name;
  std::vector<int> vertex;  // #K: file vertices, ascending
  std::vector<Vec3d> dp;    // #K by 3, the mesh's unit: displacement at weight 1
  // As authored, for engines' normals. What makes morphed normals right is computed: morph_tangents().
  std::vector<Vec3d> dn = {};  // #K by 3, or empty: change of the normal
  std::vector<Vec3d> dt = {};  // #K by 3, or empty: change of the tangent
};

// Throws InputError naming the target: vertices out of range or not ascending, arrays of the wrong size,
// numbers that are not finite.
void validate(const RiggedMesh& mesh, std::span<const MorphTarget> morphs);

}  // namespace skinlight
