// Scenes written by hand as the importer would return them: what model_of() makes of transforms and clips,
// against Eigen.
#include "skinlight/asset/assimp_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "skinlight/asset/gltf_test_file.h"
#include "skinlight/core/random.h"

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

Eigen::Vector3d eigen(Vec3d v) { return {v.x, v.y, v.z}; }

Matrix matrix_of(const Eigen::Affine3d& a) {
  Matrix m{};
  for (int column = 0; column < 4; ++column)
    for (int r = 0; r < 4; ++r)
      m[static_cast<std::size_t>(4 * column + r)] = static_cast<float>(a.matrix()(r, column));
  return m;
}

Eigen::Quaterniond random_rotation(Random& random) {
  return Eigen::Quaterniond(
      Eigen::AngleAxisd(random.uniform(-M_PI, M_PI), eigen(random.direction()).normalized()));
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
    const Vec3d scale(random.uniform(.5, 2), random.uniform(.5, 2), random.uniform(.5, 2));
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
    Vec3d scale(random.uniform(.5, 2), random.uniform(.5, 2), random.uniform(.5, 2));
    if (i % 2 == 0) scale = -scale;  // all three axes
    if (i % 2 == 1) scale[i % 3] *= -1;
    const Eigen::Affine3d expected = trs(random.in_cube(1), random_rotation(random), scale);
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

}  // namespace
}  // namespace skinlight
