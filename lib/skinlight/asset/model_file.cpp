#include "skinlight/asset/model_file.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "skinlight/asset/gltf.h"
#include "skinlight/core/file.h"

namespace skinlight {

namespace {

std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

Model read_model(const std::filesystem::path& path, const ReadOptions& options) {
  const std::string extension = extension_of(path);
  const std::string bytes = read_file(path);
  try {
    if (is_gltf(bytes) || extension == ".gltf" || extension == ".glb")
      return parse_gltf(bytes, folder_of(path), path.stem().string(), options);
    throw InputError("", "", "is of no known format; glTF (.gltf, .glb) is read");
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
}

}  // namespace skinlight
