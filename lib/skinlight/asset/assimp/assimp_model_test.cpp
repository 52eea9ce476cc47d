// Scenes written by hand as the importer would return them: what model_of() makes of transforms and clips,
// against Eigen.
#include "skinlight/asset/assimp/detail/assimp_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/random.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using assimp::Matrix;
using assimp::Scene;
using assimp::SceneClip;
using assimp::SceneMesh;
using gltf_test::count_of;
using testing::HasSubstr;

// Numbers of the size of 1 that were rounded to single precision, through a few products.
constexpr double kFloat = 2e-6;

Matrix matrix_of(const Eigen::Affine3d& a) {
  Matrix m{};
  for (int column = 0; column < 4; ++column)
    for (int r = 0; r < 4; ++r)
      m[static_cast<std::size_t>(4 * column + r)] = static_cast<float>(a.matrix()(r, column));
  return m;
}

Eigen::Quaterniond random_rotation(Random& random) {
  return Eigen::Quaterniond(
      Eigen::AngleAxisd{random.uniform(-M_PI, M_PI), eigen(random.direction()).normalized()});
}

Eigen::Affine3d trs(Vec3d translation, const Eigen::Quaterniond& rotation, Vec3d scale) {
  return Eigen::Translation3d(eigen(translation)) * rotation * Eigen::Scaling(eigen(scale));
}

// Nodes "body", which shows the mesh, and its child "bone", which moves all of it; one triangle; one clip
// with one key that moves "bone".
Scene triangle() {
  Scene scene;
  const Matrix identity = matrix_of(Eigen::Affine3d::Identity());
  scene.nodes = {{"body", -1, identity, {0}}, {"bone", 0, identity, {}}};
  SceneMesh mesh;
  mesh.name = "tri";
  mesh.position = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  mesh.normal = {0, 0, 1, 0, 0, 1, 0, 0, 1};
  mesh.corners = {0, 1, 2};
  mesh.bones = {{"bone", identity, {0, 1, 2}, {1, 1, 1}}};
  scene.meshes = {mesh};
  SceneClip clip;
  clip.name = "move";
  clip.ticks_per_second = 1;
  clip.channels = {{"bone", {{0}, {0, 0, 0}}, {}, {}}};
  scene.clips = {clip};
  return scene;
}

Model model_of(const Scene& scene) { return assimp::model_of(scene, "scene", {}, 25); }

// Of the animated node "bone", when the file gives it as this matrix.
Model model_with_bone(const Eigen::Affine3d& transform) {
  Scene scene = triangle();
  scene.nodes[1].transform = matrix_of(transform);
  return model_of(scene);
}

Eigen::Quaterniond rotation_of(const Node& node) {
  const Quat& q = node.rotation;
  return {q[3], q[0], q[1], q[2]};
}

Eigen::Affine3d transform_of(const Node& node) {
  return trs(node.translation, rotation_of(node), node.scale);
}

TEST(AssimpModel, AnimatedNodesAreTakenApartIntoTheRotationTheyWereMadeOf) {
  Random random(20141);
  std::array<int, 4> largest{};  // how often x, y, z, w was the largest of a quaternion
  for (int i = 0; i < 400; ++i) {
    const Eigen::Quaterniond rotation = random_rotation(random);
    const Vec3d translation = random.in_cube(1);
    const Vec3d scale{random.uniform(.5, 2), random.uniform(.5, 2), random.uniform(.5, 2)};
    Eigen::Index k = 0;
    rotation.coeffs().cwiseAbs().maxCoeff(&k);
    ++largest[static_cast<std::size_t>(k)];
    const Model model = model_with_bone(trs(translation, rotation, scale));
    const Node& node = model.skeleton.nodes[1];
    EXPECT_FALSE(node.has_matrix);
    EXPECT_NEAR(rotation_of(node).norm(), 1, 1e-12) << "double precision from a normalised one";
    EXPECT_NEAR(std::abs(rotation_of(node).dot(rotation)), 1, kFloat);
    EXPECT_LT((rotation_of(node).toRotationMatrix() - rotation.toRotationMatrix()).norm(), kFloat)
        << rotation.coeffs().transpose();
    EXPECT_LT(length(node.translation - translation), kFloat);
    EXPECT_LT(length(node.scale - scale), kFloat);
    EXPECT_TRUE(model.warnings.empty());
  }
  for (const int count : largest) EXPECT_GT(count, 20) << "every way to read a quaternion off a matrix";
}

TEST(AssimpModel, AnimatedMirroredNodesKeepTheirTransform) {
  Random random(20142);
  for (int i = 0; i < 200; ++i) {
    Vec3d scale{random.uniform(.5, 2), random.uniform(.5, 2), random.uniform(.5, 2)};
    if (i % 2 == 0) scale = -scale;  // all three axes
    if (i % 2 == 1) scale[i % 3] *= -1;
    const Vec3d translation = random.in_cube(1);
    const Eigen::Affine3d expected = trs(translation, random_rotation(random), scale);
    const Model model = model_with_bone(expected);
    const Node& node = model.skeleton.nodes[1];
    EXPECT_LT(node.scale.x * node.scale.y * node.scale.z, 0);
    EXPECT_LT((transform_of(node).matrix() - expected.matrix()).norm(), 2 * kFloat);
    EXPECT_TRUE(model.warnings.empty());
    EXPECT_EQ(default_pose(model.skeleton).orientation, -1);
  }
}

TEST(AssimpModel, AnimatedNodesOfScaleZeroHaveNoRotationAndAreReported) {
  Random random(20143);
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d scale(1.5, .75, 1.25);
    scale[axis] = 0;
    const Vec3d translation = random.in_cube(1);
    const Model model = model_with_bone(trs(translation, random_rotation(random), scale));
    const Node& node = model.skeleton.nodes[1];
    EXPECT_EQ(node.rotation, (Quat{0, 0, 0, 1}));
    EXPECT_LT(length(node.scale - scale), kFloat);
    EXPECT_LT(length(node.translation - translation), kFloat);
    EXPECT_EQ(count_of(model, "has scale 0 and keys"), 1);
    EXPECT_EQ(count_of(model, "has shear and keys"), 0);
    EXPECT_THAT(model.warnings.at(0).element, HasSubstr("node 1 (bone)"));
  }
}

TEST(AssimpModel, ShearOfAnimatedNodesIsLeftOutAndReported) {
  Random random(20144);
  for (int i = 0; i < 3; ++i) {
    const Eigen::Quaterniond rotation = random_rotation(random);
    Eigen::Matrix3d shear = Eigen::Matrix3d::Identity();
    shear(std::min(i, 1), i == 0 ? 1 : 2) = .25;  // xy, yz, yz: the later axis leans towards the earlier
    if (i == 2) shear(0, 2) = -.25;
    Eigen::Affine3d transform = Eigen::Affine3d::Identity();
    transform.linear() = rotation * shear;
    const Model model = model_with_bone(transform);
    EXPECT_EQ(count_of(model, "has shear and keys"), 1);
    // Gram and Schmidt from the first axis on undo an upper triangular shear.
    EXPECT_LT((rotation_of(model.skeleton.nodes[1]).toRotationMatrix() - rotation.toRotationMatrix()).norm(),
              kFloat);
  }
}

TEST(AssimpModel, ClipsWithKeysBeforeTimeZeroAreMovedToStartThere) {
  Scene scene = triangle();
  SceneClip& clip = scene.clips[0];
  clip.ticks_per_second = 2;
  clip.channels = {{"bone", {{-2, 2}, {0, 0, 0, 1, 1, 1}}, {}, {}},
                   {"body", {}, {}, {{-4, 0, 6}, {1, 1, 1, 2, 2, 2, 3, 3, 3}}}};
  const Model model = model_of(scene);
  ASSERT_EQ(model.clips.at(0).channels.size(), 2u);
  EXPECT_EQ(model.clips[0].channels[0].times, (std::vector<double>{1, 3}));
  EXPECT_EQ(model.clips[0].channels[1].times, (std::vector<double>{0, 2, 5}));
  EXPECT_EQ(model.clips[0].duration, 5);
  EXPECT_EQ(count_of(model, "has keys before time 0"), 1);
}

TEST(AssimpModel, ClipsWithKeysAfterTimeZeroStayWhereTheyAre) {
  Scene scene = triangle();
  scene.clips[0].ticks_per_second = 2;
  scene.clips[0].channels = {{"bone", {{3, 8}, {0, 0, 0, 1, 1, 1}}, {}, {}}};
  const Model model = model_of(scene);
  EXPECT_EQ(model.clips.at(0).channels.at(0).times, (std::vector<double>{1.5, 4}));
  EXPECT_EQ(model.clips[0].duration, 4);
  EXPECT_TRUE(model.warnings.empty());
}

TEST(AssimpModel, WhatAClipAnimatesBesidesNodesIsReported) {
  Scene scene = triangle();
  scene.clips[0].other_channels = 2;
  scene.clips[0].channels.push_back({"nobody", {{0}, {0, 0, 0}}, {}, {}});
  const Model model = model_of(scene);
  EXPECT_EQ(count_of(model, "animates morph targets"), 1);
  EXPECT_EQ(count_of(model, "animates no node"), 1);
  EXPECT_EQ(model.clips.at(0).channels.size(), 1u);
}

Eigen::Affine3d affine_of(const Matrix& m) {
  Eigen::Affine3d a;
  a.matrix() = Eigen::Map<const Eigen::Matrix4f>(m.data()).cast<double>();
  return a;
}

Eigen::Vector3d row(const std::vector<float>& numbers, std::size_t v) {
  return Eigen::Map<const Eigen::Vector3f>(&numbers[3 * v]).cast<double>();
}

void append(std::vector<float>& to, const Eigen::Vector3d& v) {
  for (int c = 0; c < 3; ++c) to.push_back(static_cast<float>(v[c]));
}

// Two triangles with random orthonormal frames (normal, tangent, +-bitangent) on four vertices.
SceneMesh random_mesh(Random& random) {
  SceneMesh mesh = triangle().meshes[0];
  mesh.position.clear();
  mesh.normal.clear();
  for (int v = 0; v < 4; ++v) {
    const Eigen::Matrix3d frame = random_rotation(random).toRotationMatrix();
    append(mesh.position, eigen(random.in_cube(1)));
    append(mesh.normal, frame.col(2));
    append(mesh.tangent, frame.col(0));
    append(mesh.bitangent, frame.col(1) * (v % 2 == 0 ? 1 : -1));
    mesh.uv.insert(mesh.uv.end(), {.25f * static_cast<float>(v), .125f});
  }
  mesh.corners = {0, 1, 2, 0, 2, 3};
  mesh.bones[0].vertices = {0, 1, 2, 3};
  mesh.bones[0].weights = {1, 1, 1, 1};
  return mesh;
}

// Numbers of the size of 10, all computed in double precision from the file's floats; the placements'
// condition numbers stay below 100.
constexpr double kDouble = 1e-12;

TEST(AssimpModel, PositionsNormalsTangentsAndBindPosesFollowThePlacement) {
  Random random(20145);
  for (int i = 0; i < 100; ++i) {
    const auto stretched = [&](double sign) {
      const Vec3d s{sign * random.uniform(.5, 2), random.uniform(.5, 2), random.uniform(.5, 2)},
          translation = random.in_cube(1);
      return matrix_of(trs(translation, random_rotation(random), s));
    };
    Scene scene = triangle();
    const SceneMesh mesh = scene.meshes[0] = random_mesh(random);
    scene.meshes[0].bones[0].offset = stretched(1);
    scene.nodes = {{"root", -1, stretched(1), {}},
                   {"body", 0, stretched(i % 2 == 0 ? 1 : -1), {0}},
                   {"bone", 0, stretched(1), {}}};
    const Eigen::Affine3d placement =
        affine_of(scene.nodes[0].transform) * affine_of(scene.nodes[1].transform);
    const Eigen::Matrix3d linear = placement.linear();
    const double orientation = linear.determinant() < 0 ? -1 : 1;
    ASSERT_EQ(orientation, i % 2 == 0 ? 1 : -1);

    RawAttributes raw;
    const Model model = assimp::model_of(scene, "scene", {4, &raw}, 25);
    ASSERT_EQ(model.mesh.vertex_count(), 4);
    for (std::size_t v = 0; v < 4; ++v) {
      EXPECT_LT((eigen(model.mesh.p0[v]) - placement * row(mesh.position, v)).norm(), kDouble);
      const Eigen::Vector3d n = (linear.inverse().transpose() * row(mesh.normal, v)).normalized();
      EXPECT_LT((eigen(model.mesh.n0[v]) - n).norm(), kDouble);
      const Eigen::Vector3d t = row(mesh.tangent, v);  // its length is handed out
      EXPECT_LT((eigen(raw.tangent[v]) - (linear * t).normalized() * t.norm()).norm(), kDouble);
      // (n x t) . b of a frame changes its sign in a mirror that leaves the normals on their side, and as v,
      // which b follows, turns round.
      EXPECT_EQ(raw.tangent_sign[v], (v % 2 == 0 ? -1 : 1) * orientation);
      EXPECT_EQ(model.mesh.uv[v], Vec2d(.25 * static_cast<double>(v), .875)) << "v upwards in the scene";
    }
    EXPECT_EQ(model.mesh.faces[0], i % 2 == 0 ? (Face{0, 1, 2}) : (Face{0, 2, 1}));
    const Eigen::Affine3d bind = affine_of(scene.meshes[0].bones[0].offset) * placement.inverse();
    for (int c = 0; c < 4; ++c)
      EXPECT_LT((eigen(model.skeleton.inverse_bind.at(0)[c]) - bind.matrix().col(c).head<3>()).norm(),
                10 * kDouble);
    EXPECT_TRUE(model.warnings.empty());
  }
}

TEST(AssimpModel, MeshesThatTheirNodeFlattensStandInTheirOwnSpace) {
  Random random(20146);
  Scene scene = triangle();
  const SceneMesh mesh = scene.meshes[0] = random_mesh(random);
  scene.nodes[0].transform = matrix_of(trs({1, 2, 3}, random_rotation(random), {1, 1, 0}));
  const Model model = model_of(scene);
  EXPECT_EQ(count_of(model, "is flattened by its node"), 1);
  for (std::size_t v = 0; v < 4; ++v) {
    EXPECT_EQ(eigen(model.mesh.p0[v]), row(mesh.position, v));
    EXPECT_LT((eigen(model.mesh.n0[v]) - row(mesh.normal, v).normalized()).norm(), kDouble);
  }
  for (int c = 0; c < 4; ++c)
    EXPECT_EQ(model.skeleton.inverse_bind.at(0)[c], identity_transform<double>()[c]) << "the offset as it is";
}

TEST(AssimpModel, CornersWithOneInfluenceMoreStayApart) {
  Scene scene = triangle();
  SceneMesh& mesh = scene.meshes[0];
  for (std::vector<float>* numbers : {&mesh.position, &mesh.normal})
    for (int copy = 0; copy < 2; ++copy)
      for (std::size_t c = 0; c < 3; ++c) numbers->push_back((*numbers)[c]);  // 3 and 4 are vertex 0 again
  mesh.corners = {0, 1, 2, 3, 2, 1, 4, 1, 2};
  mesh.bones[0].vertices = {0, 1, 2, 3, 4};
  mesh.bones[0].weights = {1, 1, 1, 1, 1};
  mesh.bones.push_back({"body", mesh.bones[0].offset, {3}, {1}});
  const RiggedMesh merged = model_of(scene).mesh;
  EXPECT_EQ(merged.vertex_count(), 4);
  ASSERT_EQ(merged.faces.size(), 3u);
  EXPECT_NE(merged.faces[1][0], merged.faces[0][0]) << "vertex 3 has an influence more than vertex 0";
  EXPECT_EQ(merged.faces[2][0], merged.faces[0][0]) << "vertex 4 is vertex 0";
}

TEST(AssimpModel, WeightsOfZeroTakeNoSlotAndMeshesWithoutUvHaveNone) {
  Scene scene = triangle();
  scene.meshes[0].bones.push_back({"body", scene.meshes[0].bones[0].offset, {0, 1, 2}, {0, 0, 0}});
  const Model model = model_of(scene);
  EXPECT_EQ(model.mesh.slots, 1);
  EXPECT_TRUE(model.mesh.uv.empty());
}

TEST(AssimpModel, DamagedScenesAreErrorsThatNameTheirPlace) {
  const auto expect_error = [](const auto& damage, const std::string& element, const std::string& reason) {
    Scene scene = triangle();
    scene.meshes[0].tangent = {1, 0, 0, 1, 0, 0, 1, 0, 0};
    scene.meshes[0].bitangent = {0, 1, 0, 0, 1, 0, 0, 1, 0};
    EXPECT_NO_THROW(model_of(scene));
    damage(scene, scene.meshes[0], scene.clips[0]);
    try {
      model_of(scene);
      ADD_FAILURE() << "accepted: " << reason;
    } catch (const InputError& e) {
      EXPECT_THAT(e.element(), HasSubstr(element));
      EXPECT_THAT(e.reason(), HasSubstr(reason));
    }
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  using S = Scene;
  using M = SceneMesh;
  using C = SceneClip;
  const std::string mesh = "mesh 0 (tri)", bone = mesh + " bone 0 (bone)", clip = "clip 0 (move)";
  expect_error([](S& s, M&, C&) { s.nodes[1].parent = 1; }, "node 1 (bone)", "parent does not come before");
  expect_error([](S& s, M&, C&) { s.nodes[0].parent = -2; }, "node 0 (body)", "parent does not come before");
  expect_error([](S& s, M&, C&) { s.nodes[0].meshes = {1}; }, "node 0 (body)", "shows mesh 1 of 1");
  expect_error(
      [](S& s, M&, C&) {
        const Matrix huge = matrix_of(Eigen::Affine3d(Eigen::Scaling(1e38)));
        for (int n = 0; n < 10; ++n) s.nodes.push_back({"deep", n == 0 ? -1 : n + 1, huge, {}});
        std::swap(s.nodes[0].meshes, s.nodes.back().meshes);
      },
      "node 11 (deep)", "its transform in the scene is not finite");
  expect_error([](S&, M& m, C&) { m.position.push_back(0); }, mesh, "10 coordinates");
  expect_error([&](S&, M& m, C&) { m.position[4] = nan; }, mesh + " positions vertex 1", "is not finite");
  expect_error([&](S&, M& m, C&) { m.tangent[8] = nan; }, mesh + " tangents vertex 2", "is not finite");
  expect_error([](S&, M& m, C&) { m.normal.pop_back(); }, mesh + " normals", "8 numbers for 3 vertices");
  expect_error([](S&, M& m, C&) { m.uv = {0, 0}; }, mesh + " uv", "2 numbers for 3 vertices");
  expect_error([](S&, M& m, C&) { m.tangent.clear(); }, mesh, "without the others");
  expect_error([](S&, M& m, C&) { m.bitangent.clear(); }, mesh, "without the others");
  expect_error([](S&, M& m, C&) { m.corners.push_back(0); }, mesh, "do not make whole triangles");
  expect_error([](S&, M& m, C&) { m.corners[1] = 3; }, mesh + " triangle 0", "vertex 3 of 3");
  expect_error([](S&, M& m, C&) { m.bones[0].weights.pop_back(); }, bone, "not as many vertices as weights");
  expect_error([](S&, M& m, C&) { m.bones[0].vertices[2] = 3; }, bone + " weight 2", "vertex 3 of 3");
  expect_error([&](S&, M& m, C&) { m.bones[0].weights[1] = nan; }, bone + " weight 1", "is not finite");
  expect_error([](S&, M& m, C&) { m.bones[0].node = "a\nb"; }, "bone 0 (a?b)", "no node of this name");
  expect_error([](S&, M&, C& c) { c.ticks_per_second = -1; }, clip, "ticks per second");
  expect_error([&](S&, M&, C& c) { c.ticks_per_second = nan; }, clip, "ticks per second");
  expect_error([](S&, M&, C& c) { c.channels[0].translation.values.push_back(0); },
               clip + " channel 0 (bone) translation", "4 numbers for 1 keys");
}

}  // namespace
}  // namespace skinlight
