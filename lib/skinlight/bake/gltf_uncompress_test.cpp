// What was compressed, written back: every byte and property of a document made by hand, whose numbers all differ.
#include "skinlight/bake/detail/gltf_uncompress.h"

#include <gtest/gtest.h>

#include <cstring>

#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using gltf::Json;
using gltf_test::kFloat;
using gltf_test::kU16;
using gltf_test::kU8;

// A view of its own, and an accessor over it.
void add_accessor(tinygltf::Model& file, int component_type, int type, std::size_t count,
                  const std::string& bytes, bool normalized = false) {
  tinygltf::BufferView view;
  view.buffer = 0;
  view.byteOffset = file.buffers[0].data.size();
  file.buffers[0].data.insert(file.buffers[0].data.end(), bytes.begin(), bytes.end());
  tinygltf::Accessor accessor;
  accessor.bufferView = static_cast<int>(file.bufferViews.size());
  accessor.componentType = component_type;
  accessor.type = type;
  accessor.count = count;
  accessor.normalized = normalized;
  file.bufferViews.push_back(view);
  file.accessors.push_back(accessor);
}

// Two compressed primitives of one mesh, each with its decoded accessors, and one that is not compressed. `left`: the second
// one was not decoded.
struct Compressed {
  gltf::Document document;
  tinygltf::Model file;

  explicit Compressed(bool left) {
    document.json = Json::parse(R"({
      "accessors": [{}, {}], "bufferViews": [{}], "extensionsUsed": ["other", "KHR_draco_mesh_compression"],
      "extensionsRequired": ["KHR_draco_mesh_compression"],
      "meshes": [{}, {"primitives": [
        {"attributes": {"NORMAL": 0}, "indices": 1, "mode": 5,
         "extensions": {"KHR_draco_mesh_compression": {}}},
        {"attributes": {"POSITION": 0}, "indices": 1, "mode": 5,
         "extensions": {"KHR_draco_mesh_compression": {}, "other": {}}},
        {"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}]}]})");
    document.added = "abcde";
    file.buffers.resize(1);
    file.buffers[0].data = {'?', '?', '?'};  // views begin at their offset
    file.accessors.resize(2);
    add_accessor(file, kFloat, TINYGLTF_TYPE_VEC2, 2, "0123456789abcdef");
    file.accessors.back().minValues = {1, 2};  // of before it was compressed
    file.accessors.back().maxValues = {3, 4};
    add_accessor(file, kU8, TINYGLTF_TYPE_VEC3, 2, "ABCDEF", true);
    add_accessor(file, kU16, TINYGLTF_TYPE_SCALAR, 3, "uvwxyz");
    add_accessor(file, kU8, TINYGLTF_TYPE_VEC4, 1, "GHIJ");
    add_accessor(file, kU8, TINYGLTF_TYPE_SCALAR, 5, "klmno");
    file.meshes.resize(2);
    file.meshes[1].primitives.resize(3);
    tinygltf::Primitive& first = file.meshes[1].primitives[0];
    first.attributes = {{"POSITION", 2}, {"COLOR_0", 3}};
    first.indices = 4;
    tinygltf::Primitive& second = file.meshes[1].primitives[1];
    second.attributes = {{"JOINTS_0", 5}};
    second.indices = left ? 1 : 6;
    for (tinygltf::Primitive* p : {&first, &second}) p->extensions[gltf::kDraco] = tinygltf::Value();
    file.meshes[1].primitives[2].attributes = {{"POSITION", 0}};
    file.meshes[1].primitives[2].indices = 1;
  }
};

TEST(GltfUncompress, WritesEveryByteInItsPlace) {
  Compressed c(false);
  std::vector<Warning> warnings;
  gltf::write_decoded(c.document, c.file, warnings);
  EXPECT_TRUE(c.document.changed);
  EXPECT_EQ(c.document.added, std::string("abcde\0\0\0"
                                          "0123456789abcdef"
                                          "ABC\0DEF\0"
                                          "uvwxyz\0\0"
                                          "GHIJ"
                                          "klmno\0\0\0",
                                          52));
  EXPECT_EQ(c.document.json["bufferViews"], Json::parse(R"([{},
      {"buffer": 0, "byteOffset": 8, "byteLength": 16, "target": 34962},
      {"buffer": 0, "byteOffset": 24, "byteLength": 8, "byteStride": 4, "target": 34962},
      {"buffer": 0, "byteOffset": 32, "byteLength": 6, "target": 34963},
      {"buffer": 0, "byteOffset": 40, "byteLength": 4, "target": 34962},
      {"buffer": 0, "byteOffset": 44, "byteLength": 5, "target": 34963}])"));
  EXPECT_EQ(c.document.added_views, (std::vector<int>{1, 2, 3, 4, 5}));
  const auto number = [](const char* bytes) {
    float value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  };
  Json& bounded = c.document.json["accessors"][2];
  EXPECT_EQ(bounded["min"], Json({number("0123"), number("4567")}));
  EXPECT_EQ(bounded["max"], Json({number("89ab"), number("cdef")}));
  bounded.erase("min");
  bounded.erase("max");
  EXPECT_EQ(c.document.json["accessors"], Json::parse(R"([{}, {},
      {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC2"},
      {"bufferView": 2, "componentType": 5121, "normalized": true, "count": 2, "type": "VEC3"},
      {"bufferView": 3, "componentType": 5123, "count": 3, "type": "SCALAR"},
      {"bufferView": 4, "componentType": 5121, "count": 1, "type": "VEC4"},
      {"bufferView": 5, "componentType": 5121, "count": 5, "type": "SCALAR"}])"));
}

TEST(GltfUncompress, TheFirstDecodedAccessorMayBeTheIndices) {
  Compressed c(false);
  tinygltf::Primitive& first = c.file.meshes[1].primitives[0];
  first.attributes = {{"POSITION", 3}, {"COLOR_0", 4}};
  first.indices = 2;
  std::vector<Warning> warnings;
  gltf::write_decoded(c.document, c.file, warnings);
  EXPECT_EQ(c.document.json["meshes"][1]["primitives"][0]["indices"], 2);
  EXPECT_EQ(c.document.json["extensionsUsed"], Json({"other"}));
}

TEST(GltfUncompress, AccessorsThatSaidOneBoundHaveBoth) {
  for (const bool is_least : {true, false}) {
    Compressed c(false);
    tinygltf::Accessor& color = c.file.accessors[3];
    (is_least ? color.minValues : color.maxValues) = {1, 2, 3};
    std::vector<Warning> warnings;
    gltf::write_decoded(c.document, c.file, warnings);
    const Json& entry = c.document.json["accessors"][3];
    EXPECT_EQ(entry["min"], Json({'A', 'B', 'C'}));
    EXPECT_EQ(entry["max"], Json({'D', 'E', 'F'}));
  }
}

// Bounds are of what is stored: of normalised integers too, and of positions that had none.
TEST(GltfUncompress, BoundsAreThoseOfTheNumbersStored) {
  Compressed c(false);
  const auto bounds = [&](int component_type, const std::string& bytes, std::vector<double> min,
                          std::vector<double> max, bool normalized) {
    add_accessor(c.file, component_type, TINYGLTF_TYPE_VEC3, 2, bytes, normalized);
    c.file.accessors.back().minValues = std::move(min);
    c.file.accessors.back().maxValues = std::move(max);
    const int index = static_cast<int>(c.file.accessors.size()) - 1;
    c.file.meshes[1].primitives[0].attributes["POSITION"] = index;
    Compressed fresh(false);
    fresh.file = c.file;
    std::vector<Warning> warnings;
    gltf::write_decoded(fresh.document, fresh.file, warnings);
    const Json& entry = fresh.document.json["accessors"][static_cast<std::size_t>(index)];
    return Json({entry["min"], entry["max"]});
  };
  const std::string bytes{'\x80', 2, 5, '\xfd', 9, 4};
  for (const bool normalized : {false, true}) {
    EXPECT_EQ(bounds(gltf_test::kI8, bytes, {}, {}, normalized), Json::parse("[[-128, 2, 4], [-3, 9, 5]]"));
    EXPECT_EQ(bounds(kU8, bytes, {-1, 0, 0}, {1, 1, 1}, normalized),
              Json::parse("[[128, 2, 4], [253, 9, 5]]"));
  }
  std::string numbers;
  for (const double x : {.1, -2., 3., .3, .2, 0.}) gltf_test::append_number(numbers, kFloat, x);
  // .1 and .3 are the floats in more digits; 7 is of before.
  EXPECT_EQ(bounds(kFloat, numbers, {.1, -2, 0}, {.3, 7, 3}, false),
            Json({Json({.1, -2, 0}), Json({double{.3F}, double{.2F}, 3})}));
}

TEST(GltfUncompress, PrimitivesNameTheirAccessorsAndNoExtension) {
  Compressed c(false);
  std::vector<Warning> warnings;
  gltf::write_decoded(c.document, c.file, warnings);
  EXPECT_EQ(c.document.json["meshes"], Json::parse(R"([{}, {"primitives": [
      {"attributes": {"NORMAL": 0, "COLOR_0": 3, "POSITION": 2}, "indices": 4},
      {"attributes": {"POSITION": 0, "JOINTS_0": 5}, "extensions": {"other": {}}, "indices": 6},
      {"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}]}])"));
  EXPECT_EQ(c.document.json["extensionsUsed"], Json::parse(R"(["other"])"));
  EXPECT_FALSE(c.document.json.contains("extensionsRequired"));
  ASSERT_EQ(warnings.size(), 1u);  // for both
  EXPECT_EQ(warnings[0].element, "mesh 1 primitive 0");
  EXPECT_EQ(warnings[0].reason,
            "was compressed by KHR_draco_mesh_compression; it is written back uncompressed");
}

TEST(GltfUncompress, WhatWasNotDecodedStaysCompressedAndTheExtensionNamed) {
  Compressed c(true);
  const Json before = c.document.json;
  std::vector<Warning> warnings;
  gltf::write_decoded(c.document, c.file, warnings);
  EXPECT_EQ(c.document.json["meshes"][1]["primitives"][1], before["meshes"][1]["primitives"][1]);
  EXPECT_EQ(c.document.json["meshes"][1]["primitives"][0]["indices"], 4);
  EXPECT_EQ(c.document.json["extensionsUsed"], before["extensionsUsed"]);
  EXPECT_EQ(c.document.json["extensionsRequired"], before["extensionsRequired"]);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].element, "mesh 1 primitive 0");
}

TEST(GltfUncompress, NothingIsWrittenWhereNothingWasCompressed) {
  Compressed c(false);
  for (tinygltf::Primitive& p : c.file.meshes[1].primitives) p.extensions.clear();
  c.file.accessors.resize(2);
  const Json before = c.document.json;
  std::vector<Warning> warnings;
  gltf::write_decoded(c.document, c.file, warnings);
  EXPECT_FALSE(c.document.changed);
  EXPECT_EQ(c.document.json, before);
  EXPECT_EQ(c.document.added, "abcde");
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace skinlight
