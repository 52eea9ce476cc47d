#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "skinlight/asset/gltf/detail/gltf_compressed.h"

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

}  // namespace
}  // namespace skinlight
