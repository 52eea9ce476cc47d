// The planted defects of third-party files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "skinlight/asset/fbx/fbx.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/audit/health.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "testing/health.h"
#include "testing/real_models.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Kinds = std::set<std::string>;

class HealthModels : public test_models::RealModels {};

Health health_of(const fs::path& file, const HealthOptions& options = {}) {
  RawAttributes raw;
  const Model model =
      read_model(test_models::folder() / file,
                 {.max_influences = kAllInfluences, .raw = &raw, .keep_unusable_weights = true});
  return check_health(Character(model), raw, options);
}

Kinds kinds(const Health& health) {
  Kinds found;
  for (const Finding& f : health.findings) found.emplace(f.kind->id);
  return found;
}

// What the tubes have beside the tube that all are made from, which has a seam, no tangents, a bend that
// standard normals follow badly, and two influences where one-rings touch three bones.
TEST_F(HealthModels, EveryPlantedDefectOfTheTubesIsNamed) {
  const Kinds of_all = {"positions-split", "tangents-missing", "standard-normals-off", "one-ring-wider"};
  const std::map<std::string, Kinds> planted = {
      {"01_base", {}},
      {"02_weights_u8", {}},
      {"05_six_influences_JOINTS_1", {"influences-over-limit", "one-ring-overflow"}},
      {"06_unnormalised_sums_0p8_1p5", {"weights-unnormalised", "reader-repaired"}},
      // Bound to bone 0 by the repair, the vertices of one end tear along the seam and fold.
      {"07_zero_weight_vertices", {"weights-zero", "twins-split-weights", "normals-flip", "reader-repaired"}},
      {"09_no_inverseBindMatrices", {"inverse-bind-missing"}},
      {"10_negative_scale_root", {"bones-mirrored"}},
      // The sparse entries bind eight vertices to other bones than their twins.
      {"12_sparse_joints_weights", {"twins-split-weights", "normals-flip"}},
      {"14_mesh_node_transform_must_be_ignored", {"mesh-node-transform"}},
      {"20_sliver_and_degenerate_triangle_weight_jump",
       {"triangles-sliver", "triangles-degenerate", "weights-jump", "uv-degenerate"}},
      {"22_non_indexed_no_normals", {"normals-missing", "reader-repaired"}},
      {"24_twist_180_dqs", {"blend-collapses"}},
      {"27_fig2_pure_translation", {}},  // standard-normals-off is what it shows
      {"28_one_ring_bones_exceed_nmax", {"normals-flip"}},
  };
  std::set<std::string> seen;
  for (const fs::directory_entry& entry : fs::directory_iterator(test_models::folder() / "edge")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".gltf" || name.find("invalid") != std::string::npos) continue;
    ASSERT_EQ(planted.count(name), 1u) << name << " is new";
    seen.insert(name);
    Kinds found = kinds(health_of(entry.path())), expected = planted.at(name);
    for (const std::string& kind : of_all) {
      // Six influences are more than any one-ring of the tube touches.
      const bool wide = name[0] == '0' && name[1] == '5' && kind == "one-ring-wider";
      EXPECT_EQ(found.erase(kind), wide ? 0u : 1u) << name << " " << kind;
    }
    EXPECT_EQ(found, expected) << name;
  }
  EXPECT_EQ(seen.size(), planted.size());
  // One bone per vertex, three in a one-ring: more than two slots hold.
  EXPECT_EQ(kinds(health_of("edge/28_one_ring_bones_exceed_nmax.gltf", {.max_influences = 2}))
                .count("one-ring-overflow"),
            1u);
}

TEST_F(HealthModels, PlacesAndSizesOfTheTubesDefects) {
  const auto find = [](const std::string& file, const std::string& kind) {
    const Health health = health_of("edge/" + file + ".gltf");
    for (const Finding& f : health.findings)
      if (f.kind->id == kind) return f;
    throw std::out_of_range(kind);
  };
  // By NumPy: sums from .8 to 1.5; 32 vertices of sum 0; face 384 = (107, 120, 221), 385 = (107, 107, 108);
  // vertex 221 stands 2.588e-5 from vertex 107, the box is 1 x 4 x 1.
  const Finding sums = find("06_unnormalised_sums_0p8_1p5", "weights-unnormalised");
  EXPECT_EQ(sums.count, 221);
  EXPECT_NEAR(sums.size, .5, 1e-6);
  EXPECT_EQ(find("07_zero_weight_vertices", "weights-zero").count, 32);
  const std::string twenty = "20_sliver_and_degenerate_triangle_weight_jump";
  EXPECT_EQ(find(twenty, "triangles-sliver").index, 384);
  EXPECT_EQ(find(twenty, "triangles-degenerate").index, 385);
  const Finding jump = find(twenty, "weights-jump");
  EXPECT_EQ(jump.count, 2);
  EXPECT_EQ(jump.name, "mesh 0 primitive 0 vertex 107");
  EXPECT_NEAR(jump.size, std::sqrt(18.) / 2.588e-5, 100);
  EXPECT_EQ(find("22_non_indexed_no_normals", "normals-missing").count, 1152);
  EXPECT_EQ(find("14_mesh_node_transform_must_be_ignored", "mesh-node-transform").name, "node 3 (tube)");
}

TEST_F(HealthModels, AnInvalidTubeIsUnreadableByVertexAndReason) {
  try {
    health_of("edge/17_invalid_joint_index_out_of_range.gltf");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.element(), HasSubstr("JOINTS_0 vertex 40"));
    EXPECT_FALSE(e.reason().empty());
  }
}

TEST_F(HealthModels, AWeightThatIsNotFiniteIsFoundAtItsVertex) {
  const Health health = health_of("edge/18_invalid_nan_weight.gltf");
  const Finding& found = test_health::finding(health, "weights-not-finite");
  EXPECT_EQ(found.name, "mesh 0 primitive 0 vertex 40");
  EXPECT_EQ(found.count, 1);
}

// Readers of other formats hand out what they read, too: Blender's FBX export does not normalise.
TEST_F(HealthModels, FbxFilesAreCheckedBeforeRepairs) {
  const fs::path file = "ufbx-oracle/blender_279_sausage_7400_binary.fbx";
  const Health health = health_of(file);
  ASSERT_EQ(health.count(Severity::error), 1);
  const Finding& sums = health.findings[0];
  EXPECT_EQ(sums.kind->id, "weights-unnormalised");
  EXPECT_LT(sums.size, .02);
  int repaired = 0;
  for (const Warning& w : read_model(test_models::folder() / file).warnings)
    if (w.reason.find("do not sum to 1") != std::string::npos) repaired += w.count;
  EXPECT_EQ(sums.count, repaired);
  EXPECT_EQ(kinds(health).count("normals-missing"), 0u);
}

TEST_F(HealthModels, NormalsOfFbxThatAreNotUnitAreAnError) {
  const fs::path file = test_models::folder() / "ufbx-oracle/maya_game_sausage_7500_ascii_spin.fbx";
  std::string text = read_file(file);
  const std::size_t start = text.find("a: ", text.find("\tNormals: ")) + 3, end = text.find('}', start);
  std::string halves;
  std::istringstream numbers(text.substr(start, end - start));
  for (std::string number; std::getline(numbers, number, ',');)
    halves.append(halves.empty() ? "" : ",").append(std::to_string(std::stod(number) / 2));
  text.replace(start, end - start, halves.append("\n"));
  RawAttributes raw;
  const Model model = parse_fbx(text, "sausage", {.max_influences = kAllInfluences, .raw = &raw});
  const Finding off = test_health::finding(check_health(Character(model), raw), "normals-not-unit");
  EXPECT_EQ(off.count, model.mesh.vertex_count());
  EXPECT_NEAR(off.size, .5, 1e-5);
  EXPECT_EQ(kinds(health_of(file)).count("normals-not-unit"), 0u);
}

TEST_F(HealthModels, RealCharactersAreHealthyButForTheOneWithBrokenWeights) {
  for (const std::string file :
       {"quaternius-formal/Formal.gltf", "fox/Fox.glb", "quaternius-cactus/Cactus.gltf",
        "rigged-simple/rigged_simple.gltf", "godot-enemy/enemy.glb", "quaternius-wolf/Wolf.glb",
        "quaternius-dinos/Velociraptor.glb", "quaternius-dinos/Trex.glb", "xr-hands/hand_l.gltf",
        "xr-hands/Hand_low_L.gltf", "xr-hands/xr_hand_l_poses.glb", "xr-hands/xr_Hand_low_L_poses.glb",
        "makehuman-body/mh_body_sub1_4inf.glb", "assimp-bsd/simple_skin.gltf", "assimp-bsd/quad_skin.glb"}) {
    const Health health = health_of(file);
    EXPECT_EQ(health.count(Severity::error), 0) << file;
    for (const Finding& f : health.findings) EXPECT_TRUE(std::isfinite(f.size)) << file << " " << f.kind->id;
  }
  const Health cesium = health_of("cesium-man/cesium_man.gltf");
  ASSERT_EQ(cesium.count(Severity::error), 1);
  EXPECT_EQ(cesium.findings[0].kind->id, "weights-unnormalised");
  EXPECT_EQ(cesium.findings[0].count, 210);
}

}  // namespace
}  // namespace skinlight
