// What a browser does without, each with the reason that its user reads: formats other than glTF, Draco, and the kernels
// for processors with AVX2.
#include "skinlight/asset/assimp/assimp_file.h"
#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/fbx/fbx.h"
#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/core/error.h"
#include "skinlight/skinning/detail/loop_shard.h"

namespace skinlight {

namespace {
[[noreturn]] void refuse(const char* format) {
  throw InputError("", "",
                   std::string("is ") + format +
                       ", which is not read here; the skinlight program reads it, and glTF is read here");
}
}  // namespace

bool is_fbx(std::string_view bytes) {
  return bytes.starts_with("Kaydara FBX Binary") || bytes.starts_with("; FBX");
}
Model parse_fbx(std::string_view /*bytes*/, const std::string& /*name*/, const ReadOptions& /*options*/) {
  refuse("FBX");
}

Model parse_assimp(std::string_view /*bytes*/, const std::filesystem::path& path,
                   const ReadOptions& /*options*/) {
  refuse(extension_of(path) == ".dae" ? "Collada" : extension_of(path) == ".x" ? "DirectX" : "MD5");
}

namespace gltf {
// Damaged Draco data can crash its decoder, and there is no process of its own to crash in.
void decode_draco(tinygltf::Model& file) {
  for (std::size_t m = 0; m < file.meshes.size(); ++m)
    for (std::size_t p = 0; p < file.meshes[m].primitives.size(); ++p) {
      const tinygltf::Primitive& primitive = file.meshes[m].primitives[p];
      if (primitive.extensions.count(kDraco) != 0 && primitive.attributes.count("JOINTS_0") != 0)
        throw InputError("", "mesh " + std::to_string(m) + " primitive " + std::to_string(p),
                         std::string("is compressed by ") + kDraco +
                             ", which is not read here; decompress the file first");
    }
}
}  // namespace gltf

constinit const LoopShard<float> loops_avx2_0 = {};

}  // namespace skinlight
