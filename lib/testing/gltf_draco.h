// Draco's own encoder, for tests of compressed files.
#pragma once

#include <draco/compression/expert_encode.h>

#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "testing/gltf_document.h"

namespace skinlight::gltf_test {

inline draco::GeometryAttribute::Type draco_type(const std::string& name) {
  return name == "POSITION"     ? draco::GeometryAttribute::POSITION
         : name == "NORMAL"     ? draco::GeometryAttribute::NORMAL
         : name == "TEXCOORD_0" ? draco::GeometryAttribute::TEX_COORD
                                : draco::GeometryAttribute::GENERIC;
}

// Every skinned primitive of a file compressed; `plain` is its take_apart(). `exact`: keeps the order of
// vertices and faces. Quantisation in bits, 0: none.
inline Document with_draco(const Document& plain, const std::string& bytes, bool exact, int bits) {
  const tinygltf::Model file = gltf::open(bytes, "");
  gltf::Accessors accessors(file);
  Document packed = plain;
  for (std::size_t m = 0; m < file.meshes.size(); ++m)
    for (std::size_t p = 0; p < file.meshes[m].primitives.size(); ++p) {
      const tinygltf::Primitive& primitive = file.meshes[m].primitives[p];
      if (primitive.attributes.count("JOINTS_0") == 0) continue;
      draco::Mesh mesh;
      Json ids, attributes;
      const auto copy_of = [&](int accessor) {
        Json copy = plain.json["accessors"][static_cast<std::size_t>(accessor)];
        for (const char* key : {"bufferView", "byteOffset", "sparse"}) copy.erase(key);
        packed.json["accessors"].push_back(copy);
        return packed.json["accessors"].size() - 1;
      };
      std::vector<std::pair<std::string, int>> local;
      std::size_t vertices = 0;
      for (const auto& [name, accessor] : primitive.attributes) {
        const tinygltf::Accessor& a = file.accessors[static_cast<std::size_t>(accessor)];
        const gltf::Table table = accessors.read(accessor, {{a.type}, {a.componentType}}, name);
        vertices = table.rows;
        mesh.set_num_points(static_cast<std::uint32_t>(vertices));
        std::string raw;
        for (const double x : table.values) append_number(raw, a.componentType, x);
        const draco::DataType type = a.componentType == kFloat ? draco::DT_FLOAT32
                                     : a.componentType == kU8  ? draco::DT_UINT8
                                                               : draco::DT_UINT16;
        const std::size_t row = raw.size() / table.rows;
        draco::GeometryAttribute g;
        g.Init(draco_type(name), nullptr, static_cast<std::uint8_t>(table.columns), type, false,
               static_cast<std::int64_t>(row), 0);
        const int id = mesh.AddAttribute(g, true, static_cast<std::uint32_t>(vertices));
        for (std::uint32_t v = 0; v < vertices; ++v)
          mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(v), raw.data() + v * row);
        ids[name] = mesh.attribute(id)->unique_id();
        attributes[name] = copy_of(accessor);
        local.emplace_back(name, id);
      }
      std::vector<std::uint32_t> corners;
      if (primitive.indices >= 0) {
        const tinygltf::Accessor& a = file.accessors[static_cast<std::size_t>(primitive.indices)];
        for (const double i :
             accessors.read(primitive.indices, {{a.type}, {a.componentType}}, "indices").values)
          corners.push_back(static_cast<std::uint32_t>(i));
      } else {
        for (std::uint32_t v = 0; v < vertices; ++v) corners.push_back(v);
      }
      for (std::size_t f = 0; f + 2 < corners.size(); f += 3)
        mesh.AddFace({draco::PointIndex(corners[f]), draco::PointIndex(corners[f + 1]),
                      draco::PointIndex(corners[f + 2])});
      draco::ExpertEncoder encoder(mesh);
      encoder.SetEncodingMethod(exact ? draco::MESH_SEQUENTIAL_ENCODING : draco::MESH_EDGEBREAKER_ENCODING);
      encoder.SetTrackEncodedProperties(true);
      if (bits > 0)
        for (const auto& [name, id] : local)
          if (draco_type(name) != draco::GeometryAttribute::GENERIC)
            encoder.SetAttributeQuantization(id, bits);
      draco::EncoderBuffer buffer;
      const draco::Status status = encoder.EncodeToBuffer(&buffer);
      EXPECT_TRUE(status.ok()) << status.error_msg_string();
      for (const auto& [name, accessor] : attributes.items())
        packed.json["accessors"][accessor.get<std::size_t>()]["count"] = encoder.num_encoded_points();

      Json& to = packed.json["meshes"][m]["primitives"][p];
      if (primitive.indices < 0) {
        packed.json["accessors"].push_back({{"componentType", kU32}, {"type", "SCALAR"}, {"count", 0}});
        to["indices"] = packed.json["accessors"].size() - 1;
      } else {
        to["indices"] = copy_of(primitive.indices);
      }
      packed.json["accessors"][to["indices"].get<std::size_t>()]["count"] = 3 * encoder.num_encoded_faces();
      packed.json["bufferViews"].push_back({{"buffer", 0},
                                            {"byteOffset", packed.append({buffer.data(), buffer.size()})},
                                            {"byteLength", buffer.size()}});
      to["attributes"] = attributes;
      to["extensions"][gltf::kDraco] = {{"bufferView", packed.json["bufferViews"].size() - 1},
                                        {"attributes", ids}};
    }
  packed.json["extensionsRequired"] = {gltf::kDraco};
  return packed;
}

}  // namespace skinlight::gltf_test
