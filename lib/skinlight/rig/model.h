// Everything that a file holds of one skinned character.
#pragma once

#include <string>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/rig/morph.h"
#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight {

struct Model {
  std::string name;  // the file's stem
  RiggedMesh mesh;   // all skinned primitives in one; the bones of several skins stand one after another
  Skeleton skeleton;
  std::vector<Clip> clips;                 // may be empty
  std::vector<Warning> warnings;           // what the reader repaired
  std::vector<MorphTarget> morphs = {};    // may be empty; those of several meshes stand one after another
  std::vector<double> morph_weights = {};  // #morphs: the file's own, where a clip does not animate them
};

}  // namespace skinlight
