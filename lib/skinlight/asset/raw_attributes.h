// What a file says of its vertices before the reader repairs or adds anything.
#pragma once

#include <string>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// Vertices first .. first + count - 1 of a model, as the file names them.
struct RawPrimitive {
  std::string name;  // "mesh 0 primitive 1"
  int first = 0, count = 0;
  int mesh = -1, skin = -1;  // of the file; -1: not known
  // Weights that are integers sum to this where they are 1: 255 or 65535. 0: they are floats.
  int weight_unit = 0;
  bool weights_lack_flag = false;  // integers without `normalized`: `weight` has them as they are
  bool of_corners = false;  // vertices are the corners of its triangles, one after another, for flat normals
};

// A mesh of a file whose bake does not belong to it any more.
struct StaleBake {
  int mesh = 0;
  std::string reason;  // "before the file was edited: ..."
};

// Vertices are those of the Model that was read with it.
struct RawAttributes {
  std::vector<RawPrimitive> primitives;  // in order; may be empty, and share vertices
  int slots = 0;
  std::vector<int> bone;              // #V by slots, bones of the model
  std::vector<double> weight;         // #V by slots, in the file's order, not normalised; 0 where it has none
  std::vector<Vec3d> normal;          // #V by 3, unit; 0 where the file has none
  std::vector<double> normal_length;  // #V: of the normal before it was made unit; empty: not known
  std::vector<Vec3d> tangent;         // #V by 3; 0 where the file has none
  std::vector<double> tangent_sign;   // #V, +1 or -1: the handedness of the file's frame
  std::vector<StaleBake> stale_bakes;  // readers leave it empty: stale_bakes() of bake/stale.h knows them
  std::vector<int> unbound;            // bones of skins that give no inverse bind matrices
  std::vector<int> moved_meshes;  // nodes of skinned meshes with a transform of their own, which is ignored
};

// The attributes of a mesh that no file is known of: its own. Frames that were computed count as missing.
RawAttributes raw_attributes(const RiggedMesh& mesh);

}  // namespace skinlight
