// Nodes, skins and animations of a glTF file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_morph.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight::gltf {

struct Skin {
  std::vector<int> joints;            // nodes
  std::vector<Mat4x3d> inverse_bind;  // #joints; identities where the file gives none
  bool is_unbound = false;            // it gives none
};

// All nodes with their parents. Throws InputError naming the node: children out of range or with two parents,
// arrays of the wrong length. Cycles show when the first pose is evaluated.
std::vector<Node> read_nodes(const tinygltf::Model& file);

// All skins, used or not. Throws InputError naming the skin and joint.
std::vector<Skin> read_skins(const tinygltf::Model& file, Accessors& accessors);

// All animations of node transforms and of the morph targets of the nodes in `morphs`. Unnamed clips are
// called "clip 0", ...; further clips of one name get " (2)", ...
std::vector<Clip> read_clips(const tinygltf::Model& file, const std::vector<Node>& nodes,
                             const std::map<int, MorphRange>& morphs, Accessors& accessors,
                             std::vector<Warning>& warnings);

}  // namespace skinlight::gltf
