// What bones scale and mirror where they act.
#include "skinlight/rig/bone_reach.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "testing/meshes.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;  // a dozen operations in double on values near 1

Mat4x3d random_transform(Random& random, double scale) {
  return {random.in_cube(scale), random.in_cube(scale), random.in_cube(scale), random.in_cube(10)};
}

double eigen_determinant(const Mat4x3d& m) {
  Eigen::Matrix3d e;
  for (int c = 0; c < 3; ++c) e.col(c) << m[c].x, m[c].y, m[c].z;
  return e.determinant();
}

Mat4x3d scaled(double x, double y, double z) {
  return {Vec3d(x, 0, 0), Vec3d(0, y, 0), Vec3d(0, 0, z), Vec3d(0.0)};
}

CommonScale common(const std::vector<Mat4x3d>& M) {
  return common_scale(make_pose(M), std::vector<BoneReach>(M.size(), {1, Vec3d(0.0)}));
}

TEST(BoneReach, IsTheWeightedMeanOfTheVertices) {
  Random random(5);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::sphere(2), 4, 3, random);
  const std::vector<BoneReach> reach = bone_reach(mesh);
  ASSERT_EQ(reach.size(), 4u);
  for (int bone = 0; bone < 4; ++bone) {
    double weight = 0;
    Vec3d sum(0.0);
    for (std::size_t i = 0; i < mesh.bone.size(); ++i)
      if (mesh.bone[i] == bone) {
        weight += mesh.weight[i];
        sum += mesh.p0[i / 3] * mesh.weight[i];
      }
    EXPECT_NEAR(reach[static_cast<std::size_t>(bone)].weight, weight, 1e-10);
    EXPECT_LT(length(reach[static_cast<std::size_t>(bone)].centre - sum / weight), 1e-10);
  }
  RiggedMesh unused = mesh;
  unused.bone_count = 5;
  EXPECT_EQ(bone_reach(unused)[4].weight, 0);
}

// A mesh of single vertices: their bones and weights.
RiggedMesh points(int bones, int slots, std::vector<int> bone, std::vector<double> weight) {
  RiggedMesh mesh;
  mesh.p0.resize(bone.size() / static_cast<std::size_t>(slots));
  mesh.bone_count = bones;
  mesh.slots = slots;
  mesh.bone = std::move(bone);
  mesh.weight = std::move(weight);
  return mesh;
}

TEST(BoneReach, IslandsAreBonesThatShareVerticesDirectlyOrThroughOthers) {
  const auto reach =
      bone_reach(points(7, 2, {5, 1, 1, 3, 0, 2, 4, 4, 6, 0}, {.6, .4, .5, .5, .9, .1, 1, 0, 1, 0}));
  std::vector<int> island;
  for (const BoneReach& bone : reach) island.push_back(bone.island);
  EXPECT_EQ(island, (std::vector<int>{0, 1, 0, 1, 2, 1, 3}));
}

TEST(CommonScale, OfNoBonesIsNone) { EXPECT_EQ(common({}), CommonScale()); }

TEST(CommonScale, ScaleIsGeometricMeanOfCubeRootsOfDeterminants) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<Mat4x3d> M;
    double product = 1;
    const int bones = 1 + random.below(6);
    for (int s = 0; s < bones; ++s) {
      M.push_back(random_transform(random, 3));
      product *= std::pow(std::abs(eigen_determinant(M.back())), 1.0 / 3);
    }
    const double expected = std::pow(product, 1.0 / bones);
    EXPECT_NEAR(common(M).mean, expected, kRounding * expected * 1e3);
  }
}

TEST(CommonScale, ScaleOfExportersIsExact) {
  const Mat4x3d hundred = identity_transform<double>() * 100;
  EXPECT_NEAR(common({hundred, hundred}).mean, 100, 100 * kRounding);
}

TEST(CommonScale, OrientationIsTheMajorityOfDeterminantSigns) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    std::vector<Mat4x3d> M;
    int sum = 0;
    for (int s = 0; s < 5; ++s) {
      M.push_back(random_transform(random, 1));
      sum += eigen_determinant(M.back()) < 0 ? -1 : 1;
    }
    EXPECT_EQ(common(M).orientation, sum < 0 ? -1 : 1);
  }
}

TEST(CommonScale, FlattenedBonesCountNeitherInScaleNorOrientation) {
  Mat4x3d flat = identity_transform<double>();
  flat[2] = Vec3d(0.0);
  Mat4x3d mirrored = identity_transform<double>() * 2;
  mirrored[0] = -mirrored[0];
  const CommonScale found = common({flat, flat, mirrored});
  EXPECT_NEAR(found.mean, 2, kRounding);
  EXPECT_EQ(found.orientation, -1);
  EXPECT_EQ(common({flat}).mean, 1);
}

// Thirty joints that move nothing, scaled .01, 100 or -1.
TEST(CommonScale, BonesWithoutWeightDoNotMatter) {
  Random random(3);
  for (const double scale : {.01, 100.0, -1.0, 0.0}) {
    std::vector<Mat4x3d> M = test_rigs::random_rigid_pose(4, random).M;
    const CommonScale expected = common(M);
    std::vector<BoneReach> reach(4, {1, Vec3d(0.0)});
    reach.resize(34);
    M.resize(34, scaled(scale, scale, scale));
    EXPECT_EQ(common_scale(make_pose(M), reach), expected) << scale;
  }
}

TEST(Orientations, AreDecidedPerVertexByTheWeightOfItsBones) {
  const Mat4x3d plain = scaled(1, 1, 1), flat = scaled(1, 1, 0);
  const RiggedMesh mesh = points(4, 2, {0, 1, 1, 0, 0, 1, 1, 0, 2, 0, 2, 1, 2, 0},
                                 {.6, .4, .6, .4, .5, .5, .5, .5, .9, .1, .9, .1, 1, 0});
  for (const Mat4x3d& mirror : {scaled(-1, 1, 1), scaled(2, -2, 2), scaled(1, 1, -.1), scaled(-1, -1, -1)})
    // The last bone moves nothing.
    for (const Mat4x3d& unused : {plain, mirror, flat})
      EXPECT_EQ(orientations(mesh, make_pose({plain, mirror, flat, unused})),
                (std::vector<double>{1, -1, 1, -1, 1, -1, 1}));
}

TEST(Orientations, ASinglyBlendedNegativeDeterminantOfRotationsIsNoMirror) {
  const RiggedMesh mesh = points(3, 3, {0, 1, 2}, {.34, .33, .33});
  // (-1/3) I, about: half turns about the three axes.
  EXPECT_EQ(orientations(mesh, make_pose({scaled(1, -1, -1), scaled(-1, 1, -1), scaled(-1, -1, 1)})),
            std::vector<double>{1});
}

TEST(PoseGroups, AreOneWhereAllBonesScaleAndMirrorAlike) {
  Random random(4);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::sphere(2), 5, 3, random);
  const Binding binding = binding_of(mesh);
  for (const Pose& pose : {test_rigs::random_rigid_pose(5, random),
                           test_rigs::mirrored(test_rigs::random_rigid_pose(5, random))}) {
    const PoseGroups found = pose_groups(binding, pose);
    EXPECT_TRUE(found.of_vertex.empty());
    EXPECT_EQ(found.groups, std::vector<CommonScale>{common_scale(pose, binding.reach)});
  }
}

TEST(PoseGroups, HaveTheScalesOfTheirIslandsAndTheirOwnOrientations) {
  // Two skins of two bones; the second under a root of scale 100 that mirrors.
  const RiggedMesh mesh = points(4, 2, {0, 1, 1, 0, 2, 3, 3, 2}, {.7, .3, 1, 0, .5, .5, 1, 0});
  const Mat4x3d own = scaled(1, 1, 1), other = scaled(-100, 100, 100);
  const PoseGroups found = pose_groups(binding_of(mesh), make_pose({own, own, other, other}));
  ASSERT_EQ(found.groups.size(), 2u);
  EXPECT_EQ(found.of_vertex, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(found.groups[0], (CommonScale{1, 1, 1}));
  EXPECT_NEAR(found.groups[1].middle, 100, 100 * kRounding);
  EXPECT_NEAR(found.groups[1].mean, 100, 100 * kRounding);
  EXPECT_EQ(found.groups[1].orientation, -1);
}

TEST(PoseGroups, PoseWithTooFewBonesIsAnError) {
  EXPECT_THROW(pose_groups(binding_of(points(3, 1, {0}, {1})), rest_pose(2)), InputError);
  EXPECT_THROW(orientations(points(3, 1, {0}, {1}), rest_pose(2)), InputError);
}

}  // namespace
}  // namespace skinlight
