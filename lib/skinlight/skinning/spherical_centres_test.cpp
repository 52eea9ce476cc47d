#include "skinlight/skinning/spherical_centres.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/rig/turn.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/skin.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;

// One set of all bones of the pose, its vertices around `reach`.
BoneSets all_bones(int bones, Vec3d reach) {
  BoneSets sets;
  sets.bones.emplace_back();
  for (int s = 0; s < bones; ++s) sets.bones[0].push_back(s);
  sets.reach = {reach};
  return sets;
}

RigidPose rigid(const std::vector<Mat4x3d>& M) {
  const std::vector<BoneReach> reach(M.size(), BoneReach{1, Vec3d(0.0)});
  return rigid_part(make_pose(M), reach);
}

Vec3d centre(const std::vector<Mat4x3d>& M, Vec3d reach) {
  return spherical_centres(all_bones(static_cast<int>(M.size()), reach), rigid(M))[0];
}

// What a centre minimises: the squared distances between its images.
double spread(const std::vector<Mat4x3d>& M, Vec3d r) {
  double sum = 0;
  for (std::size_t i = 0; i < M.size(); ++i)
    for (std::size_t j = i + 1; j < M.size(); ++j) {
      const Vec3d d = transform_point(M[i], r) - transform_point(M[j], r);
      sum += dot(d, d);
    }
  return sum;
}

TEST(SphericalCentres, OfAHingeIsThePointOfItsAxisNearestToTheReach_KZ05) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const Vec3d joint = random.in_cube(2), axis = random.direction(), reach = random.in_cube(2);
    const Mat4x3d common = test_rigs::random_rigid(random, 3, 2);
    const double angle = random.uniform(.01, 3);
    const Vec3d r = centre({common, compose(common, turn_about(joint, axis, angle))}, reach);
    EXPECT_LT(length(r - (joint + axis * dot(axis, reach - joint))), kRounding / (angle * angle)) << angle;
  }
}

TEST(SphericalCentres, OfAJointOfSeveralBonesIsTheJoint_KZ05) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const Vec3d joint = random.in_cube(2);
    std::vector<Mat4x3d> M;
    for (int s = 0; s < 4; ++s) {
      const Vec3d axis = random.direction();
      const double angle = random.uniform(.5, 2);
      M.push_back(turn_about(joint, axis, random.below(2) ? angle : -angle));
    }
    EXPECT_LT(length(centre(M, random.in_cube(2)) - joint), 1e3 * kRounding);
  }
}

TEST(SphericalCentres, HaveTheSmallestSpreadOfTheirImages_KZ05) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<Mat4x3d> M;
    for (int s = 0; s < 3; ++s) M.push_back(test_rigs::random_rigid(random, 2, 1));
    const Vec3d r = centre(M, random.in_cube(2));
    for (int k = 0; k < 20; ++k) EXPECT_GT(spread(M, r + random.direction() * .1), spread(M, r));
  }
}

// A chain of hinges with parallel axes leaves the direction along them free.
TEST(SphericalCentres, OfParallelAxesStayAtTheHeightOfTheReach) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    const Vec3d axis = random.direction(), reach = random.in_cube(2);
    std::vector<Mat4x3d> M = {identity_transform<double>()};
    for (int s = 0; s < 3; ++s) {
      const Vec3d joint = random.in_cube(1);
      M.push_back(compose(M.back(), turn_about(joint, axis, random.uniform(.2, 1))));
    }
    const Vec3d r = centre(M, reach);
    EXPECT_NEAR(dot(r - reach, axis), 0, 1e3 * kRounding);
    for (int k = 0; k < 20; ++k) EXPECT_GE(spread(M, r + random.direction() * .1), spread(M, r) - kRounding);
  }
}

// Nothing to turn about: the reach of the set.
TEST(SphericalCentres, WithoutAnyAxisAreTheReach) {
  Random random(5);
  const Mat4x3d M = test_rigs::random_rigid(random, 3, 2);
  const Vec3d reach(.3, -2, 1);
  EXPECT_LT(length(centre({M}, reach) - reach), kRounding);
  Mat4x3d apart = M, nearly = compose(M, turn_about({100, 0, 0}, {0, 0, 1}, .9 * kParallelBones));
  apart[3] += Vec3d(1, 2, 3);
  EXPECT_LT(length(centre({M, apart}, reach) - reach), kRounding);
  EXPECT_LT(length(centre({M, M, M}, reach) - reach), kRounding);
  EXPECT_LT(length(centre({M, nearly}, reach) - reach), kRounding);
  const Mat4x3d more = compose(M, turn_about({100, 0, 0}, {0, 0, 1}, 1.1 * kParallelBones));
  EXPECT_LT(length(centre({M, more}, reach) - Vec3d(100, 0, 1)), 1e-4);
}

TEST(SphericalCentres, LiveInTheScaledRestSpace) {
  const Mat4x3d still = identity_transform<double>(), bent = turn_about({1, 2, 0}, {0, 0, 1}, 1);
  const auto scaled = [](Mat4x3d m, double by) {
    for (int c = 0; c < 3; ++c) m[c] = m[c] * by;  // acts on p after scaling it
    return m;
  };
  // turns about (1, 2) in the scaled space
  for (const double by : {100.0, -1.0, -3.0})
    EXPECT_LT(length(centre({scaled(still, by), scaled(bent, by)}, {0, 0, 5}) - Vec3d(1, 2, 5 * by)), 1e-10);
}

TEST(BoneSets, AreTheBonesOfPositiveWeightWhateverTheirOrder) {
  RiggedMesh mesh;
  mesh.p0 = {{0, 0, 0}, {1, 0, 0}, {4, 0, 0}, {0, 1, 0}, {2, 0, 0}};
  mesh.bone_count = 4;
  mesh.slots = 3;
  NormalRecord f;
  f.slots = 3;
  f.bone = {2, 1, 2, 1, 2, 3, 3, 3, 3, 1, 2, 0, 1, 2, 1};  // the last vertex has one of its bones twice
  f.weight = {.6, .4, 0, .5, .5, 0, 1, 0, 0, .4, .3, .3, .3, .4, .3};
  const BoneSets sets = bone_sets(mesh, {f.slots, f.bone, f.weight});
  EXPECT_EQ(sets.bones, (std::vector<std::vector<int>>{{1, 2}, {3}, {0, 1, 2}}));
  EXPECT_EQ(sets.of_vertex, (std::vector<int>{0, 0, 1, 2, 0}));
  EXPECT_EQ(sets.reach, (std::vector<Vec3d>{{1, 0, 0}, {4, 0, 0}, {0, 1, 0}}));
}

// Blended linearly, the quaternions of a hinge that turns by `angle` turn about its joint by twice the angle whose tangent
// is w sin(angle / 2) / (1 - w + w cos(angle / 2)): computed here with Eigen.
TEST(SphericalBlend, VerticesOfAHingeTurnAboutItsJoint_KZ05) {
  Random random(6);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(1, random), 2, 2, random);
  const NormalRecord factors = deform_factors(mesh, Surface(mesh.faces, weld(mesh)));
  const Vec3d joint(.3, -.7, .4), axis = normalize(Vec3d(1, 2, -2));
  const double half = .6;
  const Pose pose = make_pose({identity_transform<double>(), turn_about(joint, axis, 2 * half)});
  const SkinnedMesh<double> posed =
      skin<double>(mesh, factors, pose, {.method = Method::sbs, .mode = NormalMode::standard});
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    double w = 0;
    for (std::size_t k = 0; k < 2; ++k)
      if (mesh.bones_of(v)[k] == 1) w += mesh.weights_of(v)[k];
    const double angle = 2 * std::atan2(w * std::sin(half), 1 - w + w * std::cos(half));
    const Eigen::Vector3d arm = eigen(mesh.p0[static_cast<std::size_t>(v)] - joint),
                          expected = eigen(joint) + Eigen::AngleAxisd(angle, eigen(axis)) * arm;
    EXPECT_LT((eigen(posed.p[static_cast<std::size_t>(v)]) - expected).norm(), 1e3 * kRounding) << v;
  }
}

}  // namespace
}  // namespace skinlight
