// Whether what bake wrote into a file still belongs to it.
#pragma once

#include <filesystem>
#include <vector>

#include "skinlight/asset/raw_attributes.h"

namespace skinlight {

// The meshes of a glTF file whose mark, extras.skinlight, says that they were baked, but whose vertices or records are not
// those of then, or are of an earlier version of the format; and those that have lost their mark where that of the asset is
// left. Whatever order triangles and vertices have. Empty for files without a mark and of other formats. Throws InputError as
// read_gltf() does.
std::vector<StaleBake> stale_bakes(const std::filesystem::path& path);

}  // namespace skinlight
