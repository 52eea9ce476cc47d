#include "skinlight/asset/model_file.h"

#include <string>

#include "skinlight/asset/assimp/assimp_file.h"
#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/fbx/fbx.h"
#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/core/file.h"

namespace skinlight {

Model parse_model(std::string_view bytes, const std::filesystem::path& path, const ReadOptions& options) {
  const std::string extension = extension_of(path);
  if (is_gltf(bytes) || extension == ".gltf" || extension == ".glb")
    return parse_gltf(bytes, folder_of(path), path.stem().string(), options);
  if (is_fbx(bytes) || extension == ".fbx") return parse_fbx(bytes, path.stem().string(), options);
  if (is_assimp_name(path)) return parse_assimp(bytes, path, options);
  throw InputError("", "",
                   "is of no known format; read are glTF (.gltf, .glb), FBX (.fbx), Collada (.dae), MD5 "
                   "(.md5mesh) and DirectX (.x)");
}

Model read_model(const std::filesystem::path& path, const ReadOptions& options) {
  try {
    return parse_model(read_file(path), path, options);
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
}

}  // namespace skinlight
