// The one way to open a rig, whatever its format.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "skinlight/asset/read_options.h"
#include "skinlight/rig/model.h"

namespace skinlight {

// The formats and their extensions, as errors and help name them: "glTF 2.0 (.gltf, .glb, .vrm), FBX (.fbx) ...".
std::string model_formats();

// Whether the name has one of these extensions.
bool is_model_name(const std::filesystem::path& path);

// Reads a rig by what the file holds, and by its name's extension where that does not tell: glTF 2.0 and GLB
// (asset/gltf/gltf.h), FBX (asset/fbx/fbx.h), Collada, MD5 and X (asset/assimp/assimp_file.h). Throws InputError
// naming the file, the element and the reason, also for a format that nobody here reads.
Model read_model(const std::filesystem::path& path, const ReadOptions& options = {});

// The same for a file's bytes in memory; what it refers to is looked for beside `path`. The errors name no
// file.
Model parse_model(std::string_view bytes, const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace skinlight
