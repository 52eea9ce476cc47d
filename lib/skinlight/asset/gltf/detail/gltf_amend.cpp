// What the compressing extensions allow and tinygltf does not.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_compressed.h"

namespace skinlight::gltf {

namespace {

using Json = nlohmann::json;

// The entries of an array that are objects; none when `object` has no such array.
std::vector<Json*> objects(Json& object, const char* array) {
  std::vector<Json*> found;
  if (object.is_object() && object.contains(array) && object[array].is_array())
    for (Json& entry : object[array])
      if (entry.is_object()) found.push_back(&entry);
  return found;
}

// A property of an extension, null when there is none.
Json extension_property(const Json& object, const char* extension, const char* property) {
  const Json::json_pointer pointer("/extensions/" + std::string(extension) + "/" + property);
  return object.contains(pointer) ? object.at(pointer) : Json();
}

bool fill_fallback_buffers(Json& document) {
  bool changed = false;
  for (Json* buffer : objects(document, "buffers"))
    if (!buffer->contains("uri") && extension_property(*buffer, kMeshopt, "fallback") == Json(true)) {
      buffer->update({{"uri", "data:application/octet-stream;base64,AA=="}, {"byteLength", 1}});
      changed = true;
    }
  return changed;
}

bool place_compressed_indices(Json& document) {
  bool changed = false;
  for (Json* mesh : objects(document, "meshes"))
    for (Json* primitive : objects(*mesh, "primitives")) {
      const bool compressed = primitive->contains(Json::json_pointer(std::string("/extensions/") + kDraco));
      const Json indices = primitive->contains("indices") ? primitive->at("indices") : Json();
      if (!compressed || !indices.is_number_unsigned() || !document.contains("accessors")) continue;
      Json& accessors = document["accessors"];
      const auto index = indices.get<std::size_t>();
      if (!accessors.is_array() || index >= accessors.size() || !accessors[index].is_object() ||
          accessors[index].contains("bufferView"))
        continue;
      accessors[index]["bufferView"] = 0;  // any: the decoded indices replace it
      changed = true;
    }
  return changed;
}

}  // namespace

std::string amended_json(std::string_view json) {
  const bool concerned =
      json.find(kMeshopt) != std::string_view::npos || json.find(kDraco) != std::string_view::npos;
  if (!concerned) return "";
  Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) return "";
  const bool filled = fill_fallback_buffers(document), placed = place_compressed_indices(document);
  return filled || placed ? document.dump() : "";
}

}  // namespace skinlight::gltf
