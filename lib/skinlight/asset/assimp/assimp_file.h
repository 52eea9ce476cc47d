// Characters in Collada, MD5 and DirectX files, through Assimp.
#pragma once

#include <filesystem>
#include <string_view>

#include "skinlight/asset/read_options.h"
#include "skinlight/rig/model.h"

namespace skinlight {

// Whether read_assimp() reads files of this name: .dae, .md5mesh, .x.
bool is_assimp_name(const std::filesystem::path& path);

// Reads every triangle and polygon of every mesh that has bones into one model, as read_gltf() gives it.
//  - Positions are those of the scene at rest, in the file's own unit (no metres, no centimetres): each mesh
//  is placed by the transform of its node, and its bones' matrices are told of that. A mesh that two nodes
//  show is kept once.
//  - Corners that agree in position, normal, uv, tangent and all weights are one vertex, others never.
//  - Bones and clips find their node by its name. A vertex without weight stays with its mesh's node.
//  - uv turn to glTF's direction, v downwards, and tangent frames with them.
//  - A clip's times are seconds. Curves between keys are lines; a property without keys stays as the node has
//  it. MD5 clips are those of the .md5anim of the same name beside the file.
//  - Not read: meshes without bones, points and lines, morph targets, materials, cameras, lights.
// Each repair and each omission is one of the model's warnings.
//
// Assimp crashes on malformed files, so it runs in a process of its own that may use limited time and memory,
// and all that it answers is checked.
//
// Throws InputError naming the file, the element ("mesh 0 (Body) bone 3 (Arm) weight 5") and the reason.
Model read_assimp(const std::filesystem::path& path, const ReadOptions& options = {});

// The same for a file's bytes in memory. `path` tells the format by its extension, and beside which place the
// .md5anim is looked for. The errors name no file.
Model parse_assimp(std::string_view bytes, const std::filesystem::path& path,
                   const ReadOptions& options = {});

}  // namespace skinlight
