// Files written whole or not at all: to a temporary name beside the target, then renamed.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/core/glsl.h"

namespace skinlight {

// Replaces `path` by `bytes`, creating its folder. Throws InputError naming the path and the system's reason.
void write_file(const std::filesystem::path& path, std::string_view bytes);

// Throws InputError when the file is missing or unreadable.
std::string read_file(const std::filesystem::path& path);

// #V by 3 as NumPy's .npy version 1.0, little-endian float32 (numpy.load reads it).
void write_npy(const std::filesystem::path& path, std::span<const Vec3f> rows);

// A float32 #V by 3 .npy file. Throws InputError on any other shape, type or a truncated file.
std::vector<Vec3f> read_npy(const std::filesystem::path& path);

}  // namespace skinlight
