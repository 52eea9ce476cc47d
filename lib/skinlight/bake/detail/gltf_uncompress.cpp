#include "skinlight/bake/detail/gltf_uncompress.h"

#include <algorithm>
#include <map>

#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_document.h"

namespace skinlight::gltf {

namespace {

constexpr const char* kTypes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};

// What an accessor holds.
struct Role {
  bool indices = false, positions = false;
};

// The smallest and largest stored number of each column. Where the accessor said so in more digits than floats have, its
// words stay; what it says of the numbers before compression goes.
void add_bounds(Json& entry, const tinygltf::Accessor& accessor, const unsigned char* from) {
  const std::size_t columns = component_count(accessor.type), width = component_size(accessor.componentType);
  std::vector<double> least(columns), most(columns);
  for (std::size_t i = 0; i < accessor.count; ++i)
    for (std::size_t c = 0; c < columns; ++c) {
      const double number = component_value(from + (i * columns + c) * width, accessor.componentType, false);
      least[c] = i == 0 ? number : std::min(least[c], number);
      most[c] = i == 0 ? number : std::max(most[c], number);
    }
  const auto are_same = [](const std::vector<double>& said, const std::vector<double>& stored) {
    return std::equal(said.begin(), said.end(), stored.begin(), stored.end(),
                      [](double a, double b) { return static_cast<float>(a) == static_cast<float>(b); });
  };
  entry["min"] = are_same(accessor.minValues, least) ? accessor.minValues : least;
  entry["max"] = are_same(accessor.maxValues, most) ? accessor.maxValues : most;
}

// Adds the accessor with what open() decoded for it. Vertices stand at multiples of 4 bytes, indices close together.
void add_decoded(Document& document, const tinygltf::Model& file, const tinygltf::Accessor& accessor,
                 const Role& role) {
  const tinygltf::BufferView& view = file.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
  const unsigned char* from =
      file.buffers[static_cast<std::size_t>(view.buffer)].data.data() + view.byteOffset;
  const std::size_t columns = component_count(accessor.type),
                    element = component_size(accessor.componentType) * columns,
                    stride = role.indices ? element : (element + 3) / 4 * 4;
  document.added.resize((document.added.size() + 3) / 4 * 4, '\0');
  const std::size_t offset = document.added.size();
  document.added.resize(offset + accessor.count * stride, '\0');
  for (std::size_t i = 0; i < accessor.count; ++i)
    std::copy_n(from + i * element, element,
                document.added.begin() + static_cast<std::ptrdiff_t>(offset + i * stride));
  document.added.resize((document.added.size() + 3) / 4 * 4, '\0');

  Json to = {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", accessor.count * stride}};
  if (stride != element) to["byteStride"] = stride;
  to["target"] = role.indices ? kIndexTarget : kVertexTarget;
  Json& views = document.json["bufferViews"];
  views.push_back(std::move(to));
  document.added_views.push_back(static_cast<int>(views.size()) - 1);

  Json entry = {{"bufferView", views.size() - 1}, {"componentType", accessor.componentType}};
  if (accessor.normalized) entry["normalized"] = true;
  entry["count"] = accessor.count;
  entry["type"] = kTypes[columns - 1];
  if (accessor.count > 0 && (role.positions || !accessor.minValues.empty() || !accessor.maxValues.empty()))
    add_bounds(entry, accessor, from);
  document.json["accessors"].push_back(std::move(entry));
}

void remove_name(Json& json, const char* list, const char* name) {
  if (!json.contains(list)) return;
  Json kept = Json::array();
  for (const Json& entry : json[list])
    if (entry != name) kept.push_back(entry);
  if (kept.empty())
    json.erase(list);
  else
    json[list] = kept;
}

}  // namespace

void write_decoded(Document& document, const tinygltf::Model& file, std::vector<Warning>& warnings) {
  Json& json = document.json;
  const std::size_t own = json.contains("accessors") ? json["accessors"].size() : 0;
  std::vector<Role> roles(file.accessors.size());
  bool is_left = false, is_uncompressed = false;  // somewhere
  for (std::size_t m = 0; m < file.meshes.size(); ++m)
    for (std::size_t p = 0; p < file.meshes[m].primitives.size(); ++p) {
      const tinygltf::Primitive& from = file.meshes[m].primitives[p];
      const std::string element = "mesh " + std::to_string(m) + " primitive " + std::to_string(p);
      const bool was_compressed = from.extensions.count(kDraco) != 0, has_corners = is_split(file, from);
      if (!was_compressed && !has_corners) continue;
      if (!has_corners && (from.indices < 0 || static_cast<std::size_t>(from.indices) < own)) {
        is_left = true;  // not skinned, so not decoded
        continue;
      }
      Json& to = json["meshes"][m]["primitives"][p];
      const auto write = [&](const std::map<std::string, int>& attributes, Json& as) {
        for (const auto& [name, accessor] : attributes) {
          as[name] = accessor;
          if (name == "POSITION") roles[static_cast<std::size_t>(accessor)].positions = true;
        }
      };
      write(from.attributes, to["attributes"]);
      for (std::size_t t = 0; has_corners && t < from.targets.size(); ++t)
        write(from.targets[t], to["targets"][t]);
      to.erase("indices");
      to.erase("mode");
      document.changed = true;
      if (has_corners) {
        warn(warnings, element, "has flat normals; it is written with a vertex per corner");
      } else {
        to["indices"] = from.indices;
        roles[static_cast<std::size_t>(from.indices)].indices = true;
      }
      if (!was_compressed) continue;
      is_uncompressed = true;
      to["extensions"].erase(kDraco);
      if (to["extensions"].empty()) to.erase("extensions");
      warn(warnings, element,
           std::string("was compressed by ") + kDraco + "; it is written back uncompressed");
    }
  for (std::size_t a = own; a < file.accessors.size(); ++a)
    add_decoded(document, file, file.accessors[a], roles[a]);
  if (is_left || !is_uncompressed) return;
  remove_name(json, "extensionsUsed", kDraco);
  remove_name(json, "extensionsRequired", kDraco);
}

}  // namespace skinlight::gltf
