// A surface that goes on from a mesh of one skin to a mesh of another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "skinlight/bake/bake.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/core/random.h"
#include "testing/baked_file.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::File;
using gltf_test::Folder;
using test_baked::BakedFile;
using test_baked::Json;
using test_baked::Rows;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kColumns = 5, kRows = 7, kSeam = 3;  // both meshes have the vertices of this row
constexpr int kBones = 5;

// A bumpy grid whose vertices hang on bones 0 .. 3, those below the seam on bone 4 too, so that the one-rings of the seam
// carry it from one side alone.
struct Grid {
  std::vector<Vec3d> position, normal;
  std::vector<std::vector<double>> weights;  // #V by kBones
  std::vector<Vec3d> origin;                 // of the bones

  explicit Grid(std::uint64_t seed) {
    Random random(seed);
    for (int v = 0; v < kColumns * kRows; ++v) {
      const int row = v / kColumns;
      position.push_back(
          {v % kColumns + random.uniform(-.3, .3), row + random.uniform(-.3, .3), random.uniform(-.3, .3)});
      const double lean_x = random.uniform(-.3, .3), lean_y = random.uniform(-.3, .3);
      normal.push_back(normalize(Vec3d(lean_x, lean_y, 1)));
      std::vector<double> own;
      double sum = 0;
      for (int b = 0; b < kBones; ++b) {
        const bool has = b != v % 4 && (b < 4 || row < kSeam);
        own.push_back(has ? random.uniform(.1, 1) : 0);
        sum += own.back();
      }
      for (double& weight : own) weight = static_cast<float>(weight / sum);
      weights.push_back(own);
    }
    for (int b = 0; b < kBones; ++b)
      origin.push_back({random.uniform(0, 4), random.uniform(0, 6), random.uniform(-1, 1)});
  }
};

// Part of the grid under a skin of its own, which lists bones as `order` does.
struct PartOfGrid {
  int first_row, last_row;
  std::vector<int> order;
};

std::string mesh_text(File& file, const Grid& grid, const PartOfGrid& part) {
  std::vector<double> position, normal, joints, weights, indices;
  const int first = kColumns * part.first_row, end = kColumns * (part.last_row + 1);
  for (int v = first; v < end; ++v) {
    for (int axis = 0; axis < 3; ++axis) {
      position.push_back(grid.position[at(v)][axis]);
      normal.push_back(grid.normal[at(v)][axis]);
    }
    std::vector<std::pair<double, double>> slots;  // of joint and weight
    for (std::size_t j = 0; j < part.order.size(); ++j)
      if (const double weight = grid.weights[at(v)][at(part.order[j])]; weight != 0)
        slots.push_back({static_cast<double>(j), weight});
    slots.resize(4);
    for (const auto& [joint, weight] : slots) {
      joints.push_back(joint);
      weights.push_back(weight);
    }
  }
  for (int a = 0; a + kColumns < end - first; ++a)
    if (a % kColumns + 1 < kColumns)
      for (const int corner : {a, a + 1, a + kColumns, a + kColumns, a + 1, a + kColumns + 1})
        indices.push_back(corner);
  const std::string p = file.add("VEC3", gltf_test::kFloat, position),
                    n = file.add("VEC3", gltf_test::kFloat, normal),
                    j = file.add("VEC4", gltf_test::kU8, joints),
                    w = file.add("VEC4", gltf_test::kFloat, weights),
                    i = file.add("SCALAR", gltf_test::kU16, indices);
  return R"({"primitives": [{"attributes": {"POSITION": )" + p + R"(, "NORMAL": )" + n + R"(, "JOINTS_0": )" +
         j + R"(, "WEIGHTS_0": )" + w + R"(}, "indices": )" + i + "}]}";
}

// Bone b is node b.
fs::path write(const Folder& folder, const char* name, const Grid& grid,
               const std::vector<PartOfGrid>& parts) {
  File file;
  Json json;
  for (int b = 0; b < kBones; ++b) {
    const Vec3d at_rest = grid.origin[at(b)];
    json["nodes"].push_back({{"translation", {at_rest[0], at_rest[1], at_rest[2]}}});
  }
  for (std::size_t m = 0; m < parts.size(); ++m) {
    std::vector<double> inverse_bind;
    for (const int bone : parts[m].order) {
      const Vec3d at_rest = grid.origin[at(bone)];
      inverse_bind.insert(inverse_bind.end(),
                          {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -at_rest[0], -at_rest[1], -at_rest[2], 1});
    }
    json["meshes"].push_back(Json::parse(mesh_text(file, grid, parts[m])));
    json["skins"].push_back(
        {{"joints", parts[m].order},
         {"inverseBindMatrices", std::stoi(file.add("MAT4", gltf_test::kFloat, inverse_bind))}});
    json["nodes"].push_back({{"mesh", m}, {"skin", m}});
  }
  Json whole = Json::parse(gltf_test::replaced(file.gltf(), "\"animations\": [\n    \n  ],\n", ""));
  for (const char* member : {"nodes", "meshes", "skins"}) whole[member] = json[member];
  return folder.write(name, whole.dump());
}

// What a baked vertex says of each bone.
struct Gradients {
  std::map<int, Vec3d> of_bone;
  Vec3d sum{0.0};
};

Vec3d vec3(const std::vector<double>& row) { return {row[0], row[1], row[2]}; }

// Of a mesh baked with deform factors as attributes: #V.
std::vector<Gradients> gradients_of(const BakedFile& file, std::size_t mesh) {
  const Rows normals = file.attribute(mesh, 0, "NORMAL"), tangents = file.attribute(mesh, 0, "TANGENT");
  std::vector<Gradients> result(normals.size());
  const int sets = file.json["meshes"][mesh]["extras"]["skinlight"]["influences"].get<int>() / 4;
  for (int set = 0; set < sets; ++set) {
    const std::string number = std::to_string(set);
    const Rows joints = file.attribute(mesh, 0, "JOINTS_" + number),
               alpha = file.attribute(mesh, 0, "_DEFORM_ALPHA_" + number),
               beta = file.attribute(mesh, 0, "_DEFORM_BETA_" + number);
    for (std::size_t v = 0; v < result.size(); ++v) {
      const Vec3d n = normalize(vec3(normals[v])),
                  t = normalize(vec3(tangents[v]) - n * dot(n, vec3(tangents[v]))),
                  b = cross(n, t) * tangents[v][3];
      for (std::size_t k = 0; k < 4; ++k) {
        const Vec3d gradient = t * alpha[v][k] + b * beta[v][k];
        const int bone = file.json["skins"][mesh]["joints"][static_cast<std::size_t>(joints[v][k])];
        result[v].sum += gradient;
        if (alpha[v][k] != 0 || beta[v][k] != 0)
          result[v].of_bone.try_emplace(bone, Vec3d(0.0)).first->second += gradient;
      }
    }
  }
  return result;
}

constexpr double kRounding = 1e-5;  // of gradients below 2 in float, in frames of float

void expect_near(const Gradients& wanted, const Gradients& got, const std::string& what) {
  for (int bone = 0; bone < kBones; ++bone) {
    const auto of = [&](const Gradients& g) {
      const auto found = g.of_bone.find(bone);
      return found == g.of_bone.end() ? Vec3d(0.0) : found->second;
    };
    EXPECT_LT(length(of(wanted) - of(got)), kRounding) << what << " bone " << bone;
  }
}

// Exporters of one skin per mesh list the joints as they meet them.
TEST(BakeSkins, ASeamBetweenSkinsOfTheSameJointsIsNone) {
  const Folder folder("bake_skins_seam");
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Grid grid(seed);
    const fs::path one = write(folder, "one.gltf", grid, {{0, kRows - 1, {0, 1, 2, 3, 4}}}),
                   two = write(folder, "two.gltf", grid,
                               {{0, kSeam, {3, 1, 4, 0, 2}}, {kSeam, kRows - 1, {4, 2, 0, 3, 1}}}),
                   baked_one = one.parent_path() / "baked_one.glb",
                   baked_two = one.parent_path() / "baked_two.glb";
    bake_gltf(one, baked_one, {.influences = 8, .force = true});
    const BakeReport report = bake_gltf(two, baked_two, {.influences = 8, .force = true});
    EXPECT_THAT(report.warnings, IsEmpty());
    EXPECT_EQ(report.character.mesh().bone_count, kBones);
    const std::vector<Gradients> whole = gradients_of(BakedFile(baked_one), 0),
                                 lower = gradients_of(BakedFile(baked_two), 0),
                                 upper = gradients_of(BakedFile(baked_two), 1);
    for (std::size_t v = 0; v < whole.size(); ++v) {
      const std::string what = "seed " + std::to_string(seed) + " vertex " + std::to_string(v);
      const std::size_t first = at(kColumns * kSeam);
      if (v < lower.size()) expect_near(whole[v], lower[v], what + " below");
      if (v >= first) expect_near(whole[v], upper[v - first], what + " above");
      ASSERT_FALSE(whole[v].of_bone.empty());
    }
  }
}

// The skin above the seam has no joint for bone 4: what it would bend there goes to the strongest, so that moving the whole
// character still turns nothing, and the file is told of.
TEST(BakeSkins, JointsThatTheOtherSkinAloneHasAreLeftOutAndTold) {
  const Folder folder("bake_skins_lacking");
  const Grid grid(4);
  const std::vector<PartOfGrid> parts = {{0, kSeam, {0, 1, 2, 3, 4}}, {kSeam, kRows - 1, {3, 2, 1, 0}}};
  const fs::path in = write(folder, "in.gltf", grid, parts), out = in.parent_path() / "out.glb",
                 again = in.parent_path() / "again.glb";
  const BakeReport report = bake_gltf(in, out, {.influences = 8});
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_THAT(report.warnings[0].element, HasSubstr("mesh 1 primitive 0"));
  EXPECT_THAT(report.warnings[0].reason, HasSubstr("at " + std::to_string(kColumns) + " vertices"));
  const BakedFile file(out);
  const std::vector<Gradients> lower = gradients_of(file, 0), upper = gradients_of(file, 1);
  for (int v = 0; v < kColumns; ++v) {
    const Gradients& below = lower[at(kColumns * kSeam + v)];
    const Gradients& above = upper[at(v)];
    const std::string what = "vertex " + std::to_string(v);
    EXPECT_LT(length(above.sum), kRounding) << what;
    EXPECT_EQ(above.of_bone.count(4), 0u) << what;
    Gradients moved = below;  // bone 4's goes to the largest weight's
    const std::vector<double>& weights = grid.weights[at(kColumns * kSeam + v)];
    const auto strongest =
        static_cast<int>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    ASSERT_EQ(moved.of_bone.count(4), 1u) << what;
    moved.of_bone[strongest] += moved.of_bone[4];
    moved.of_bone.erase(4);
    expect_near(moved, above, what);
  }
  EXPECT_TRUE(bake_gltf(out, again, {.influences = 8}).unchanged);
  for (const Method method : {Method::dqs, Method::log}) {
    const BakeReport frames = bake_gltf(in, out, {.frames = method, .force = true});
    EXPECT_EQ(frames.warnings.size(), 1u);
    for (int v = 0; v < frames.character.mesh().vertex_count(); ++v)
      for (int k = 0; k < frames.frame_record().frames; ++k) {
        double sum = 0;
        for (int s = 0; s < frames.frame_record().slots; ++s)
          sum += frames.frame_record().frame_offset[frames.frame_record().at_offset(v, k, s)];
        EXPECT_NEAR(sum, 0, 1e-12) << v;
      }
  }
}

}  // namespace
}  // namespace skinlight
