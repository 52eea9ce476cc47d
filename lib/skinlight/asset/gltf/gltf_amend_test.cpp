#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_document.h"

namespace skinlight {
namespace {

using Json = nlohmann::json;

TEST(AmendedJson, FallbackBuffersWithoutDataGetOneByte) {
  const Json amended = Json::parse(gltf::amended_json(
      R"({"buffers": [{"byteLength": 5}, {"byteLength": 7, "extensions": {"EXT_meshopt_compression": {"fallback": true}}},)"
      R"({"byteLength": 9, "uri": "a.bin", "extensions": {"EXT_meshopt_compression": {"fallback": true}}}]})"));
  EXPECT_EQ(amended["buffers"][0], Json({{"byteLength", 5}}));
  EXPECT_EQ(amended["buffers"][1]["byteLength"], 1);
  EXPECT_TRUE(amended["buffers"][1].contains("uri"));
  EXPECT_EQ(amended["buffers"][2]["byteLength"], 9);
}

TEST(AmendedJson, IndicesOfCompressedPrimitivesGetAView) {
  const std::string text =
      R"({"accessors": [{}, {"bufferView": 1}, {}], "meshes": [{"primitives": [)"
      R"({"indices": 0, "extensions": {"KHR_draco_mesh_compression": {"bufferView": 5}}},)"
      R"({"indices": 1, "extensions": {"KHR_draco_mesh_compression": {"bufferView": 5}}}, {"indices": 2}]}]})";
  const Json amended = Json::parse(gltf::amended_json(text));
  EXPECT_EQ(amended["accessors"], Json::parse(R"([{"bufferView": 0}, {"bufferView": 1}, {}])"));
}

TEST(AmendedJson, IndicesOnePastTheAccessorsAddNone) {
  const std::string text =
      R"({"accessors": [{}], "meshes": [{"primitives": [)"
      R"({"indices": 0, "extensions": {"KHR_draco_mesh_compression": {"bufferView": 5}}},)"
      R"({"indices": 1, "extensions": {"KHR_draco_mesh_compression": {"bufferView": 5}}}]}]})";
  EXPECT_EQ(Json::parse(gltf::amended_json(text))["accessors"], Json::parse(R"([{"bufferView": 0}])"));
}

TEST(AmendedJson, NothingElseIsTouchedHoweverStrange) {
  for (
      const char* text :
      {R"({"buffers": [{"byteLength": 5}]})", R"({"EXT_meshopt_compression": 1, "buffers": 3})",
       R"({"EXT_meshopt_compression": )", R"(["EXT_meshopt_compression"])",
       R"({"buffers": [3, {"extensions": {"EXT_meshopt_compression": {"fallback": "yes"}}}, {"extensions": 5}]})",
       R"({"accessors": [3], "meshes": [{"primitives": [{"indices": -1, "extensions": {"KHR_draco_mesh_compression": {"bufferView": 5}}}]}]})",
       R"({"accessors": [3], "meshes": [{"primitives": [{"indices": 0, "extensions": {"KHR_draco_mesh_compression": {"bufferView": 5}}}]}]})",
       R"({"meshes": [{"primitives": [{"indices": 9, "extensions": {"KHR_draco_mesh_compression": {"bufferView": 5}}}]}]})"})
    EXPECT_EQ(gltf::amended_json(text), "") << text;
}

TEST(AddedAttribute, HasAViewOfItsOwnBehindThoseOfTheFile) {
  gltf::Document document =
      gltf::parse_document(R"({"bufferViews": [{}, {}, {}, {}], "accessors": [{}, {}]})", "");
  for (const int more : {0, 1}) {
    EXPECT_EQ(gltf::add_attribute(document, {.columns = 3, .values = {1, 2, 3, 4, 5, 6}}), 2 + more);
    const Json& accessor = document.json["accessors"][2 + more];
    EXPECT_EQ(accessor["bufferView"], 4 + more);
    EXPECT_EQ(accessor["count"], 2);
    EXPECT_EQ(document.json["bufferViews"][4 + more]["byteOffset"], 24 * more);
    EXPECT_EQ(document.json["bufferViews"][4 + more]["byteLength"], 24);
  }
}

}  // namespace
}  // namespace skinlight
