// Real and malformed third-party files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/gltf_file.h"
#include "testing/real_models.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::count_of;
using gltf_test::posed;
using testing::HasSubstr;

class GltfModels : public test_models::RealModels {};

Model read(const std::string& name, const ReadOptions& options = {}) {
  return read_gltf(test_models::folder() / name, options);
}

// validate() has passed in the reader; what is left are poses over time.
void expect_finite_clips(const Model& model) {
  for (const Clip& clip : model.clips)
    for (const double share : {0.0, .37, .5, 1.0}) {
      const Pose pose = pose_at(model.skeleton, clip, share * clip.duration);
      EXPECT_GT(pose.scale, 0) << clip.name;
      for (const Vec3d p : posed(model.mesh, pose)) ASSERT_TRUE(is_finite(p)) << clip.name;
    }
}

struct Box {
  Vec3d low, high;
};

Box bounds(const std::vector<Vec3d>& p) {
  Box box{p[0], p[0]};
  for (const Vec3d v : p)
    for (int i = 0; i < 3; ++i) {
      box.low[i] = std::min(box.low[i], v[i]);
      box.high[i] = std::max(box.high[i], v[i]);
    }
  return box;
}

TEST_F(GltfModels, HaveTheVerticesJointsAndClipsOfTheirDescription) {
  struct Expected {
    std::string file;
    int vertices, joints;
    std::size_t triangles, clips;
  };
  for (const Expected& e : {Expected{"quaternius-formal/Formal.gltf", 12296, 62, 6108, 24},
                            Expected{"fox/Fox.glb", 1728, 24, 576, 3},
                            Expected{"quaternius-cactus/Cactus.gltf", 1512, 7, 1500, 10},
                            Expected{"rigged-simple/rigged_simple.gltf", 160, 2, 188, 1},
                            Expected{"godot-enemy/enemy.glb", 655, 11, 818, 4},
                            Expected{"cesium-man/cesium_man.gltf", 3273, 19, 4672, 1},
                            Expected{"quaternius-wolf/Wolf.glb", 3994, 51, 1962, 12},
                            Expected{"quaternius-dinos/Velociraptor.glb", 2576, 29, 1248, 6},
                            Expected{"quaternius-dinos/Trex.glb", 3496, 29, 1820, 6},
                            Expected{"xr-hands/hand_l.gltf", 1764, 26, 3052, 0},
                            Expected{"xr-hands/Hand_low_L.gltf", 603, 26, 938, 0},
                            Expected{"xr-hands/xr_hand_l_poses.glb", 1764, 26, 3052, 7},
                            Expected{"xr-hands/xr_Hand_low_L_poses.glb", 603, 26, 938, 7},
                            Expected{"makehuman-body/mh_body_sub1_4inf.glb", 55784, 163, 107024, 2},
                            Expected{"assimp-bsd/simple_skin.gltf", 10, 2, 8, 1},
                            Expected{"assimp-bsd/quad_skin.glb", 4, 10, 2, 0}}) {
    const Model model = read(e.file);
    EXPECT_EQ(model.mesh.vertex_count(), e.vertices) << e.file;
    EXPECT_EQ(model.mesh.bone_count, e.joints) << e.file;
    EXPECT_EQ(model.mesh.faces.size(), e.triangles) << e.file;
    EXPECT_EQ(model.clips.size(), e.clips) << e.file;
    EXPECT_EQ(model.skeleton.bone_count(), e.joints) << e.file;
    expect_finite_clips(model);
  }
}

// Bounding boxes by posed_bounds.py (NumPy, another slerp, another rotation formula): FILE ANIMATION TIME.
TEST_F(GltfModels, PosedBoundsAreThoseOfAnIndependentScript) {
  struct Expected {
    std::string file;
    int clip;  // -1: the nodes' own transforms
    double time;
    Box box;
  };
  for (const Expected& e :
       {Expected{"fox/Fox.glb", -1, 0, {{-12.59272, -0.1217442, -88.09501}, {12.59272, 78.9072, 66.62486}}},
        Expected{"fox/Fox.glb", 2, .3, {{-13.37966, -0.1840779, -90.51177}, {13.68691, 72.83589, 75.18983}}},
        Expected{"fox/Fox.glb", 0, 1.9, {{-11.59496, -0.1308699, -85.74191}, {14.5033, 78.10729, 68.73351}}},
        Expected{"cesium-man/cesium_man.gltf",
                 -1,
                 0,
                 {{-0.1309999, 4.854345e-08, -0.5691368}, {0.180954, 1.50655, 0.5691369}}},
        Expected{"cesium-man/cesium_man.gltf",
                 0,
                 .7,
                 {{-0.4781281, -0.005221968, -0.1962575}, {0.4469892, 1.474831, 0.2341988}}},
        Expected{"quaternius-formal/Formal.gltf",
                 15,
                 .5,
                 {{-0.1957441, 0.0871456, -0.810025}, {0.3579715, 0.8419079, 0.5059553}}},
        Expected{"quaternius-wolf/Wolf.glb",
                 3,
                 .25,
                 {{-0.4860223, -0.008139331, -2.116956}, {0.5545395, 2.614451, 2.528533}}}}) {
    const Model model = read(e.file);
    const Pose pose = e.clip < 0
                          ? default_pose(model.skeleton)
                          : pose_at(model.skeleton, model.clips[static_cast<std::size_t>(e.clip)], e.time);
    const Box box = bounds(posed(model.mesh, pose));
    const double printed = 1e-6 * length(e.box.high - e.box.low);  // the script prints seven digits
    EXPECT_LT(length(box.low - e.box.low), printed) << e.file << " clip " << e.clip;
    EXPECT_LT(length(box.high - e.box.high), printed) << e.file << " clip " << e.clip;
  }
}

TEST_F(GltfModels, ScalesOfExportersAreMeasured) {
  EXPECT_NEAR(default_pose(read("quaternius-dinos/Trex.glb").skeleton).scale, 100, .1);
  EXPECT_NEAR(default_pose(read("quaternius-dinos/Velociraptor.glb").skeleton).scale, 351.9, .1);
}

TEST_F(GltfModels, RepairsOfTheRealFilesAreReported) {
  EXPECT_EQ(count_of(read("cesium-man/cesium_man.gltf"), "do not sum to 1"), 210);
  EXPECT_EQ(count_of(read("fox/Fox.glb"), "has no normal"), 1728);
  EXPECT_EQ(count_of(read("assimp-bsd/quad_skin.glb"), "more than 4 influences"), 3);
  EXPECT_EQ(read("assimp-bsd/quad_skin.glb", {12}).mesh.slots, 12);
}

// The tube of models/edge in its variants.

const std::string kBase = "edge/01_base.gltf";

void expect_same_vertices(const RiggedMesh& a, const RiggedMesh& b) {
  EXPECT_EQ(a.faces, b.faces);
  EXPECT_EQ(a.p0, b.p0);
  EXPECT_EQ(a.n0, b.n0);
}

double largest_weight_difference(const RiggedMesh& a, const RiggedMesh& b) {
  double worst = 0;
  for (int v = 0; v < a.vertex_count(); ++v)
    for (int bone = 0; bone < a.bone_count; ++bone) {
      double difference = 0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(a.slots); ++k) {
        if (a.bones_of(v)[k] == bone) difference += a.weights_of(v)[k];
        if (b.bones_of(v)[k] == bone) difference -= b.weights_of(v)[k];
      }
      worst = std::max(worst, std::abs(difference));
    }
  return worst;
}

void expect_same_pose(const Model& a, const Model& b, double tolerance) {
  const std::vector<Vec3d> p = posed(a.mesh, pose_at(a.skeleton, a.clips[0], 1));
  const std::vector<Vec3d> q = posed(b.mesh, pose_at(b.skeleton, b.clips[0], 1));
  for (std::size_t v = 0; v < p.size(); ++v) ASSERT_LT(length(p[v] - q[v]), tolerance) << "vertex " << v;
}

TEST_F(GltfModels, TheBaseTubeNeedsNoRepairs) {
  const Model base = read(kBase);
  EXPECT_EQ(base.mesh.vertex_count(), 221);
  EXPECT_EQ(base.mesh.faces.size(), 384u);
  EXPECT_EQ(base.mesh.bone_count, 3);
  EXPECT_TRUE(base.warnings.empty());
  for (const Mat4x3d& m : default_pose(base.skeleton).M)
    for (int c = 0; c < 4; ++c)
      EXPECT_LT(length(m[c] - identity_transform<double>()[c]), 1e-6) << "bind pose";
}

TEST_F(GltfModels, EncodingsOfTheTubeAreTheSame) {
  const Model base = read(kBase);
  const Model bytes = read("edge/02_weights_u8.gltf");
  expect_same_vertices(base.mesh, bytes.mesh);
  EXPECT_LT(largest_weight_difference(base.mesh, bytes.mesh), 2.0 / 255);
  // Decoded by NumPy: the sum over all slots of weight (bone + 1) (vertex + 1). In the base it is 58013.7.
  const Model sparse = read("edge/12_sparse_joints_weights.gltf");
  double sum = 0;
  for (int v = 0; v < sparse.mesh.vertex_count(); ++v)
    for (std::size_t k = 0; k < 4; ++k)
      sum += sparse.mesh.weights_of(v)[k] * (sparse.mesh.bones_of(v)[k] + 1) * (v + 1);
  EXPECT_NEAR(sum, 53634.734375, 1e-3);
  const Model moved = read("edge/14_mesh_node_transform_must_be_ignored.gltf");
  expect_same_vertices(base.mesh, moved.mesh);
  expect_same_pose(base, moved, 1e-12);
}

TEST_F(GltfModels, WeightsOfTheTubeAreRepaired) {
  EXPECT_GT(count_of(read("edge/06_unnormalised_sums_0p8_1p5.gltf"), "do not sum to 1"), 0);
  EXPECT_GT(count_of(read("edge/07_zero_weight_vertices.gltf"), "no positive weight"), 0);
  EXPECT_GT(count_of(read("edge/05_six_influences_JOINTS_1.gltf"), "more than 4 influences"), 0);
  EXPECT_EQ(read("edge/05_six_influences_JOINTS_1.gltf", {6}).mesh.slots, 6);
}

TEST_F(GltfModels, VariantsOfTheTubeAreSound) {
  for (const std::string name :
       {"05_six_influences_JOINTS_1", "06_unnormalised_sums_0p8_1p5", "07_zero_weight_vertices",
        "09_no_inverseBindMatrices", "10_negative_scale_root", "12_sparse_joints_weights",
        "20_sliver_and_degenerate_triangle_weight_jump", "22_non_indexed_no_normals", "24_twist_180_dqs",
        "27_fig2_pure_translation", "28_one_ring_bones_exceed_nmax"})
    expect_finite_clips(read("edge/" + name + ".gltf"));
  EXPECT_EQ(default_pose(read("edge/10_negative_scale_root.gltf").skeleton).orientation, -1);
  for (const Mat4x3d& m : read("edge/09_no_inverseBindMatrices.gltf").skeleton.inverse_bind)
    EXPECT_EQ(m[3], Vec3d(0.0));
}

// The unindexed twin of the tube has no normals; welded by position they are radial, along the seam too,
// where the file's two columns of positions differ by rounding.
TEST_F(GltfModels, ComputedNormalsOfTheTubeFollowItsStoredOnes) {
  const Model base = read(kBase),
              bare = read("edge/22_non_indexed_no_normals.gltf", {.missing_normals = MissingNormals::smooth});
  EXPECT_EQ(count_of(bare, "has no normal"), bare.mesh.vertex_count());
  for (std::size_t f = 0; f < bare.mesh.faces.size(); ++f)
    for (std::size_t c = 0; c < 3; ++c) {
      const auto v = static_cast<std::size_t>(bare.mesh.faces[f][c]);
      const auto w = static_cast<std::size_t>(base.mesh.faces[f][c]);
      ASSERT_EQ(bare.mesh.p0[v], base.mesh.p0[w]);
      const double degrees = std::acos(std::min(1.0, dot(bare.mesh.n0[v], base.mesh.n0[w]))) * 180 / M_PI;
      EXPECT_LT(degrees, .1) << "vertex " << v;
    }
}

void expect_error(const std::string& file, const std::string& element, const std::string& reason) {
  try {
    read(file);
    ADD_FAILURE() << file << " was accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.file(), HasSubstr(fs::path(file).filename().string()));
    EXPECT_THAT(e.element(), HasSubstr(element)) << e.what();
    EXPECT_THAT(e.reason(), HasSubstr(reason)) << e.what();
  }
}

TEST_F(GltfModels, InvalidTubesNameVertexAndReason) {
  expect_error("edge/17_invalid_joint_index_out_of_range.gltf", "mesh 0 primitive 0 JOINTS_0 vertex ",
               "but skin 0 has 3");
  expect_error("edge/18_invalid_nan_weight.gltf", "mesh 0 primitive 0 WEIGHTS_0 vertex ", "not finite");
}

TEST_F(GltfModels, EveryTubeIsTestedAbove) {
  std::set<std::string> numbers;
  for (const fs::directory_entry& entry : fs::directory_iterator(test_models::folder() / "edge"))
    if (entry.path().extension() == ".gltf") numbers.insert(entry.path().stem().string().substr(0, 2));
  EXPECT_EQ(numbers, (std::set<std::string>{"01", "02", "05", "06", "07", "09", "10", "12", "14", "17", "18",
                                            "20", "22", "24", "27", "28"}));
}

// Files of the format's validator. Most lack a skinned mesh of triangles, which is reported when nothing else
// is wrong.
TEST_F(GltfModels, MalformedFilesOfTheValidatorGiveTheirReason) {
  const std::string no_mesh = "no triangle mesh with a skin";
  const std::map<std::string, std::string> expected = {
      // "" : accepted
      {"mesh/unequal_joints", "has no skin"},
      {"mesh_data/index_buffer_degenerate_triangle", "has no skin"},
      {"mesh_data/index_buffer_oob", "has no skin"},
      {"mesh_data/joints_no_weights", no_mesh},
      {"mesh_data/joints_weights_complex", no_mesh},
      {"mesh_data/normals_tangents_non_unit_invalid_sign", "has no skin"},
      {"node/node_skin_without_skinned_mesh", no_mesh},
      {"node/node_skinned_mesh_without_skin", "has no skin"},
      {"node/skin_with_no_mesh", no_mesh},
      {"node/unresolved_skin", "has no skin"},
      {"skin/buffer_view_bytestride", "'uri' is missing"},
      {"skin/custom_property", no_mesh},
      {"skin/empty_array", "has no skin"},
      {"skin/empty_joints_array", "has no joints"},
      {"skin/empty_object", "something that the format requires is missing"},
      {"skin/ibm_invalid_count", "last row"},
      {"skin/ibm_invalid_format", "type that is not allowed"},
      {"skin/ignored_animated_transform", ""},
      {"skin/ignored_local_transform", ""},
      {"skin/ignored_parent_transform", ""},
      {"skin/no_common_root", no_mesh},
      {"skin/no_joints_in_scene", ""},
      {"skin/skeleton_invalid", no_mesh},
      {"skin/unresolved_ibm", "accessor 0, but the file has 0"},
      {"skin/unresolved_joint", "node 0, but the file has 0"},
      {"skin/unresolved_skeleton", "node 1, but the file has 1"},
      {"skin/valid", "last row"},
      {"skin_data/invalid_ibm", "last row"},
  };
  std::size_t files = 0;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(test_models::folder() / "gltf-validator")) {
    if (entry.path().extension() != ".gltf") continue;
    const std::string name =
        entry.path().parent_path().filename().string() + "/" + entry.path().stem().string();
    ASSERT_EQ(expected.count(name), 1u) << name << " is new";
    ++files;
    std::string reason;
    try {
      read_gltf(entry.path());
    } catch (const InputError& e) {
      reason = e.what();
    }
    if (expected.at(name).empty())
      EXPECT_EQ(reason, "") << name;
    else
      EXPECT_THAT(reason, HasSubstr(expected.at(name))) << name;
  }
  EXPECT_EQ(files, expected.size());
}

}  // namespace
}  // namespace skinlight
