#include "skinlight/asset/gltf/detail/gltf_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>

#include "skinlight/asset/gltf/detail/glb.h"
#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/core/file.h"

namespace skinlight::gltf {

namespace fs = std::filesystem;

namespace {

// tinygltf walks `extras` recursively; this many levels are far from the stack's end and beyond any real
// file.
constexpr int kDeepestJson = 200;

void require_shallow(std::string_view json) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kDeepestJson)
      throw InputError("", "JSON", "nested deeper than " + std::to_string(kDeepestJson) + " levels");
  }
}

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t word;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

// Returns the container without bytes that follow it. Checked here because tinygltf lets the second chunk's
// data end eight bytes behind the file.
std::string_view checked_glb(std::string_view bytes) {
  if (bytes.size() < kGlbHeader + kChunkHeader) throw InputError("", "header", "truncated");
  if (const std::uint32_t version = word_at(bytes, 4); version != 2)
    throw InputError("", "header",
                     "container version " + std::to_string(version) + " is not supported, only 2");
  const std::size_t length = word_at(bytes, 8);
  if (length > bytes.size())
    throw InputError("", "header",
                     "truncated: " + std::to_string(length) + " bytes announced, " +
                         std::to_string(bytes.size()) + " found");
  const auto require_chunk = [&](std::size_t at, const char* name, std::uint32_t type) {
    if (at + kChunkHeader > length || word_at(bytes, at) > length - at - kChunkHeader)
      throw InputError("", name, "truncated");
    if (word_at(bytes, at + 4) != type) throw InputError("", name, "is of another type");
    return at + kChunkHeader + word_at(bytes, at);
  };
  const std::size_t json_end = require_chunk(kGlbHeader, "JSON chunk", kJsonChunk);
  require_shallow(bytes.substr(kGlbHeader + kChunkHeader, json_end - kGlbHeader - kChunkHeader));
  if (json_end < length) require_chunk(json_end, "BIN chunk", kBinChunk);
  return bytes.substr(0, length);
}

constexpr std::size_t kGlbSize = 8, kJsonSize = 12, kJson = 20;

// The JSON of a checked container.
std::string_view json_of(std::string_view glb) { return glb.substr(kJson, word_at(glb, kJsonSize)); }

// The checked container with other JSON; "" without any.
std::string with_json(std::string_view glb, std::string json) {
  if (json.empty()) return "";
  const std::size_t old_size = word_at(glb, kJsonSize);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string bytes(glb.substr(0, kJson));
  const auto put = [&](std::size_t at, std::size_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    std::memcpy(bytes.data() + at, &word, sizeof word);
  };
  put(kGlbSize, glb.size() - old_size + json.size());
  put(kJsonSize, json.size());
  return bytes + json + std::string(glb.substr(kJson + old_size));
}

// The checked container without a binary chunk that is empty, which the format allows and tinygltf does not; "" where it is not.
std::string without_empty_chunk(std::string_view glb) {
  const std::size_t json_end = kJson + word_at(glb, kJsonSize);
  if (glb.size() < json_end + kChunkHeader || word_at(glb, json_end) != 0) return "";
  std::string bytes(glb.substr(0, json_end));
  const auto size = static_cast<std::uint32_t>(json_end);
  std::memcpy(bytes.data() + kGlbSize, &size, sizeof size);
  return bytes;
}

// tinygltf asks for external files by the path in the URI. They are looked for beside the glTF file and
// nowhere else.
fs::path beside(const std::string& uri, void* folder) {
  return *static_cast<const fs::path*>(folder) / fs::path(uri).relative_path();
}

bool external_file_exists(const std::string& uri, void* folder) {
  std::error_code failed;
  return !static_cast<const fs::path*>(folder)->empty() && fs::is_regular_file(beside(uri, folder), failed);
}

std::string path_as_written(const std::string& uri, void*) { return uri; }

bool read_external_file(std::vector<unsigned char>* bytes, std::string* error, const std::string& uri,
                        void* folder) {
  try {
    const std::string content = read_file(beside(uri, folder));
    bytes->assign(content.begin(), content.end());
    return true;
  } catch (const InputError& e) {
    *error = e.reason();
    return false;
  }
}

bool skip_image(tinygltf::Image*, int, std::string*, std::string*, int, int, const unsigned char*, int,
                void*) {
  return true;
}

bool keep_image(tinygltf::Image* image, int, std::string*, std::string*, int, int, const unsigned char* bytes,
                int size, void*) {
  image->image.assign(bytes, bytes + size);
  return true;
}

// The first line of tinygltf's messages that is a mistake in the file, short enough for one line (it quotes
// data URIs whole). Not mistakes: skins without inverse bind matrices, channels whose target an extension
// defines.
std::string first_complaint(const std::string& messages) {
  constexpr std::array kHarmless = {"'inverseBindMatrices' property is missing in Skin.",
                                    "'node' property is missing.",
                                    "`node` field is missing in animation.channels.target"};
  constexpr std::size_t kLongest = 160;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || std::find(kHarmless.begin(), kHarmless.end(), line) != kHarmless.end()) continue;
    return line.size() <= kLongest ? line : line.substr(0, kLongest) + " ...";
  }
  return "";
}

// Extensions that a file may require: quantised vertices are read as any other, compressed ones are decoded, animations by
// pointer are resolved; the others touch neither geometry nor skins: materials, lights, behaviour, what is shown and said of
// nodes, and whole avatars (VRM) around the skin.
bool is_supported(const std::string& extension) {
  constexpr std::array kPrefixes = {"KHR_mesh_quantization",
                                    kDraco,
                                    kMeshopt,
                                    kKhrMeshopt,
                                    kAnimationPointer,
                                    "KHR_materials_",
                                    "KHR_texture_",
                                    "EXT_texture_",
                                    "MSFT_texture_",
                                    "MSFT_packing_",
                                    "KHR_lights_",
                                    "EXT_lights_",
                                    "KHR_environment_map",
                                    "KHR_interactivity",
                                    "KHR_node_hoverability",
                                    "KHR_node_selectability",
                                    "KHR_node_visibility",
                                    "KHR_audio",
                                    "MSFT_audio_",
                                    "KHR_xmp",
                                    "MSFT_lod",
                                    "VRM",
                                    "ADOBE_materials_",
                                    "EXT_mesh_features",
                                    "EXT_structural_metadata",
                                    "FB_ngon_encoding",
                                    "GODOT_single_root",
                                    "KHR_implicit_shapes",
                                    "KHR_physics_rigid_bodies",
                                    "OMI_physics_"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](const char* prefix) { return extension.rfind(prefix, 0) == 0; });
}

tinygltf::Model parse(std::string_view bytes, bool binary, fs::path folder, Images images) {
  tinygltf::TinyGLTF loader;
  loader.SetImageLoader(images == Images::kept ? keep_image : skip_image, nullptr);
  loader.SetFsCallbacks({external_file_exists, path_as_written, read_external_file, nullptr, &folder});
  tinygltf::Model file;
  std::string errors, warnings;
  const auto size = static_cast<unsigned int>(bytes.size());
  bool loaded = false;
  try {
    loaded = binary ? loader.LoadBinaryFromMemory(&file, &errors, &warnings,
                                                  reinterpret_cast<const unsigned char*>(bytes.data()), size)
                    : loader.LoadASCIIFromString(&file, &errors, &warnings, bytes.data(), size, "");
  } catch (const std::exception& e) {
    errors += e.what();
  }
  // What an extension compresses looks broken to tinygltf, so the extension is named first.
  for (const std::string& extension : file.extensionsRequired)
    if (!is_supported(extension)) throw InputError("", "extensionsRequired", extension + " is not supported");
  const std::string complaint = first_complaint(errors);
  if (!complaint.empty()) throw InputError("", "JSON", complaint);
  if (!loaded) throw InputError("", "JSON", "is not glTF: something that the format requires is missing");
  return file;
}

}  // namespace

fs::path file_of(const std::string& uri) {
  const std::size_t colon = uri.find(':');
  if (uri.empty() || (colon != std::string::npos && colon < uri.find('/'))) return {};
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const auto is_digit = [&](std::size_t k) {
      return k < uri.size() && std::isxdigit(static_cast<unsigned char>(uri[k])) != 0;
    };
    if (uri[i] == '%' && is_digit(i + 1) && is_digit(i + 2)) {
      path += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  const fs::path file(path);
  return file.is_absolute() ? fs::path{} : file;
}

tinygltf::Model open(std::string_view bytes, const fs::path& folder, Images images) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) throw InputError("", "", "is empty");
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max())
    throw InputError("", "", "is larger than 4 GiB, which glTF cannot be");
  const bool binary = bytes.rfind("glTF", 0) == 0;
  if (!binary && bytes[first] != '{')
    throw InputError("", "", "is not glTF: starts neither with \"glTF\" nor with \"{\"");
  if (!binary) require_shallow(bytes);
  if (binary) bytes = checked_glb(bytes);
  const std::string without_chunk = binary ? without_empty_chunk(bytes) : "";
  if (!without_chunk.empty()) bytes = without_chunk;
  const auto put_back = [&](std::string json) {
    return binary ? with_json(bytes, std::move(json)) : std::move(json);
  };
  const std::string_view json = binary ? json_of(bytes) : bytes;
  const std::string amended = amended_json(json);
  const std::string container = put_back(amended);
  tinygltf::Model file;
  try {
    file = parse(container.empty() ? bytes : std::string_view(container), binary, folder, images);
  } catch (const InputError&) {
    const WholeBuffers whole = with_whole_buffers(amended.empty() ? json : std::string_view(amended), folder);
    if (whole.json.empty()) throw;
    file = parse(put_back(whole.json), binary, folder, images);
    for (std::size_t i = 0; i < whole.lengths.size(); ++i)
      if (file.buffers[i].data.size() > whole.lengths[i]) file.buffers[i].data.resize(whole.lengths[i]);
  }
  if (file.asset.version.rfind("2.", 0) != 0)
    throw InputError("", "asset", "version \"" + file.asset.version + "\" is not supported, only 2.x");
  decode_meshopt(file);
  decode_draco(file);
  return file;
}

tinygltf::Model open(const fs::path& path, Images images) {
  return open(read_file(path), folder_of(path), images);
}

void require_reference(int index, std::size_t size, std::string_view what, const std::string& element) {
  if (index < 0 || static_cast<std::size_t>(index) >= size)
    throw InputError("", element,
                     "refers to " + std::string(what) + " " + std::to_string(index) + ", but the file has " +
                         std::to_string(size));
}

}  // namespace skinlight::gltf
