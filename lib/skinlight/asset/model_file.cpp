#include "skinlight/asset/model_file.h"

#include <array>
#include <iterator>
#include <span>
#include <string>

#include "skinlight/asset/assimp/assimp_file.h"
#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/fbx/fbx.h"
#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/core/file.h"

namespace skinlight {

namespace {

namespace fs = std::filesystem;

struct Format {
  std::string_view name;
  std::array<std::string_view, 3> extensions;  // empty ones are none
  bool (*begins)(std::string_view bytes);      // so that its content tells; may be null
  Model (*parse)(std::string_view bytes, const fs::path& path, const ReadOptions& options);
};

Model from_gltf(std::string_view bytes, const fs::path& path, const ReadOptions& options) {
  return parse_gltf(bytes, folder_of(path), path.stem().string(), options);
}
Model from_fbx(std::string_view bytes, const fs::path& path, const ReadOptions& options) {
  return parse_fbx(bytes, path.stem().string(), options);
}

constexpr Format kModelFormats[] = {{"glTF 2.0", {".gltf", ".glb", ".vrm"}, is_gltf, from_gltf},
                                    {"FBX", {".fbx"}, is_fbx, from_fbx},
                                    {"Collada", {".dae"}, nullptr, parse_assimp},
                                    {"MD5", {".md5mesh"}, nullptr, parse_assimp},
                                    {"DirectX", {".x"}, nullptr, parse_assimp}};
#ifdef SKINLIGHT_SMALL
constexpr std::size_t kRead = 1;  // a browser's library refuses the others, each with the reason
#else
constexpr std::size_t kRead = std::size(kModelFormats);
#endif

const Format* format_of_name(const fs::path& path) {
  const std::string extension = extension_of(path);
  for (const Format& format : kModelFormats)
    for (const std::string_view known : format.extensions)
      if (!known.empty() && known == extension) return &format;
  return nullptr;
}

const Format* format_of(std::string_view bytes, const fs::path& path) {
  for (const Format& format : kModelFormats)
    if (format.begins != nullptr && format.begins(bytes)) return &format;
  return format_of_name(path);
}

}  // namespace

std::string model_formats() {
  const auto formats = std::span<const Format>(kModelFormats).first(kRead);
  std::string text;
  for (const Format& format : formats) {
    if (&format != &formats.front()) text += &format == &formats.back() ? " and " : ", ";
    std::string extensions;
    for (const std::string_view extension : format.extensions)
      if (!extension.empty()) extensions += (extensions.empty() ? "" : ", ") + std::string(extension);
    text += std::string(format.name) + " (" + extensions + ")";
  }
  return text;
}

bool is_model_name(const fs::path& path) { return format_of_name(path) != nullptr; }

Model parse_model(std::string_view bytes, const fs::path& path, const ReadOptions& options) {
  const Format* const format = format_of(bytes, path);
  if (format == nullptr) throw InputError("", "", "is of no known format; read are " + model_formats());
  return format->parse(bytes, path, options);
}

Model read_model(const fs::path& path, const ReadOptions& options) {
  try {
    return parse_model(read_file(path), path, options);
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
}

}  // namespace skinlight
