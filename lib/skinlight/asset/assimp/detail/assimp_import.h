// The only place that talks to Assimp.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "skinlight/asset/assimp/detail/assimp_scene.h"

namespace skinlight::assimp {

// Bytes of files by their names.
using Files = std::map<std::string, std::string_view>;

// Reads a file, from `files` where it is there, by the importer that its extension names, as it is: no vertices
// joined, no weights dropped; polygons become triangles. Throws InputError with Assimp's
// reason. On malformed files Assimp 5.2 reads and writes beyond its arrays: call this in a process of its
// own.
Scene import_scene(const std::filesystem::path& path, const Files& files);

}  // namespace skinlight::assimp
