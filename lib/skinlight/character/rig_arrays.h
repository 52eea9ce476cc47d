// A rig as plain arrays, as other programs hold it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skinlight/rig/morph.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// V vertices, split as the other program has them. What may be empty says so.
struct RigArrays {
  std::vector<Vec3d> positions;  // V by 3, at rest, any unit
  std::vector<Face> faces;       // F by 3, counter-clockwise seen from outside
  int influences = 0;            // slots per vertex, in any order, unused ones of weight 0
  std::vector<int> bones;        // V by influences
  std::vector<double>
      weights;  // V by influences, not negative, sum 1 (divided out otherwise, with a warning)
  std::vector<Vec3d> rest_normals;   // V by 3, any length but 0, or empty: averaged by area from the faces
  std::vector<Vec3d> rest_tangents;  // V by 3, or empty: from the uv
  std::vector<double>
      rest_sides;  // V, glTF's w of each rest tangent (preprocess/bitangent_side.h), or empty: from the uv
  std::vector<Vec2d> uv;  // V by 2, v running down as in glTF, or empty
};

// The rig as the library wants it: weights normalised and sorted, a frame on every vertex, kMaxSlots influences
// at most. Repairs and losses are warnings. Throws InputError; its element is the array's name as above ("rest
// normals") and, where one entry is to blame, that entry ("positions, vertex 12").
RiggedMesh rigged_mesh(const RigArrays& arrays, int bone_count, std::vector<Warning>& warnings);

// A mesh as arrays: rigged_mesh() makes the same of them again. Tangents that do not come from a file are left out.
RigArrays rig_arrays(const RiggedMesh& mesh);

// Morph targets as one array, `vertices` rows for target after target: what each adds to the positions at weight 1. Throws
// InputError; its element is "morphs, target 1, vertex 12".
std::vector<MorphTarget> morph_targets(std::span<const Vec3d> rows, std::size_t vertices);

// What arrays of one row per vertex have to be. `what` is the array's name in the error.
void require_count(std::size_t actual, std::size_t expected, const std::string& what);
void require_finite(std::span<const Vec3d> rows, const std::string& what);
void require_directions(std::span<const Vec3d> rows, const std::string& what);  // finite, not 0
void require_sides(std::span<const double> sides, const std::string& what);     // 1 or -1

}  // namespace skinlight
