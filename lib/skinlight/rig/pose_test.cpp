#include "skinlight/rig/pose.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "skinlight/core/error.h"
#include "skinlight/core/random.h"
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

TEST(Pose, RestIsIdentityWithUnitScale) {
  const Pose pose = rest_pose(3);
  ASSERT_EQ(pose.M.size(), 3u);
  for (const Mat4x3d& m : pose.M)
    for (int c = 0; c < 4; ++c) EXPECT_EQ(m[c], identity_transform<double>()[c]);
  EXPECT_EQ(pose.scale, 1);
  EXPECT_EQ(pose.orientation, 1);
}

TEST(Pose, WithoutBonesHasUnitScale) {
  EXPECT_EQ(make_pose({}).scale, 1);
  EXPECT_EQ(make_pose({}).orientation, 1);
}

TEST(Pose, ScaleIsGeometricMeanOfCubeRootsOfDeterminants) {
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
    EXPECT_NEAR(make_pose(M).scale, expected, kRounding * expected * 1e3);
  }
}

TEST(Pose, ScaleOfExportersIsExact) {
  const Mat4x3d hundred = identity_transform<double>() * 100;
  EXPECT_NEAR(make_pose({hundred, hundred}).scale, 100, 100 * kRounding);
}

TEST(Pose, OrientationIsTheMajorityOfDeterminantSigns) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    std::vector<Mat4x3d> M;
    int sum = 0;
    for (int s = 0; s < 5; ++s) {
      M.push_back(random_transform(random, 1));
      sum += eigen_determinant(M.back()) < 0 ? -1 : 1;
    }
    EXPECT_EQ(make_pose(M).orientation, sum < 0 ? -1 : 1);
  }
}

TEST(Pose, FlattenedBonesCountNeitherInScaleNorOrientation) {
  Mat4x3d flat = identity_transform<double>();
  flat[2] = Vec3d(0.0);
  Mat4x3d mirrored = identity_transform<double>() * 2;
  mirrored[0] = -mirrored[0];
  const Pose pose = make_pose({flat, flat, mirrored});
  EXPECT_NEAR(pose.scale, 2, kRounding);
  EXPECT_EQ(pose.orientation, -1);
  EXPECT_EQ(make_pose({flat}).scale, 1);
}

TEST(Pose, TransformNotFiniteNamesTheBone) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int column = 0; column < 4; ++column) {
      std::vector<Mat4x3d> M(3, identity_transform<double>());
      M[1][column].y = bad;
      try {
        make_pose(M);
        FAIL() << "accepted";
      } catch (const InputError& e) {
        EXPECT_EQ(e.element(), "bone 1");
      }
    }
}

TEST(Pose, PivotMovesNothing) {
  Random random(21);
  for (int round = 0; round < 100; ++round) {
    const Pose pose = test_rigs::random_rigid_pose(5, random);
    const Vec3d pivot = random.in_cube(1e3), p = random.in_cube(1);
    const Pose moved = with_pivot(with_pivot(pose, pivot), Vec3d(1, 2, 3));
    EXPECT_EQ(moved.pivot, pivot + Vec3d(1, 2, 3));
    EXPECT_EQ(moved.scale, pose.scale);
    EXPECT_EQ(moved.orientation, pose.orientation);
    for (std::size_t s = 0; s < 5; ++s) {
      EXPECT_EQ(Mat3d(moved.M[s])[0], Mat3d(pose.M[s])[0]);
      EXPECT_LT(length(transform_point(moved.M[s], p) + moved.pivot - transform_point(pose.M[s], p)), 1e-12);
    }
  }
}

TEST(Pose, CentredTakesTheMeanOfTheBonesOrigins) {
  Random random(22);
  std::vector<Mat4x3d> M;
  for (int s = 0; s < 7; ++s) M.push_back(test_rigs::random_rigid(random, 1, 2));
  for (Mat4x3d& m : M) m[3] += Vec3d(1e6, -2e6, 5e5);
  const Pose pose = centred(make_pose(M));
  Vec3d sum(0.0);
  for (const Mat4x3d& m : pose.M) {
    sum += m[3];
    EXPECT_LT(length(m[3]), 10);
  }
  EXPECT_LT(length(sum), 1e-8);
  EXPECT_TRUE(centred(make_pose({})).M.empty());
}

}  // namespace
}  // namespace skinlight
