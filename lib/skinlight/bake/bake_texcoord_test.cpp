// Factors in texture coordinates, beside those that the file has.
#include "skinlight/bake/bake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <span>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/baked_file.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::File;
using gltf_test::Folder;
using gltf_test::replaced;
using gltf_test::strip;
using test_baked::BakedFile;
using test_baked::bytes_of;
using test_baked::Json;

TEST(Bake, TexcoordsStandBehindThePrimitivesOwn) {
  const Folder folder("bake_texcoord");
  File file = strip();
  file.primitives.push_back(
      R"({"attributes": {"POSITION": 0, "JOINTS_0": 3, "WEIGHTS_0": 4}, "indices": 5})");
  const fs::path in = folder.write("in.gltf", file.gltf()), out = in.parent_path() / "out.gltf";
  bake_gltf(in, out, {.layout = FactorLayout::texcoord});
  const BakedFile baked(out);
  EXPECT_EQ(baked.json["meshes"][0]["extras"]["skinlight"]["first_texcoord"], Json::parse("[1, 0]"));
  EXPECT_EQ(baked.attributes(0, 0)["TEXCOORD_0"], 2);
  EXPECT_TRUE(baked.attributes(0, 0).contains("TEXCOORD_3"));
  EXPECT_TRUE(baked.attributes(0, 1).contains("TEXCOORD_2"));
  EXPECT_FALSE(baked.attributes(0, 1).contains("TEXCOORD_3"));
}

// Who reads the file again finds the texture coordinates that it had: the record of a primitive without any starts at its first
// set. A set of another type behind the record is somebody's own.
TEST(Bake, ARecordInTexcoordsIsNoPlaceOnATexture) {
  const Folder folder("bake_no_uv");
  File file = strip();
  file.primitives.push_back(
      R"({"attributes": {"POSITION": 0, "JOINTS_0": 3, "WEIGHTS_0": 4}, "indices": 5})");
  const fs::path in = folder.write("in.gltf", file.gltf()), out = in.parent_path() / "out.gltf";
  bake_gltf(in, out, {.layout = FactorLayout::texcoord, .format = NumberFormat::snorm16});
  const std::vector<Vec2d> uv = read_gltf(in).mesh.uv;
  ASSERT_EQ(uv.size(), 16u);
  const auto expect_uv = [&](std::span<const Vec2d> of_second) {
    const std::vector<Vec2d> now = read_gltf(out).mesh.uv;
    ASSERT_EQ(now.size(), 16u);
    for (std::size_t v = 0; v < 8; ++v) {
      EXPECT_EQ(now[v], uv[v]);
      EXPECT_EQ(now[8 + v], of_second[v]);
    }
  };
  expect_uv(std::span(uv).subspan(8));
  Json json = Json::parse(bytes_of(out));
  json["materials"] = {{{"normalTexture", {{"index", 0}, {"texCoord", 3}}}}};
  Json& second = json["meshes"][0]["primitives"][1];
  second["material"] = 0;
  second["attributes"]["TEXCOORD_3"] = 2;
  folder.write("out.gltf", json.dump());
  expect_uv(std::span(uv).first(8));
}

// A file with texture coordinates as record that somebody edits, and bakes again.
struct EditedTexcoords {
  Folder folder{"bake_edited_texcoords"};
  fs::path in = folder.write("in.gltf", strip().gltf()), once = in.parent_path() / "once.gltf",
           again = in.parent_path() / "again.gltf";
  Json json;

  EditedTexcoords() {
    bake_gltf(in, once, {.layout = FactorLayout::texcoord});
    json = Json::parse(bytes_of(once));
  }
  Json& attributes() { return json["meshes"][0]["primitives"][0]["attributes"]; }
  // An accessor of two floats for each of the vertices, that the record has nothing to do with.
  int own_set() {
    json["accessors"].push_back(json["accessors"][2]);
    return static_cast<int>(json["accessors"].size()) - 1;
  }
  // Another position, behind which the digest is another one.
  void edit_surface() {
    json["accessors"].push_back(json["accessors"][1]);
    attributes()["POSITION"] = json["accessors"].size() - 1;
  }
  BakedFile baked(const BakeOptions& options, int stay) {
    folder.write("edited.gltf", json.dump());
    const BakeReport report = bake_gltf(in.parent_path() / "edited.gltf", again, options);
    EXPECT_FALSE(report.unchanged);
    EXPECT_EQ(gltf_test::count_of(report.warnings, "they stay"), stay);
    return BakedFile(again);
  }
  static std::set<std::string> sets_of(const BakedFile& file) {
    std::set<std::string> sets;
    for (const auto& [name, accessor] : file.attributes(0, 0).items())
      if (name.rfind("TEXCOORD_", 0) == 0) sets.insert(name.substr(9));
    return sets;
  }
};

using TexcoordNumbers = std::set<std::string>;
const BakeOptions kTexcoord{.layout = FactorLayout::texcoord};

TEST(Bake, TexcoordsThatTookThePlaceOfARecordStay) {
  // One set of the record is replaced; the others are there, or not.
  for (const auto& [replaced, all] : {std::pair("TEXCOORD_1", false), std::pair("TEXCOORD_1", true),
                                      std::pair("TEXCOORD_2", true), std::pair("TEXCOORD_3", true)}) {
    SCOPED_TRACE(replaced);
    EditedTexcoords edited;
    const int own = edited.own_set();
    edited.attributes()[replaced] = own;
    for (const char* name : {"TEXCOORD_2", "TEXCOORD_3"})
      if (!all) edited.attributes().erase(name);
    const BakedFile plain = edited.baked({}, 1);
    EXPECT_EQ(plain.attributes(0, 0)[replaced], own);
    EXPECT_EQ(EditedTexcoords::sets_of(plain),
              all ? TexcoordNumbers({"0", "1", "2", "3"}) : TexcoordNumbers({"0", "1"}));
    const BakedFile sets = edited.baked(kTexcoord, 1);
    EXPECT_EQ(sets.attributes(0, 0)[replaced], own);
    EXPECT_EQ(sets.json["meshes"][0]["extras"]["skinlight"]["first_texcoord"], Json({all ? 4 : 2}));
  }
}

TEST(Bake, TexcoordsBehindARecordKeepTheirNumber) {
  EditedTexcoords edited;
  const int own = edited.own_set();
  edited.attributes()["TEXCOORD_4"] = own;
  const BakedFile same = edited.baked(kTexcoord, 0);
  EXPECT_EQ(same.attributes(0, 0)["TEXCOORD_4"], own);
  EXPECT_EQ(same.json["meshes"][0]["extras"]["skinlight"]["first_texcoord"], Json({1}));
  EXPECT_EQ(EditedTexcoords::sets_of(same), TexcoordNumbers({"0", "1", "2", "3", "4"}));
  const BakedFile plain = edited.baked({}, 1);  // numbers have no gaps in glTF
  EXPECT_EQ(plain.attributes(0, 0)["TEXCOORD_4"], own);
  EXPECT_EQ(EditedTexcoords::sets_of(plain), TexcoordNumbers({"0", "1", "2", "3", "4"}));
  const BakedFile more = edited.baked({.layout = FactorLayout::texcoord, .influences = 8}, 1);
  EXPECT_EQ(more.attributes(0, 0)["TEXCOORD_4"], own);
  EXPECT_EQ(more.json["meshes"][0]["extras"]["skinlight"]["first_texcoord"], Json({5}));
  EXPECT_EQ(EditedTexcoords::sets_of(more).size(), 12u);
}

TEST(Bake, TexcoordsOfARecordGoThoughTheSurfaceWasEdited) {
  EditedTexcoords edited;
  edited.edit_surface();
  EXPECT_EQ(EditedTexcoords::sets_of(edited.baked({}, 0)), TexcoordNumbers({"0"}));
  EXPECT_EQ(EditedTexcoords::sets_of(edited.baked(kTexcoord, 0)), TexcoordNumbers({"0", "1", "2", "3"}));
  // But not where a texture reads them, or they have another type.
  edited.json["materials"] = Json::parse(R"([{}, {"occlusionTexture": {"index": 0, "texCoord": 2}}])");
  edited.json["meshes"][0]["primitives"][0]["material"] = 1;
  EXPECT_EQ(EditedTexcoords::sets_of(edited.baked({}, 1)), TexcoordNumbers({"0", "1", "2", "3"}));
  edited.json["meshes"][0]["primitives"][0]["material"] = 0;
  EXPECT_EQ(EditedTexcoords::sets_of(edited.baked({}, 0)), TexcoordNumbers({"0"}));
  edited.json["meshes"][0]["extras"]["skinlight"]["format"] = "snorm16";
  EXPECT_EQ(EditedTexcoords::sets_of(edited.baked({}, 1)), TexcoordNumbers({"0", "1", "2", "3"}));
}

TEST(Bake, MoreTexcoordsThanEnginesReadAreCounted) {
  const Folder folder("bake_many_texcoords");
  for (const RecordKind kind : {RecordKind::deform_factors, RecordKind::smoothed})
    for (const int influences : {4, 8})
      for (const int own : {0, 1, 2, 6}) {
        File file = strip();
        std::string sets;
        for (int set = 0; set < own; ++set) sets += R"("TEXCOORD_)" + std::to_string(set) + R"(": 2, )";
        file.primitives[0] = replaced(file.primitives[0], R"("TEXCOORD_0": 2, )", sets);
        const fs::path in = folder.write("in.gltf", file.gltf());
        const int record =
            kind == RecordKind::smoothed ? influences - 1 + influences / 2 : influences - 1;  // sets
        for (const FactorLayout layout : {FactorLayout::attributes, FactorLayout::texcoord}) {
          const BakeReport report = bake_gltf(in, fs::path(in).replace_filename("out.glb"),
                                              {.kind = kind, .layout = layout, .influences = influences});
          const int warned = gltf_test::count_of(report.warnings, "and engines read 8 at most");
          EXPECT_EQ(warned, layout == FactorLayout::texcoord && own + record > 8 ? 1 : 0)
              << own << " and " << record;
          const std::string named = "has " + std::to_string(own + record) + " sets of texture coordinates";
          EXPECT_EQ(gltf_test::count_of(report.warnings, named), warned);
        }
      }
}

}  // namespace
}  // namespace skinlight
