// The mark of a baked mesh: what is read from marks as files have them, damaged ones included.
#include "skinlight/bake/detail/gltf_stamp.h"

#include <gtest/gtest.h>

#include "skinlight/bake/detail/gltf_record.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using gltf::BoundSkin;
using gltf::Json;
using gltf::PrimitiveVertices;

Json mesh_with(const std::string& mark) { return Json::parse(R"({"extras": {"skinlight": )" + mark + "}}"); }

// Which of the texture coordinate sets 0 to 1100 an earlier bake is said to have taken in a primitive.
std::vector<int> removed_sets(const std::string& mark, std::size_t primitive) {
  Json attributes = {{"POSITION", 0}};
  for (int set = 0; set <= 1100; ++set) attributes["TEXCOORD_" + std::to_string(set)] = set;
  gltf::remove_earlier(gltf::earlier_sets(mesh_with(mark), primitive), attributes);
  EXPECT_TRUE(attributes.contains("POSITION"));
  std::vector<int> removed;
  for (int set = 0; set <= 1100; ++set)
    if (!attributes.contains("TEXCOORD_" + std::to_string(set))) removed.push_back(set);
  return removed;
}

std::vector<int> sets(int first, RecordKind kind, int slots) {
  std::vector<int> all;
  for (int k = 0; k < gltf::texcoord_sets(kind, slots); ++k) all.push_back(first + k);
  return all;
}

TEST(GltfStamp, TexcoordsOfAnEarlierBakeAreThoseThatItsMarkNames) {
  const std::string four = R"({"first_texcoord": [2, 7], "influences": 4})";
  EXPECT_EQ(removed_sets(four, 0), sets(2, RecordKind::deform_factors, 4));
  EXPECT_EQ(removed_sets(four, 1), sets(7, RecordKind::deform_factors, 4));
  EXPECT_TRUE(removed_sets(four, 2).empty());
  EXPECT_EQ(removed_sets(R"({"first_texcoord": [1], "influences": 8, "method": "smoothed"})", 0),
            sets(1, RecordKind::smoothed, 8));
  EXPECT_NE(sets(1, RecordKind::smoothed, 8), sets(1, RecordKind::deform_factors, 8));
  EXPECT_EQ(removed_sets(R"({"first_texcoord": [1], "influences": 8, "method": "deform"})", 0),
            sets(1, RecordKind::deform_factors, 8));
}

TEST(GltfStamp, AMarkThatMakesNoSenseRemovesNoTexcoords) {
  for (const char* mark :
       {R"({})", R"({"influences": 4})", R"({"first_texcoord": [2]})",
        R"({"first_texcoord": 2, "influences": 4})", R"({"first_texcoord": [-2], "influences": 4})",
        R"({"first_texcoord": ["2"], "influences": 4})", R"({"first_texcoord": [2], "influences": 0})",
        R"({"first_texcoord": [2], "influences": -4})", R"({"first_texcoord": [1001], "influences": 4})",
        R"("mark")", "null"})
    EXPECT_TRUE(removed_sets(mark, 0).empty()) << mark;
  const auto with_slots = [](int slots) {
    return removed_sets(R"({"first_texcoord": [2], "influences": )" + std::to_string(slots) + "}", 0);
  };
  EXPECT_EQ(with_slots(1), sets(2, RecordKind::deform_factors, 1));
  EXPECT_EQ(with_slots(kMaxSlots), sets(2, RecordKind::deform_factors, kMaxSlots));
  EXPECT_TRUE(with_slots(kMaxSlots + 1).empty());
  EXPECT_EQ(removed_sets(R"({"first_texcoord": [1000], "influences": 4})", 0),
            sets(1000, RecordKind::deform_factors, 4));
}

TEST(GltfStamp, OfSeveralSkinsTheOneWithTheFewestJointsIsKept) {
  const auto vertices = [](int mesh, int primitive, int skin, int joints, int first) {
    return PrimitiveVertices{mesh, primitive,
                             BoundSkin{skin, std::vector<int>(static_cast<std::size_t>(joints))}, first, 10};
  };
  const std::vector<PrimitiveVertices> kept = gltf::one_skin_per_mesh(
      {vertices(4, 1, 2, 5, 70), vertices(4, 0, 2, 5, 60), vertices(4, 0, 1, 3, 50), vertices(4, 1, 1, 3, 40),
       vertices(3, 0, 1, 3, 30), vertices(3, 0, 0, 3, 20), vertices(3, 0, 2, 5, 10)});
  ASSERT_EQ(kept.size(), 3u);  // by mesh and primitive; of equally short ones the first
  const int expected[][4] = {{3, 0, 1, 30}, {4, 0, 1, 50}, {4, 1, 1, 40}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(kept[i].mesh, expected[i][0]);
    EXPECT_EQ(kept[i].primitive, expected[i][1]);
    EXPECT_EQ(kept[i].skin.skin, expected[i][2]);
    EXPECT_EQ(kept[i].first, expected[i][3]);
  }
}

TEST(GltfStamp, AMeshHasAMarkThatHasAllThatIsWanted) {
  const Json mesh = mesh_with(R"({"method": "deform", "influences": 4, "more": true})");
  EXPECT_TRUE(gltf::has_mark(mesh, Json::parse(R"({"influences": 4, "method": "deform"})")));
  EXPECT_FALSE(gltf::has_mark(mesh, Json::parse(R"({"influences": 8, "method": "deform"})")));
  EXPECT_FALSE(gltf::has_mark(mesh, Json::parse(R"({"influences": 4, "layout": "attributes"})")));
  EXPECT_FALSE(gltf::has_mark(Json::parse("{}"), Json::object()));
}

TEST(GltfStamp, EarlierSidesAreThoseOfMarksWithoutThisVersionOfRecords) {
  EXPECT_FALSE(gltf::has_earlier_sides(
      mesh_with(gltf::stamp({.influences = 4, .averaging = Averaging::area}).dump())));
  EXPECT_FALSE(gltf::has_earlier_sides(mesh_with(R"({"record": 2})")));
  EXPECT_TRUE(gltf::has_earlier_sides(mesh_with(R"({"record": 1})")));
  EXPECT_TRUE(gltf::has_earlier_sides(mesh_with(R"({"method": "deform"})")));
  EXPECT_FALSE(gltf::has_earlier_sides(Json::parse("{}")));
}

TEST(GltfStamp, AFileThatIsNoEarlierResultIsRefused) {
  const gltf_test::Folder folder("stamp_earlier");
  const auto refused = [&](const std::string& text) {
    try {
      gltf::require_earlier_result(folder.write("out.gltf", text));
      return false;
    } catch (const InputError& e) {
      EXPECT_EQ(e.reason(), "exists and is no earlier result of bake (--force replaces it)");
      return true;
    }
  };
  for (const char* text :
       {"", "precious", "[]", "[{\"meshes\": 1}]", "{}", R"({"asset": {"version": "2.0"}})",
        R"({"meshes": 3})", R"({"meshes": [2]})", R"({"meshes": [{"extras": {"theirs": 1}}]})"})
    EXPECT_TRUE(refused(text)) << text;
  EXPECT_FALSE(refused(R"({"meshes": [{}, {"extras": {"skinlight": {"record": 1}}}]})"));
  EXPECT_NO_THROW(gltf::require_earlier_result(folder.write("out.gltf", "").replace_filename("none.gltf")));
}

// Of files that need not be sound.
TEST(GltfStamp, TheBuffersOfAnEarlierResultAreThoseOfItsRecord) {
  const gltf_test::Folder folder("stamp_buffers");
  const auto uris = [&](const std::string& attributes, const std::string& mark = "{}") {
    return gltf::require_earlier_result(folder.write(
        "out.gltf",
        R"({"meshes": [{"primitives": [{"attributes": )" + attributes + R"(}], "extras": {"skinlight": )" +
            mark +
            R"(}}, {"primitives": [{"attributes": {"_DEFORM_X": 2}}]}], "accessors": [{"bufferView": 1},)"
            R"( {"bufferView": 0}, {"bufferView": 2}, {}, {"bufferView": 9}, 5], "bufferViews":)"
            R"( [{"buffer": 0}, {"buffer": 1}, {"buffer": 2}], "buffers": [{"uri": "own.bin"},)"
            R"( {"uri": "record.bin"}, {"byteLength": 3}]})"));
  };
  using Uris = std::vector<std::string>;
  EXPECT_EQ(uris(R"({"POSITION": 1, "_DEFORM_ALPHA_0": 0})"), Uris{"record.bin"});
  EXPECT_EQ(uris(R"({"POSITION": 0, "TEXCOORD_0": 1})"), Uris{});
  const std::string texcoord = R"({"first_texcoord": [1], "influences": 4})";
  EXPECT_EQ(uris(R"({"TEXCOORD_0": 1, "TEXCOORD_1": 0, "TEXCOORD_4": 1})", texcoord), Uris{"record.bin"});
  for (const char* accessor : {"2", "3", "4", "5", "6", "1000000000000", "-1", "\"0\"", "null", "{}"})
    EXPECT_EQ(uris(R"({"_DEFORM_ALPHA_0": )" + std::string(accessor) + "}"), Uris{}) << accessor;
  for (const char* attributes : {"3", "[]", "null", "\"x\""})
    EXPECT_EQ(uris(attributes), Uris{}) << attributes;
  for (const char* text : {R"({"meshes": [{"extras": {"skinlight": {}}}]})",
                           R"({"meshes": [{"extras": {"skinlight": {}}, "primitives": [3]}, 4]})",
                           R"({"meshes": [{"extras": {"skinlight": {}}, "primitives": "x"}]})"})
    EXPECT_EQ(gltf::require_earlier_result(folder.write("out.gltf", text)), Uris{}) << text;
}

TEST(GltfStamp, TheAssetsMarkLeavesTheRestOfItsExtras) {
  Json document = Json::parse(R"({"asset": {"version": "2.0", "extras": {"theirs": 1}}})");
  gltf::mark_asset(document);
  EXPECT_EQ(document["asset"]["extras"]["theirs"], 1);
  EXPECT_EQ(gltf::mark_of(document["asset"])["record"], 2);
  Json bare = Json::parse(R"({"asset": {"version": "2.0"}})");
  gltf::mark_asset(bare);
  EXPECT_FALSE(gltf::mark_of(bare["asset"]).is_null());
  Json text = Json::parse(R"({"asset": {"version": "2.0", "extras": "theirs"}})");
  gltf::mark_asset(text);
  EXPECT_EQ(text["asset"]["extras"], "theirs");
}

TEST(GltfStamp, SaysHowAMeshWasBaked) {
  const Json frames = gltf::stamp({.frames = Method::dqs, .influences = 5, .averaging = Averaging::area});
  EXPECT_EQ(frames["method"], "deform-frames");
  EXPECT_EQ(frames["skinning"], "dqs");
  EXPECT_EQ(frames["frames"], 2);
  EXPECT_EQ(frames["influences"], 5);
  const Json smoothed = gltf::stamp({.kind = RecordKind::smoothed,
                                     .layout = FactorLayout::texcoord,
                                     .format = NumberFormat::f16,
                                     .influences = 8,
                                     .averaging = Averaging::mixed_voronoi});
  EXPECT_EQ(smoothed["method"], "smoothed");
  EXPECT_EQ(smoothed["layout"], "texcoord");
  EXPECT_EQ(smoothed["format"], "f16");
  EXPECT_EQ(smoothed["averaging"], "mixed-voronoi");
  EXPECT_EQ(smoothed["guard"], "none");
  EXPECT_EQ(smoothed["tangents"], "orthonormal");
  EXPECT_FALSE(smoothed.contains("skinning") || smoothed.contains("frames"));
}

}  // namespace
}  // namespace skinlight
