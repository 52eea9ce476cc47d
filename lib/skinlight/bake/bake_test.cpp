#include "skinlight/bake/bake.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/preprocess/deform_factors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/bake.h"
#include "testing/baked_file.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::File;
using gltf_test::Folder;
using gltf_test::replaced;
using gltf_test::strip;
using test_bake::decoded;
using test_bake::grid;
using test_bake::half_step;
using test_bake::text_of;
using test_baked::BakedFile;
using test_baked::bytes_of;
using test_baked::Json;
using test_baked::Rows;
using testing::HasSubstr;

NormalRecord factors_of(const Model& model, int slots) {
  return deform_factors(model.mesh, Surface(model.mesh.faces, weld(model.mesh)), {.max_slots = slots});
}

struct Slot {
  int joint;
  double weight, alpha, beta;
};

// Slots of a vertex of the file's first primitive; slot 0 of layout texcoord has no factors.
std::vector<Slot> slots_of(const BakedFile& file, std::size_t v) {
  const Json& mark = file.json["meshes"][0]["extras"]["skinlight"];
  const int slots = mark["influences"];
  std::vector<Slot> result;
  for (int s = 0; s < slots; ++s) {
    const std::string set = std::to_string(s / 4);
    const std::size_t c = at(s % 4);
    Slot slot{static_cast<int>(file.attribute(0, 0, "JOINTS_" + set)[v][c]),
              file.attribute(0, 0, "WEIGHTS_" + set)[v][c], 0, 0};
    if (mark["layout"] == "attributes") {
      slot.alpha = decoded(file.attribute(0, 0, "_DEFORM_ALPHA_" + set)[v][c], mark);
      slot.beta = decoded(file.attribute(0, 0, "_DEFORM_BETA_" + set)[v][c], mark);
    } else if (s > 0) {
      const int first = mark["first_texcoord"][0];
      const auto pair = file.attribute(0, 0, "TEXCOORD_" + std::to_string(first + s - 1))[v];
      slot.alpha = decoded(pair[0], mark);
      slot.beta = decoded(pair[1], mark);
    }
    result.push_back(slot);
  }
  return result;
}

TEST(Bake, StoredFactorsAreThoseOfTheLibraryInEveryFormatAndLayout_Eq11) {
  const Folder folder("bake_formats");
  for (const int influences : {4, 8}) {
    const fs::path in = folder.write("grid.gltf", text_of(grid(9, influences / 4, at(influences))));
    const Model model = read_gltf(in, {.max_influences = influences});
    const NormalRecord factors = factors_of(model, influences);
    double largest = 0;
    int added = 0;
    for (std::size_t i = 0; i < factors.alpha.size(); ++i) {
      largest = std::max({largest, std::abs(factors.alpha[i]), std::abs(factors.beta[i])});
      if (factors.weight[i] == 0 && length(factors.gradient[i]) > 0) ++added;
    }
    ASSERT_GT(added, 10) << "the test needs bones that only one-rings carry";
    for (const FactorLayout layout : {FactorLayout::attributes, FactorLayout::texcoord})
      for (const NumberFormatRow& format : kNumberFormats) {
        const fs::path out = in.parent_path() / "out.glb";
        bake_gltf(in, out, {.layout = layout, .format = format.format});
        const BakedFile file(out);
        const double tolerance = half_step(format.format, largest);
        for (int v = 0; v < model.mesh.vertex_count(); v += 3) {
          const std::vector<Slot> slots = slots_of(file, at(v));
          ASSERT_EQ(slots.size(), at(influences));
          for (int s = 0; s < influences; ++s) {
            const std::size_t i = factors.at(v, s);
            const Slot& slot = slots[at(s)];
            const bool used = factors.weight[i] > 0 || length(factors.gradient[i]) > 0;
            EXPECT_EQ(slot.joint, used ? factors.bone[i] : 0) << "vertex " << v << " slot " << s;
            EXPECT_NEAR(slot.weight, factors.weight[i], 1e-7);
            if (layout == FactorLayout::texcoord && s == 0) continue;
            EXPECT_NEAR(slot.alpha, factors.alpha[i], tolerance) << format.name << " vertex " << v;
            EXPECT_NEAR(slot.beta, -factors.beta[i], tolerance) << format.name << " vertex " << v;
          }
        }
      }
  }
}

// The report's own copy of what is stored, from which the cost in degrees is measured.
TEST(Bake, ReportedFactorsAreThoseInTheFile) {
  const Folder folder("bake_reported");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 1, 5)));
  for (const NumberFormatRow& format : kNumberFormats) {
    const fs::path out = in.parent_path() / "out.glb";
    const BakeReport report = bake_gltf(in, out, {.format = format.format});
    const NormalRecord stored =
        stored_record(report.record(), report.character.mesh(), report.ranges, format.format);
    const BakedFile file(out);
    for (int v = 0; v < report.character.mesh().vertex_count(); v += 5) {
      const std::vector<Slot> slots = slots_of(file, at(v));
      double sum = 0;
      for (int s = 1; s < 4; ++s) {
        EXPECT_NEAR(slots[at(s)].alpha, stored.alpha[stored.at(v, s)], 1e-12);
        EXPECT_NEAR(slots[at(s)].beta, -stored.beta[stored.at(v, s)], 1e-12);
        sum += stored.alpha[stored.at(v, s)];
      }
      EXPECT_NEAR(stored.alpha[stored.at(v, 0)], -sum, 1e-12);
    }
  }
}

TEST(Bake, FramesInTheFileAreThoseOfTheFactors_Eq9) {
  const Folder folder("bake_frames");
  File bare = grid(5, 1, 6);
  bare.primitives[0] = replaced(bare.primitives[0], R"(, "NORMAL": 4)", "");
  const fs::path in = folder.write("grid.gltf", text_of(bare));
  const fs::path out = in.parent_path() / "out.glb";
  const BakeReport report = bake_gltf(in, out);
  EXPECT_EQ(report.normals, 1);
  EXPECT_EQ(report.tangents, 1);
  const Model model = read_gltf(in);
  const BakedFile file(out);
  const Rows normal = file.attribute(0, 0, "NORMAL"), tangent = file.attribute(0, 0, "TANGENT");
  for (std::size_t v = 0; v < normal.size(); ++v) {
    const Vec3d n(normal[v][0], normal[v][1], normal[v][2]), t(tangent[v][0], tangent[v][1], tangent[v][2]);
    EXPECT_LT(length(n - model.mesh.n0[v]), 1e-6);
    EXPECT_LT(length(t - model.mesh.t0[v]), 1e-6);
    EXPECT_LT(length(cross(n, t) * tangent[v][3] + model.mesh.b0[v]), 1e-6) << "against rising v";
  }
}

// glTF 2.0, section 3.7.2.1: flat ones, which need a vertex per corner where several planes meet in a vertex.
TEST(Bake, APrimitiveWithoutNormalsIsWrittenWithFlatOnesOrAskedForSmoothOnes) {
  const Folder folder("bake_missing");
  File bare = grid(5, 1, 6);
  bare.primitives[0] = replaced(bare.primitives[0], R"(, "NORMAL": 4)", "");
  const fs::path in = folder.write("grid.gltf", text_of(bare)), out = in.parent_path() / "out.glb",
                 again = in.parent_path() / "again.glb";
  const BakeReport report = bake_gltf(in, out);
  EXPECT_EQ(gltf_test::count_of(report.warnings, "a vertex per corner"), 1);
  const BakedFile flat(out), before(in);
  const Rows p = flat.attribute(0, 0, "POSITION"), n = flat.attribute(0, 0, "NORMAL"),
             p0 = before.attribute(0, 0, "POSITION");
  constexpr std::size_t kCorners = 6 * 6 * 6;
  ASSERT_EQ(p.size(), kCorners);
  EXPECT_FALSE(flat.json["meshes"][0]["primitives"][0].contains("indices"));
  const auto vec = [](const Rows& rows, std::size_t i) { return Vec3d(rows[i][0], rows[i][1], rows[i][2]); };
  for (std::size_t f = 0; f < kCorners; f += 3) {
    const Vec3d face = normalize(cross(vec(p, f + 1) - vec(p, f), vec(p, f + 2) - vec(p, f)));
    for (std::size_t c = 0; c < 3; ++c) EXPECT_LT(length(vec(n, f + c) - face), 1e-6);
  }
  EXPECT_EQ(p[5], p0[8]) << "the last corner of the first quad";
  EXPECT_TRUE(bake_gltf(out, again).unchanged);

  bake_gltf(in, again, {.force = true, .missing_normals = MissingNormals::smooth});
  const BakedFile smooth(again);
  EXPECT_EQ(smooth.attribute(0, 0, "NORMAL").size(), p0.size());
  EXPECT_EQ(smooth.attributes(0, 0)["POSITION"], 0);
  EXPECT_EQ(smooth.json["meshes"][0]["primitives"][0]["indices"], 3);
}

// Tangents of the file are kept where every vertex has one, else all are written.
TEST(Bake, TangentsAreWrittenWhereTheFileLacksOne) {
  const Folder folder("bake_tangents");
  for (const int lacking : {-1, 0, 7}) {
    File file = strip();
    std::vector<double> tangents;
    for (int v = 0; v < 8; ++v)
      for (const double x : {v == lacking ? 0. : 1., 0., 0., 1.}) tangents.push_back(x);
    const std::string accessor = file.add("VEC4", gltf_test::kFloat, tangents);
    file.primitives[0] =
        replaced(file.primitives[0], "\"TEXCOORD_0\": 2", "\"TEXCOORD_0\": 2, \"TANGENT\": " + accessor);
    const fs::path in = folder.write("in.gltf", file.gltf());
    EXPECT_EQ(bake_gltf(in, in.parent_path() / "out.glb", {.force = true}).tangents, lacking < 0 ? 0 : 1)
        << lacking;
  }
}

// Reading takes the sign of w; a shader multiplies by it.
TEST(Bake, TangentsAreWrittenWhereWIsNotOne) {
  const Folder folder("bake_tangent_w");
  for (const double w : {1., -1., .5, -.99, 2., 0.}) {
    File file = strip();
    std::vector<double> tangents;
    for (int v = 0; v < 8; ++v)
      for (const double x : {.6, .8, 0., v == 3 ? w : w < 0 ? -1. : 1.}) tangents.push_back(x);
    const std::string accessor = file.add("VEC4", gltf_test::kFloat, tangents);
    file.primitives[0] =
        replaced(file.primitives[0], "\"TEXCOORD_0\": 2", "\"TEXCOORD_0\": 2, \"TANGENT\": " + accessor);
    const fs::path in = folder.write("in.gltf", file.gltf()), out = in.parent_path() / "out.glb";
    EXPECT_EQ(bake_gltf(in, out).tangents, std::abs(w) == 1 ? 0 : 1) << w;
    for (const std::vector<double>& row : BakedFile(out).attribute(0, 0, "TANGENT")) {
      EXPECT_FLOAT_EQ(static_cast<float>(row[0]), .6F);
      EXPECT_FLOAT_EQ(static_cast<float>(row[1]), .8F);
      EXPECT_EQ(row[3], w < 0 ? -1 : 1) << w;
    }
  }
}

// Normals of the file are kept where every vertex has one, even if not all along one axis; else all are written.
TEST(Bake, NormalsAreWrittenWhereTheFileLacksOne) {
  const Folder folder("bake_normals");
  for (const int lacking : {-1, 0, 7}) {
    File file = strip();
    std::vector<double> normals;
    for (int v = 0; v < 8; ++v)
      for (const double x : {0., v == 3 ? .6 : 0., v == lacking ? 0. : v == 3 ? .8 : 1.})
        normals.push_back(x);
    const std::string accessor = file.add("VEC3", gltf_test::kFloat, normals);
    file.primitives[0] = replaced(file.primitives[0], "\"NORMAL\": 1", "\"NORMAL\": " + accessor);
    const fs::path in = folder.write("in.gltf", file.gltf());
    EXPECT_EQ(bake_gltf(in, in.parent_path() / "out.glb", {.force = true}).normals, lacking < 0 ? 0 : 1)
        << lacking;
  }
}

// The format knows normalised integers only.
TEST(Bake, FloatsAreNotMarkedAsNormalised) {
  const Folder folder("bake_floats");
  const fs::path in = folder.write("in.gltf", strip().gltf()), out = in.parent_path() / "out.glb";
  bake_gltf(in, out);
  const BakedFile baked(out);
  int floats = 0;
  for (const Json& accessor : baked.json["accessors"])
    if (accessor["componentType"] == gltf_test::kFloat) {
      ++floats;
      EXPECT_FALSE(accessor.value("normalized", false)) << accessor;
    }
  EXPECT_GT(floats, 5);
}

// Each value of `before` is in `after`, but for what `may_change` says of its path.
void expect_kept(const Json& before, const Json& after, const std::string& path,
                 const std::function<bool(const std::string&)>& may_change) {
  if (may_change(path)) return;
  ASSERT_EQ(before.type(), after.type()) << path;
  if (before.is_object()) {
    for (const auto& [key, value] : before.items()) {
      const std::string inner = path + "/" + key;
      if (may_change(inner)) continue;
      ASSERT_TRUE(after.contains(key)) << inner;
      expect_kept(value, after[key], inner, may_change);
    }
  } else if (before.is_array()) {
    ASSERT_GE(after.size(), before.size()) << path;
    for (std::size_t i = 0; i < before.size(); ++i)
      expect_kept(before[i], after[i], path + "/" + std::to_string(i), may_change);
  } else {
    EXPECT_EQ(before, after) << path;
  }
}

// A file with everything that a baker might lose.
File rich() {
  File file = strip();
  file.extra =
      R"("extensionsUsed": ["VENDOR_unknown"], "extensions": {"VENDOR_unknown": {"accessor": 3, "deep": [1, {"x": 2.5e-7}]}},)"
      R"("extras": {"note": "Größe ✓", "big": 9007199254740993, "list": []},)"
      R"("materials": [{"name": "m", "extensions": {"VENDOR_unknown": {"buffer": 0}}, "extras": 7}],)"
      R"("images": [{"uri": "data:image/png;base64,AAAA"}, {"uri": "skin%20map.png"}], "scene": 0,)"
      R"("scenes": [{"nodes": [0, 3, 1], "extras": [null, true, -0.0]}],)";
  file.nodes.push_back(R"({"name": "stone", "mesh": 0, "extras": {"still": true}})");
  file.primitives[0] =
      replaced(file.primitives[0], R"("indices": 5})",
               R"("indices": 5, "material": 0, "extras": {"lod": 1}, "targets": [{"POSITION": 0}],)"
               R"( "extensions": {"VENDOR_unknown": {"p": [1, 2]}}})");
  file.primitives.push_back(R"({"attributes": {"POSITION": 0}, "mode": 0, "extras": "points"})");
  return file;
}

bool may_change(const std::string& path) {
  static const std::set<std::string> names = {"/buffers/0/byteLength", "/buffers/0/uri",
                                              "/meshes/0/primitives/0/attributes/JOINTS_0",
                                              "/meshes/0/primitives/0/attributes/WEIGHTS_0"};
  return names.count(path) != 0;
}

TEST(Bake, AllElseSurvivesWithItsPlaceAndItsBytes) {
  const Folder folder("bake_rest");
  folder.write("skin map.png", "pixels");
  for (const bool from_glb : {false, true})
    for (const char* out_name : {"out.glb", "out.gltf"})
      for (const FactorLayout layout : {FactorLayout::attributes, FactorLayout::texcoord}) {
        const fs::path in =
            from_glb ? folder.write("in.glb", rich().glb()) : folder.write("in.gltf", rich().gltf());
        const fs::path out = in.parent_path() / "elsewhere" / out_name;
        bake_gltf(in, out, {.layout = layout, .format = NumberFormat::snorm16, .force = true});
        const BakedFile before(in), after(out);
        expect_kept(before.json, after.json, "", may_change);
        EXPECT_EQ(after.json["extras"]["big"].dump(), "9007199254740993");
        EXPECT_EQ(after.json["scenes"][0]["extras"].dump(), "[null,true,-0.0]");
        // Keys keep their order; new ones stand behind.
        EXPECT_EQ(before.json["meshes"][0]["primitives"][0].begin().key(),
                  after.json["meshes"][0]["primitives"][0].begin().key());
        EXPECT_EQ(after.buffers[0].substr(0, before.buffers[0].size()), before.buffers[0]);
        EXPECT_EQ(bytes_of(out.parent_path() / "skin map.png"), "pixels");
        const Model a = read_gltf(in), b = read_gltf(out);
        EXPECT_EQ(a.mesh.faces, b.mesh.faces);
        EXPECT_EQ(a.mesh.p0, b.mesh.p0);
        EXPECT_EQ(a.mesh.bone, b.mesh.bone);
        EXPECT_EQ(a.clips.size(), b.clips.size());
      }
}

TEST(Bake, BakingTwiceGivesTheSameBytes) {
  const Folder folder("bake_twice");
  for (const char* kind : {".glb", ".gltf"})
    for (const FactorLayout layout : {FactorLayout::attributes, FactorLayout::texcoord})
      for (const NumberFormatRow& format : kNumberFormats)
        for (const int influences : {4, 8}) {
          const BakeOptions options{.layout = layout, .format = format.format, .influences = influences};
          const fs::path in = folder.write("grid.gltf", text_of(grid(9, 2, 8)));
          const fs::path once = in.parent_path() / (std::string("once") + kind);
          const fs::path twice = in.parent_path() / (std::string("twice") + kind);
          EXPECT_FALSE(bake_gltf(in, once, options).unchanged);
          EXPECT_TRUE(bake_gltf(once, twice, options).unchanged);
          EXPECT_EQ(bytes_of(once), bytes_of(twice)) << kind << " " << format.name;
          // In place as well, and from the other kind of file.
          BakeOptions force = options;
          force.force = true;
          EXPECT_TRUE(bake_gltf(twice, twice, force).unchanged);
          EXPECT_EQ(bytes_of(once), bytes_of(twice));
          const fs::path other =
              in.parent_path() / (kind == std::string(".glb") ? "other.gltf" : "other.glb");
          EXPECT_TRUE(bake_gltf(once, other, force).unchanged);
          EXPECT_EQ(BakedFile(other).attribute(0, 0, "POSITION"),
                    BakedFile(once).attribute(0, 0, "POSITION"));
        }
}

TEST(Bake, EditedOrDifferentlyBakedFilesAreBakedAgain) {
  const Folder folder("bake_again");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 2, 9)));
  const fs::path once = in.parent_path() / "once.glb", again = in.parent_path() / "again.glb";
  bake_gltf(in, once, {.influences = 8});
  std::string bytes = bytes_of(once);
  const std::size_t position = 28 + BakedFile(once).json.dump().size() / 4 * 4;
  ASSERT_LT(position + 40, bytes.size());
  bytes[position + 40] = static_cast<char>(bytes[position + 40] ^ 1);  // a low bit of a coordinate
  EXPECT_FALSE(bake_gltf(folder.write("edited.glb", bytes), again, {.influences = 8}).unchanged);

  EXPECT_FALSE(bake_gltf(once, again, {.influences = 8, .averaging = Averaging::area}).unchanged);
  const BakeReport other = bake_gltf(once, again, {.format = NumberFormat::f16, .influences = 8});
  EXPECT_FALSE(other.unchanged);
  EXPECT_EQ(gltf_test::count_of(other.warnings, "was baked before"), 1);
  // The other layout and fewer influences leave nothing of the first behind.
  EXPECT_FALSE(bake_gltf(once, again, {.layout = FactorLayout::texcoord, .influences = 4}).unchanged);
  std::set<std::string> names;
  const BakedFile file(again);
  for (const auto& [name, accessor] : file.attributes(0, 0).items()) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"POSITION", "NORMAL", "TANGENT", "JOINTS_0", "WEIGHTS_0",
                                          "TEXCOORD_0", "TEXCOORD_1", "TEXCOORD_2"}));
  EXPECT_FALSE(bake_gltf(again, in.parent_path() / "back.glb", {.influences = 4}).unchanged);
  EXPECT_FALSE(BakedFile(in.parent_path() / "back.glb").attributes(0, 0).contains("TEXCOORD_0"));
}

// Not by what sets of joints the file has.
TEST(Bake, InfluencesAreAsManyAsVerticesHaveBones) {
  const Folder folder("bake_usual_influences");
  const auto influences = [&](const std::vector<double>& joints, const std::vector<double>& weights,
                              const BakeOptions& options = {}) {
    File file = grid(9, 1, 4);
    std::vector<double> all_joints(4 * 49, 0), all_weights(4 * 49, 0);  // of the second set
    std::copy(joints.begin(), joints.end(), all_joints.begin() + 4 * 30);
    std::copy(weights.begin(), weights.end(), all_weights.begin() + 4 * 30);
    const std::string second = R"("JOINTS_1": )" + file.add("VEC4", gltf_test::kU8, all_joints) +
                               R"(, "WEIGHTS_1": )" + file.add("VEC4", gltf_test::kFloat, all_weights);
    file.primitives[0] = replaced(file.primitives[0], R"("POSITION": 0)", R"("POSITION": 0, )" + second);
    const fs::path out = folder.write("in.gltf", text_of(file)).replace_filename("out.glb");
    bake_gltf(fs::path(out).replace_filename("in.gltf"), out, options);
    return BakedFile(out).json["meshes"][0]["extras"]["skinlight"]["influences"].get<int>();
  };
  // In the first set vertex 30 has weights of 3, 6, 0, and of 3 none.
  EXPECT_EQ(influences({}, {}), 4) << "no weights";
  EXPECT_EQ(influences({1}, {.2}), 4);
  EXPECT_EQ(influences({1, 6, 6}, {.2, .2, .2}), 4) << "one of them twice";
  EXPECT_EQ(influences({1, 4}, {.2, 0}), 4);
  EXPECT_EQ(influences({1, 4}, {.2, .2}), 8);
  BakeOptions frames;
  frames.frames = Method::dqs;
  EXPECT_EQ(influences({1, 4}, {.2, .2}, frames), 5);
  EXPECT_EQ(influences({1, 4, 5}, {.2, .2, .2}, frames), 8);

  // What was asked for once stays with the same options, and only with these.
  const fs::path in = folder.write("in.gltf", text_of(grid(9, 1, 4))),
                 once = fs::path(in).replace_filename("once.glb"),
                 twice = fs::path(in).replace_filename("twice.glb");
  bake_gltf(in, once, {.influences = 8});
  EXPECT_TRUE(bake_gltf(once, twice).unchanged);
  EXPECT_EQ(bake_gltf(once, twice, {.format = NumberFormat::f16}).record().slots, 4);
  frames.influences = 6;
  bake_gltf(in, once, frames);
  frames.influences = 0;
  EXPECT_TRUE(bake_gltf(once, twice, frames).unchanged);
  EXPECT_EQ(bake_gltf(once, twice).record().slots, 4);
}

TEST(Bake, PrimitivesThatShareVerticesGoOnSharingThem) {
  const Folder folder("bake_shared");
  File file = strip();
  file.primitives.push_back(file.primitives[0]);
  // Of another set of attributes, unindexed.
  file.primitives.push_back(R"({"attributes": {"POSITION": 0, "JOINTS_0": 3, "WEIGHTS_0": 4}, "mode": 5})");
  file.nodes.push_back(R"({"mesh": 0, "skin": 0})");  // shown twice
  const fs::path in = folder.write("in.gltf", file.gltf()), out = in.parent_path() / "out.glb";
  const BakeReport report = bake_gltf(in, out);
  EXPECT_EQ(report.primitives, 3);
  EXPECT_EQ(report.normals, 1);
  const BakedFile baked(out);
  EXPECT_EQ(baked.attributes(0, 0), baked.attributes(0, 1));
  EXPECT_NE(baked.attributes(0, 0)["_DEFORM_ALPHA_0"], baked.attributes(0, 2)["_DEFORM_ALPHA_0"]);
  EXPECT_EQ(baked.attributes(0, 2)["POSITION"], 0);
}

// Joints are numbers in a skin: with two of them, those of the shorter one exist in both.
TEST(Bake, AMeshOfTwoSkinsGetsJointsThatBothHave) {
  const Folder folder("bake_skins");
  File file = strip();
  file.nodes.push_back(R"({"name": "third"})");
  file.nodes.push_back(R"({"mesh": 0, "skin": 1})");
  file.nodes.push_back(R"({"mesh": 1, "skin": 0})");
  for (const char* more : {R"({"name": "sixth"})", R"({"name": "seventh"})"}) file.nodes.push_back(more);
  file.skins = {R"({"joints": [3, 6, 7]})", R"({"joints": [1, 2], "inverseBindMatrices": 6})"};
  // A second mesh meets the first in its highest row; the rest of it hangs on joint 2, which the longer skin
  // has.
  std::vector<double> joints, weights;
  for (int v = 0; v < 8; ++v) {
    const bool shared = v >= 6;
    joints.insert(joints.end(), {shared ? 0.0 : 2.0, shared ? 1.0 : 0.0, 0, 0});
    weights.insert(weights.end(), {shared ? .25 : 1.0, shared ? .75 : 0.0, 0, 0});
  }
  const std::string j = file.add("VEC4", gltf_test::kU8, joints),
                    w = file.add("VEC4", gltf_test::kFloat, weights);
  const std::string text =
      replaced(file.gltf(), "}],\n  \"skins\"",
               "}, {\"primitives\": [{\"attributes\": {\"POSITION\": 0, \"NORMAL\": 1, \"JOINTS_0\": " + j +
                   ", \"WEIGHTS_0\": " + w + "}, \"indices\": 5}]}],\n  \"skins\"");
  const fs::path in = folder.write("in.gltf", text), out = in.parent_path() / "out.glb";
  const BakeReport report = bake_gltf(in, out);
  EXPECT_EQ(report.primitives, 2);
  EXPECT_EQ(report.character.mesh().bone_count, 5);
  const BakedFile baked(out);
  for (const auto& row : baked.attribute(0, 0, "JOINTS_0"))
    for (const double joint : row) EXPECT_LT(joint, 2);
  // The lowest row is moved by joint 0 alone; the next one, mixed, makes its one-ring carry joint 1.
  EXPECT_EQ(baked.attribute(0, 0, "JOINTS_0")[0], (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(baked.attribute(0, 0, "WEIGHTS_0")[0], (std::vector<double>{1, 0, 0, 0}));
  EXPECT_NE(baked.attribute(0, 0, "_DEFORM_BETA_0")[0][1], 0);
}

TEST(Bake, InfluencesThatTheFileHasAlreadyStayWhereTheyAre) {
  const Folder folder("bake_influences_stay");
  const fs::path in = folder.write("in.gltf", strip().gltf()), once = in.parent_path() / "once.gltf",
                 again = in.parent_path() / "again.gltf";
  bake_gltf(in, once);
  bake_gltf(once, again, {.format = NumberFormat::f16});
  const BakedFile first(once), second(again);
  for (const char* name : {"JOINTS_0", "WEIGHTS_0"})
    EXPECT_EQ(first.attributes(0, 0)[name], second.attributes(0, 0)[name]) << name;
}

TEST(Bake, GltfKeepsItsBuffersAndGetsABinBesideThatIsNoOtherFile) {
  const Folder folder("bake_bin");
  const File file = strip();
  const fs::path bin = folder.write("model.bin", file.buffer),
                 in = folder.write("model.gltf", file.json(R"("uri": "model.bin", )"));
  const fs::path out = in.parent_path() / "a b.gltf";
  EXPECT_EQ(bake_gltf(in, out).written, (std::vector<fs::path>{in.parent_path() / "a b.bin", out}));
  EXPECT_EQ(Json::parse(bytes_of(out))["buffers"][1]["uri"], "a%20b.bin");
  EXPECT_EQ(read_gltf(out).mesh.vertex_count(), 8);

  // In place, model.bin stays what it is.
  const std::string before = bytes_of(bin);
  bake_gltf(in, in, {.force = true});
  EXPECT_EQ(bytes_of(bin), before);
  EXPECT_EQ(Json::parse(bytes_of(in))["buffers"][1]["uri"], "model_1.bin");
  EXPECT_TRUE(bake_gltf(in, in, {.force = true}).unchanged);

  // In another folder the result stands alone.
  const fs::path far = in.parent_path() / "far" / "model.gltf";
  bake_gltf(folder.write("again.gltf", file.json(R"("uri": "model.bin", )")), far);
  EXPECT_EQ(bytes_of(far.parent_path() / "model.bin").substr(0, before.size()), before);
  EXPECT_EQ(read_gltf(far).mesh.vertex_count(), 8);
  // A .glb needs none.
  const fs::path glb = in.parent_path() / "alone" / "model.glb";
  EXPECT_EQ(bake_gltf(in.parent_path() / "again.gltf", glb).written, std::vector<fs::path>{glb});
  EXPECT_EQ(read_gltf(glb).mesh.vertex_count(), 8);
}

// hero.gltf was baked in place, so that its record lies in hero_1.bin; hero.bin is still that of another file too.
TEST(Bake, OfAnEarlierResultOnlyTheBinOfItsRecordIsReplaced) {
  const Folder folder("bake_bin_of_others");
  const File file = strip();
  const std::string text = file.json(R"("uri": "hero.bin", )");
  const fs::path bin = folder.write("hero.bin", file.buffer), hero = folder.write("hero.gltf", text),
                 folder_path = bin.parent_path();
  folder.write("hero_lowpoly.gltf", text);
  for (const FactorLayout layout : {FactorLayout::attributes, FactorLayout::texcoord}) {
    folder.write("hero.gltf", text);
    bake_gltf(hero, hero, {.layout = layout, .force = true});
    const std::string record = bytes_of(folder_path / "hero_1.bin");
    const fs::path other = folder.write("other.glb", text_of(grid(9, 1, 3)));
    EXPECT_EQ(bake_gltf(other, hero).written, (std::vector<fs::path>{folder_path / "hero_1.bin", hero}));
    EXPECT_EQ(bytes_of(bin), file.buffer);
    EXPECT_NE(bytes_of(folder_path / "hero_1.bin"), record);
    EXPECT_EQ(read_gltf(hero).mesh.vertex_count(), 49);
    EXPECT_EQ(read_gltf(folder_path / "hero_lowpoly.gltf").mesh.vertex_count(), 8);
  }

  // A result that names no record any more leaves every file that is there.
  Json json = Json::parse(bytes_of(hero));
  const fs::path other = folder_path / "other.glb";
  for (const char* name : {"_DEFORM_ALPHA_0", "_DEFORM_BETA_0"})
    json["meshes"][0]["primitives"][0]["attributes"].erase(name);
  folder.write("hero.gltf", json.dump());
  EXPECT_EQ(bake_gltf(other, hero).written, (std::vector<fs::path>{folder_path / "hero_2.bin", hero}));
}

struct Refused {
  std::string name, element, reason;
  std::function<void(const Folder&, fs::path& in, fs::path& out, BakeOptions&)> prepare;
};

TEST(Bake, RefusesWithAReasonAndLeavesEverythingAsItWas) {
  const std::vector<Refused> cases = {
      {"the input itself", "", "is the input itself",
       [](const Folder&, fs::path& in, fs::path& out, BakeOptions&) { out = in; }},
      {"the input by another name", "", "is the input itself",
       [](const Folder&, fs::path& in, fs::path& out, BakeOptions&) {
         out = in.parent_path() / "link.glb";
         fs::create_symlink(in, out);
       }},
      {"a folder", "", "is a folder",
       [](const Folder&, fs::path&, fs::path& out, BakeOptions&) { fs::create_directory(out); }},
      {"an extension", "", "must end in .gltf, .glb or .vrm",
       [](const Folder&, fs::path&, fs::path& out, BakeOptions&) { out.replace_extension(".fbx"); }},
      {"a file as folder", "", "cannot create the folder",
       [](const Folder&, fs::path& in, fs::path& out, BakeOptions&) { out = in / "out.glb"; }},
      {"another .bin", "", "belongs to no earlier result",
       [](const Folder& folder, fs::path&, fs::path& out, BakeOptions&) {
         folder.write("out.bin", "precious");
         out.replace_extension(".gltf");
       }},
      {"influences", "influences 5", "must be 4 or 8",
       [](const Folder&, fs::path&, fs::path&, BakeOptions& options) { options.influences = 5; }},
      {"no file", "", "no such file",
       [](const Folder&, fs::path& in, fs::path&, BakeOptions&) { in += ".nope"; }},
      {"no glTF", "", "is not glTF",
       [](const Folder& folder, fs::path& in, fs::path&, BakeOptions&) {
         in = folder.write("x.glb", "hello");
       }},
      {"no skin", "", "has no skin",
       [](const Folder& folder, fs::path& in, fs::path&, BakeOptions&) {
         File file = strip();
         file.nodes[0] = R"({"mesh": 0})";
         std::string text = file.gltf();
         const std::size_t from = text.find("\"skins\""), to = text.find("\"animations\"");
         in = folder.write("x.gltf", text.erase(from, to - from));
       }},
      {"extras", "mesh 0 extras", "is no object",
       [](const Folder& folder, fs::path& in, fs::path&, BakeOptions&) {
         in = folder.write("x.gltf",
                           replaced(strip().gltf(), R"("meshes": [{)", R"("meshes": [{"extras": [1], )"));
       }},
      {"tiny", "mesh 0", "leave the range of float",
       [](const Folder& folder, fs::path& in, fs::path&, BakeOptions&) {
         File file = strip();
         for (std::size_t i = 0; i < 24; ++i) {
           float x = 0;
           std::memcpy(&x, file.buffer.data() + 4 * i, 4);
           x *= 1e-40F;
           std::memcpy(file.buffer.data() + 4 * i, &x, 4);
         }
         in = folder.write("x.gltf", file.gltf());
       }},
  };
  for (const Refused& refused : cases) {
    const Folder folder("bake_refused");
    fs::path in = folder.write("in.glb", strip().glb()), out = in.parent_path() / "out.glb";
    BakeOptions options;
    refused.prepare(folder, in, out, options);
    std::set<std::string> before, after;
    const std::string input = fs::is_regular_file(in) ? bytes_of(in) : "";
    for (const auto& entry : fs::recursive_directory_iterator(folder.write("here", "").parent_path()))
      before.insert(entry.path().string());
    try {
      bake_gltf(in, out, options);
      ADD_FAILURE() << refused.name << " was accepted";
    } catch (const InputError& e) {
      EXPECT_THAT(e.element(), HasSubstr(refused.element)) << refused.name;
      EXPECT_THAT(e.reason(), HasSubstr(refused.reason)) << refused.name;
      EXPECT_FALSE(e.file().empty()) << refused.name;
    }
    for (const auto& entry : fs::recursive_directory_iterator(in.parent_path()))
      after.insert(entry.path().string());
    EXPECT_EQ(before, after) << refused.name;
    if (!input.empty()) {
      EXPECT_EQ(bytes_of(in), input) << refused.name;
    }
    const fs::path bin = in.parent_path() / "out.bin";
    if (fs::exists(bin)) {
      EXPECT_EQ(bytes_of(bin), "precious");
    }
  }
}

}  // namespace
}  // namespace skinlight
