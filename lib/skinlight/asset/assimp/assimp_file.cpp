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

// What a file of this size may take: an array of vertices is copied a few times on its way; a mebibyte of text
// takes less than a tenth of a second.
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

// Assimp 5.2 takes every .md5anim for 24 frames a second. Returns what the file's bytes say; 0 when they do
// not.
double md5_frame_rate(const std::string& bytes) {
  std::istringstream words(bytes);
  double rate = 0;
  for (std::string word; words >> word;)
    if (word == "frameRate") return words >> rate ? rate : 0;
  return 0;
}

}  // namespace

bool is_assimp_name(const std::filesystem::path& path) {
  constexpr std::array kExtensions = {".dae", ".md5mesh", ".x"};
  return std::find(kExtensions.begin(), kExtensions.end(), extension_of(path)) != kExtensions.end();
}

Model parse_assimp(std::string_view bytes, const std::filesystem::path& path, const ReadOptions& options) {
  if (bytes.empty()) throw InputError("", "", "is empty");
  if (!is_assimp_name(path)) throw InputError("", "", "is not called .dae, .md5mesh or .x");
  const std::string extension = extension_of(path);
  std::string animation;
  assimp::Files files = {{path.string(), bytes}};
  const std::filesystem::path beside = std::filesystem::path(path).replace_extension(".md5anim");
  if (extension == ".md5mesh" && std::filesystem::is_regular_file(beside)) {
    animation = read_file(beside);
    files.emplace(beside.string(), animation);
  }
  assimp::Scene scene = assimp::unpack(run_isolated(
      [&] { return assimp::pack(assimp::import_scene(path, files)); }, limits_for(bytes.size())));
  if (extension == ".md5mesh")
    for (assimp::SceneClip& clip : scene.clips) clip.ticks_per_second = md5_frame_rate(animation);
  return assimp::model_of(scene, path.stem().string(), options, default_ticks(extension));
}

Model read_assimp(const std::filesystem::path& path, const ReadOptions& options) {
  try {
    return parse_assimp(read_file(path), path, options);
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
}

}  // namespace skinlight
