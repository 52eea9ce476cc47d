// What extensions allow and tinygltf does not.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"

namespace skinlight::gltf {

namespace {

using SortedJson = nlohmann::json;  // by key

// The entries of an array that are objects; none when `object` has no such array.
std::vector<SortedJson*> objects(SortedJson& object, const char* array) {
  std::vector<SortedJson*> found;
  if (object.is_object() && object.contains(array) && object[array].is_array())
    for (SortedJson& entry : object[array])
      if (entry.is_object()) found.push_back(&entry);
  return found;
}

// A property of an extension, null when there is none.
SortedJson extension_property(const SortedJson& object, const char* extension, const char* property) {
  const SortedJson::json_pointer pointer("/extensions/" + std::string(extension) + "/" + property);
  return object.contains(pointer) ? object.at(pointer) : SortedJson();
}

bool fill_fallback_buffers(SortedJson& document) {
  bool changed = false;
  for (SortedJson* buffer : objects(document, "buffers"))
    if (!buffer->contains("uri") &&
        (extension_property(*buffer, kMeshopt, "fallback") == SortedJson(true) ||
         extension_property(*buffer, kKhrMeshopt, "fallback") == SortedJson(true))) {
      buffer->update({{"uri", "data:application/octet-stream;base64,AA=="}, {"byteLength", 1}});
      changed = true;
    }
  return changed;
}

bool place_compressed_indices(SortedJson& document) {
  bool changed = false;
  for (SortedJson* mesh : objects(document, "meshes"))
    for (SortedJson* primitive : objects(*mesh, "primitives")) {
      const bool compressed =
          primitive->contains(SortedJson::json_pointer(std::string("/extensions/") + kDraco));
      const SortedJson indices = primitive->contains("indices") ? primitive->at("indices") : SortedJson();
      if (!compressed || !indices.is_number_unsigned() || !document.contains("accessors")) continue;
      SortedJson& accessors = document["accessors"];
      const auto index = indices.get<std::size_t>();
      if (!accessors.is_array() || index >= accessors.size() || !accessors[index].is_object() ||
          accessors[index].contains("bufferView"))
        continue;
      accessors[index]["bufferView"] = 0;  // any: the decoded indices replace it
      changed = true;
    }
  return changed;
}

// Of "/nodes/2/rotation" nodes, 2 and rotation; of a weight, "/meshes/0/weights/1", weights/1.
struct Pointer {
  std::string kind, path;
  std::size_t index = 0;
};

bool is_number(const std::string& text) {
  constexpr std::size_t kMostDigits = 9;
  return !text.empty() && text.size() <= kMostDigits &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

// What is animated that poses depend on; no kind for anything else.
Pointer parse_pointer(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == '/')
      parts.emplace_back();
    else
      parts.back() += c;
  if (parts.size() < 4 || !parts[0].empty() || !is_number(parts[2])) return {};
  const bool of_node = parts[1] == "nodes", weights = parts[3] == "weights";
  const bool transforms = parts[3] == "translation" || parts[3] == "rotation" || parts[3] == "scale";
  if (!(of_node && (transforms || weights)) && !(parts[1] == "meshes" && weights)) return {};
  if (parts.size() > 5 || (parts.size() == 5 && !(weights && is_number(parts[4])))) return {};
  return {parts[1], parts.size() == 5 ? parts[3] + "/" + parts[4] : parts[3], std::stoul(parts[2])};
}

// The nodes that a pointer moves: of a mesh's weights all that show it without weights of their own.
std::vector<std::size_t> nodes_of(const Pointer& pointer, SortedJson& document) {
  if (pointer.kind == "nodes") return {pointer.index};
  std::vector<std::size_t> nodes;
  if (!document.contains("nodes") || !document["nodes"].is_array()) return nodes;
  for (std::size_t n = 0; n < document["nodes"].size(); ++n) {
    const SortedJson& node = document["nodes"][n];
    if (node.is_object() && node.contains("mesh") && node["mesh"] == SortedJson(pointer.index) &&
        !node.contains("weights"))
      nodes.push_back(n);
  }
  return nodes;
}

// Channels of KHR_animation_pointer become channels of nodes. One without a node, or with a pointer that no pose depends on,
// keeps a path that none has, so that it is told of as left out.
bool resolve_pointers(SortedJson& document) {
  bool changed = false;
  for (SortedJson* animation : objects(document, "animations")) {
    std::vector<SortedJson> more;
    for (SortedJson* channel : objects(*animation, "channels")) {
      if (!channel->contains("target") || !(*channel)["target"].is_object()) continue;
      SortedJson& target = (*channel)["target"];
      const SortedJson text = extension_property(target, kAnimationPointer, "pointer");
      if (!text.is_string()) continue;
      const Pointer pointer = parse_pointer(text.get<std::string>());
      const std::vector<std::size_t> nodes =
          pointer.kind.empty() ? std::vector<std::size_t>() : nodes_of(pointer, document);
      target["node"] = nodes.empty() ? 0 : nodes[0];
      target["path"] = nodes.empty() ? "pointer" : pointer.path;
      for (std::size_t i = 1; i < nodes.size(); ++i) {
        more.push_back(*channel);
        more.back()["target"]["node"] = nodes[i];
      }
      changed = true;
    }
    for (SortedJson& channel : more) (*animation)["channels"].push_back(std::move(channel));
  }
  return changed;
}

// Of what a buffer's URI names; 0 when there is nothing.
std::size_t length_of(const std::string& uri, const std::filesystem::path& folder) {
  if (uri.starts_with("data:")) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string::npos || uri.find(";base64") > comma) return 0;
    const std::size_t digits = uri.find_last_not_of('=') - comma;
    return digits * 3 / 4;
  }
  const std::filesystem::path file = file_of(uri);
  std::error_code failed;
  const auto size = file.empty() || folder.empty() ? 0 : std::filesystem::file_size(folder / file, failed);
  return failed ? 0 : static_cast<std::size_t>(size);
}

// tinygltf takes + for a space, as forms have it; in a URI it is itself.
std::string with_escaped_plus(const std::string& uri) {
  if (file_of(uri).empty()) return uri;
  std::string escaped;
  for (const char c : uri) c == '+' ? escaped.append("%2B") : escaped.append(1, c);
  return escaped;
}

}  // namespace

WholeBuffers with_whole_buffers(std::string_view json, const std::filesystem::path& folder) {
  SortedJson document = SortedJson::parse(json, nullptr, false);
  WholeBuffers whole;
  bool amended = false;
  for (SortedJson* buffer : objects(document, "buffers")) {
    SortedJson& length = (*buffer)["byteLength"];
    if (!length.is_number_unsigned()) return {};
    whole.lengths.push_back(length.get<std::size_t>());
    if (!buffer->contains("uri") || !(*buffer)["uri"].is_string()) continue;
    auto& uri = (*buffer)["uri"].get_ref<std::string&>();
    const std::size_t found = length_of(uri, folder);
    if (const std::string escaped = with_escaped_plus(uri); escaped != uri) {
      uri = escaped;
      amended = true;
    }
    if (found <= whole.lengths.back()) continue;
    length = found;
    amended = true;
  }
  if (amended) whole.json = document.dump();
  return whole;
}

std::string amended_json(std::string_view json) {
  const auto names = [&](const char* extension) { return json.find(extension) != std::string_view::npos; };
  if (!names(kMeshopt) && !names(kKhrMeshopt) && !names(kDraco) && !names(kAnimationPointer)) return "";
  SortedJson document = SortedJson::parse(json, nullptr, false);
  if (!document.is_object()) return "";
  const bool filled = fill_fallback_buffers(document), placed = place_compressed_indices(document),
             resolved = resolve_pointers(document);
  return filled || placed || resolved ? document.dump() : "";
}

}  // namespace skinlight::gltf
