// Scenes as no importer of ours would write them.
#include "skinlight/asset/assimp_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "skinlight/asset/assimp_model.h"
#include "skinlight/core/random.h"
#include "skinlight/rig/turn.h"

namespace skinlight {
namespace {

using namespace assimp;
using testing::HasSubstr;

constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

// A triangle on the root, moved by the bone "arm".
Scene triangle() {
  Scene scene;
  scene.nodes = {{"root", -1, kIdentity, {0}}, {"arm", 0, kIdentity, {}}};
  SceneMesh mesh;
  mesh.name = "skin";
  mesh.position = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  mesh.corners = {0, 1, 2};
  mesh.bones = {{"arm", kIdentity, {0, 1, 2}, {1, 1, 1}}};
  scene.meshes = {mesh};
  return scene;
}

Model model(const Scene& scene) { return model_of(scene, "scene", 4, 25); }

Matrix matrix(const Mat4x3d& m) {
  Matrix numbers = kIdentity;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r) numbers[static_cast<std::size_t>(4 * c + r)] = static_cast<float>(m[c][r]);
  return numbers;
}

TEST(AssimpScene, PackedScenesComeBack) {
  Scene scene = triangle();
  scene.clips = {{"move", 24, {{"arm", {{0, 1}, {1, 2, 3, 4, 5, 6}}, {}, {}}}, 2}};
  const std::string bytes = pack(scene);
  EXPECT_EQ(pack(unpack(bytes)), bytes);
  EXPECT_EQ(unpack(bytes).clips.at(0).channels.at(0).translation.values,
            scene.clips[0].channels[0].translation.values);
  EXPECT_EQ(unpack(bytes).meshes.at(0).bones.at(0).node, "arm");
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(unpack(bytes.substr(0, size)), InputError);
  EXPECT_THROW(unpack(bytes + "x"), InputError);
}

// The keys leave rotation and scale to the node, whose matrix is any rotation with any scale, mirrored or
// not.
TEST(AssimpScene, PropertiesWithoutKeysStayThoseOfTheNode) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    Mat4x3d local = turn_about(Vec3d(0.0), random.direction(), random.uniform(-M_PI, M_PI));
    for (int c = 0; c < 3; ++c) local[c] *= random.uniform(.5, 2);
    if (round % 2 == 0) local[1] *= -1;
    Scene scene = triangle();
    scene.nodes[1].transform = matrix(local);
    scene.clips = {{"move", 2, {{"arm", {{0, 2}, {0, 0, 0, 4, 0, 0}}, {}, {}}}, 0}};
    const Model m = model(scene);
    const Pose rest = default_pose(m.skeleton), half = pose_at(m.skeleton, m.clips[0], .5);
    for (int c = 0; c < 3; ++c) {
      EXPECT_LT(length(rest.M[0][c] - local[c]), 1e-6);
      EXPECT_LT(length(half.M[0][c] - local[c]), 1e-6);
    }
    EXPECT_LT(length(half.M[0][3] - Vec3d(2, 0, 0)), 1e-12) << "two ticks are a second";
    EXPECT_TRUE(m.warnings.size() == 1) << "only that normals are missing";
  }
}

TEST(AssimpScene, ShearedAndFlatNodesWithKeysAreReported) {
  const auto reasons = [](const Mat4x3d& local) {
    Scene scene = triangle();
    scene.nodes[1].transform = matrix(local);
    scene.clips = {{"move", 2, {{"arm", {{0}, {0, 0, 0}}, {}, {}}}, 0}};
    std::string all;
    for (const Warning& w : model(scene).warnings) all += w.reason + "\n";
    return all;
  };
  EXPECT_THAT(reasons({{1, 0, 0}, {.5, 1, 0}, {0, 0, 1}, {0, 0, 0}}), HasSubstr("shear"));
  EXPECT_THAT(reasons({{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 0, 0}}), HasSubstr("scale 0"));
}

TEST(AssimpScene, TangentsOfTheFileKeepTheirHandedness) {
  for (const float sign : {1.0f, -1.0f})
    for (const bool mirrored : {false, true}) {
      Scene scene = triangle();
      SceneMesh& mesh = scene.meshes[0];
      for (int v = 0; v < 3; ++v) {
        mesh.normal.insert(mesh.normal.end(), {0, 0, 1});
        mesh.tangent.insert(mesh.tangent.end(), {1, 0, 0});
        mesh.bitangent.insert(mesh.bitangent.end(), {0, sign, 0});
      }
      if (mirrored) scene.nodes[0].transform = matrix({{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}});
      const Model m = model(scene);
      EXPECT_EQ(m.mesh.frame_source[0], FrameSource::file);
      EXPECT_EQ(m.mesh.t0[0], Vec3d(mirrored ? -1 : 1, 0, 0));
      EXPECT_EQ(m.mesh.b0[0], Vec3d(0, sign, 0));
    }
}

TEST(AssimpScene, MeshesOfOneSkinShareTheirBones) {
  Scene scene = triangle();
  scene.meshes.push_back(scene.meshes[0]);
  scene.nodes[0].meshes = {0, 1};
  EXPECT_EQ(model(scene).mesh.bone_count, 1);
  scene.meshes[1].bones[0].offset[12] = 1;
  EXPECT_EQ(model(scene).mesh.bone_count, 2) << "another bind pose";
}

TEST(AssimpScene, ContradictionsNameTheirElement) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto clip = [](Scene& s) -> SceneChannel& {
    s.clips = {{"move", 24, {{"arm", {{0, 1}, {1, 2, 3, 4, 5, 6}}, {}, {}}}, 0}};
    return s.clips[0].channels[0];
  };
  const struct {
    std::function<void(Scene&)> change;
    std::string element, reason;
  } cases[] = {
      {[](Scene& s) { s.nodes[1].parent = 1; }, "node 1 (arm)", "parent does not come before"},
      {[=](Scene& s) { s.nodes[1].transform[5] = nan; }, "node 1 (arm)", "not finite"},
      {[](Scene& s) { s.nodes[1].transform[3] = 1; }, "node 1 (arm)", "last row"},
      {[](Scene& s) { s.nodes[0].meshes = {1}; }, "node 0 (root)", "shows mesh 1 of 1"},
      {[](Scene& s) { s.meshes[0].corners[1] = 3; }, "mesh 0 (skin) triangle 0", "vertex 3 of 3"},
      {[](Scene& s) { s.meshes[0].corners.pop_back(); }, "mesh 0 (skin)", "whole triangles"},
      {[=](Scene& s) { s.meshes[0].position[4] = nan; }, "mesh 0 (skin) positions vertex 1", "not finite"},
      {[](Scene& s) { s.meshes[0].position.pop_back(); }, "mesh 0 (skin)", "8 coordinates"},
      {[](Scene& s) { s.meshes[0].uv = {1}; }, "mesh 0 (skin) uv", "1 numbers for 3 vertices"},
      {[](Scene& s) { s.meshes[0].tangent.assign(9, 1); }, "mesh 0 (skin)", "without the others"},
      {[](Scene& s) { s.meshes[0].bones[0].node = "leg"; }, "mesh 0 (skin) bone 0 (leg)", "no node"},
      {[](Scene& s) { s.meshes[0].bones[0].vertices[2] = 9; }, "mesh 0 (skin) bone 0 (arm) weight 2",
       "vertex 9 of 3"},
      {[=](Scene& s) { s.meshes[0].bones[0].weights[2] = nan; }, "mesh 0 (skin) bone 0 (arm) weight 2",
       "not finite"},
      {[](Scene& s) { s.meshes[0].bones[0].weights.pop_back(); }, "mesh 0 (skin) bone 0 (arm)", "as many"},
      {[](Scene& s) { s.meshes[0].bones.clear(); }, "", "no triangle mesh with a skin"},
      {[=](Scene& s) { clip(s).translation.times[1] = -1; },
       "clip 0 (move) channel 0 (arm) translation key 1", "ascend"},
      {[=](Scene& s) { clip(s).translation.values.pop_back(); }, "clip 0 (move) channel 0 (arm) translation",
       "5 numbers"},
      {[=](Scene& s) { clip(s), s.clips[0].ticks_per_second = -1; }, "clip 0 (move)", "ticks"},
      {[](Scene& s) { s.nodes[1].name = "a\nb", s.nodes[1].parent = 7; }, "node 1 (a?b)", "parent"},
  };
  for (const auto& c : cases) {
    Scene scene = triangle();
    c.change(scene);
    try {
      model(scene);
      ADD_FAILURE() << "accepted, expected: " << c.element << ": " << c.reason;
    } catch (const InputError& e) {
      EXPECT_EQ(e.element(), c.element);
      EXPECT_THAT(e.reason(), HasSubstr(c.reason));
    }
  }
}

TEST(AssimpScene, OmissionsAreReported) {
  Scene scene = triangle();
  scene.meshes[0].other_faces = 2;
  scene.meshes[0].morph_targets = 1;
  scene.meshes[0].bones.push_back({"nobody", kIdentity, {}, {}});
  scene.nodes.push_back({"arm", 0, kIdentity, {}});
  scene.clips = {
      {"", 0, {{"nobody", {{0}, {0, 0, 0}}, {}, {}}, {"arm", {{-25, 0}, {0, 0, 0, 0, 0, 0}}, {}, {}}}, 1}};
  const Model m = model(scene);
  std::string all;
  for (const Warning& w : m.warnings) all += w.reason + "\n";
  for (const char* reason :
       {"points or lines", "morph targets; they", "neither node nor weights", "name of an earlier node",
        "25 were taken", "animates no node", "animates morph targets", "keys before time 0"})
    EXPECT_THAT(all, HasSubstr(reason));
  EXPECT_EQ(m.clips.at(0).name, "clip 0");
  EXPECT_NEAR(m.clips[0].duration, 1, 1e-12);
}

}  // namespace
}  // namespace skinlight
