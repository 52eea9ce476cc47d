#include "skinlight/asset/assimp/assimp_file.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "skinlight/asset/assimp/detail/assimp_import.h"
#include "skinlight/asset/assimp/detail/assimp_model.h"
#include "skinlight/asset/assimp/detail/isolate.h"
#include "skinlight/asset/detail/reading.h"
#include "skinlight/core/file.h"

namespace skinlight {

namespace {

// What a file of this size may take: compressed FBX grows tenfold, and an array of vertices is copied a few
// times on its way; a mebibyte of text takes less than a tenth of a second.
Limits limits_for(std::size_t file_size) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  Limits limits;
  limits.memory = 1024 * kMebibyte + 128 * file_size;
  limits.answer = 256 * kMebibyte + 64 * file_size;
  limits.seconds = 10 + static_cast<int>(file_size / kMebibyte);
  return limits;
}

// Ticks per second of clips that do not tell: DirectX defines 4800, for the others 25 is Assimp's advice.
double default_ticks(const std::string& extension) { return extension == ".x" ? 4800 : 25; }

// Assimp 5.2 takes every .md5anim for 24 frames a second. Returns what the file that it reads beside the mesh
// says; 0 when there is none or it does not say.
double md5_frame_rate(std::filesystem::path mesh) {
  const std::filesystem::path path = mesh.replace_extension(".md5anim");
  if (!std::filesystem::is_regular_file(path)) return 0;
  std::istringstream words(read_file(path));
  double rate = 0;
  for (std::string word; words >> word;)
    if (word == "frameRate") return words >> rate ? rate : 0;
  return 0;
}

}  // namespace

bool is_assimp_name(const std::filesystem::path& path) {
  constexpr std::array kExtensions = {".fbx", ".dae", ".md5mesh", ".x"};
  return std::find(kExtensions.begin(), kExtensions.end(), extension_of(path)) != kExtensions.end();
}

Model read_assimp(const std::filesystem::path& path, const ReadOptions& options) {
  try {
    const std::size_t size = read_file(path).size();
    if (size == 0) throw InputError("", "", "is empty");
    if (!is_assimp_name(path)) throw InputError("", "", "is not called .fbx, .dae, .md5mesh or .x");
    assimp::Scene scene = assimp::unpack(
        run_isolated([&] { return assimp::pack(assimp::import_scene(path)); }, limits_for(size)));
    if (extension_of(path) == ".md5mesh")
      for (assimp::SceneClip& clip : scene.clips) clip.ticks_per_second = md5_frame_rate(path);
    return assimp::model_of(scene, path.stem().string(), options, default_ticks(extension_of(path)));
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
}

}  // namespace skinlight
