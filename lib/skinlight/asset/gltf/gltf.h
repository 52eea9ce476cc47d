// glTF 2.0 characters: .gltf with external or embedded buffers, and .glb.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "skinlight/asset/read_options.h"
#include "skinlight/rig/model.h"

namespace skinlight {

// Reads every triangle primitive of every node that has a mesh and a skin, of all scenes, into one model in
// the units and the space of the file's bind pose. As the format says, transforms of the mesh nodes
// themselves do not count.
//  - Primitives that share vertices share them here too; a mesh used twice with one skin is kept once.
//  - Normals that the file lacks are flat, or what the options say; tangents come from the texture
//  coordinates of the material's normal texture, TEXCOORD_0 without one.
//  - Weights follow normalize_weights(), joints of unused slots (weight 0) do not matter.
//  - Morph targets of several meshes stand one after another, in the order of the nodes that show them.
//  - KHR_mesh_quantization, KHR_draco_mesh_compression and EXT_meshopt_compression are read. Quantised
//  positions stay in the units they are stored in; the skin's inverse bind matrices undo that.
//  - Not read: meshes without a skin, points and lines, materials, images (base_colours.h reads these).
// Each repair and each omission is one of the model's warnings.
//
// Throws InputError naming the file, the element ("mesh 0 primitive 1 JOINTS_0 vertex 17") and the reason
// when the file is missing, broken, contradictory, has no skinned triangles or requires an extension that is
// not supported.
Model read_gltf(const std::filesystem::path& path, const ReadOptions& options = {});

// The same for a file's bytes in memory. External buffers are looked for from `folder` on; an empty folder
// means nowhere. The errors name no file.
Model parse_gltf(std::string_view bytes, const std::filesystem::path& folder, const std::string& name,
                 const ReadOptions& options = {});

// Whether bytes start as GLB or as a JSON object does.
bool is_gltf(std::string_view bytes);

// The folder beside a file, never empty.
std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace skinlight
