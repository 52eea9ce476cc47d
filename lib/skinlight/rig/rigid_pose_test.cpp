// Rigid parts of poses, against matrices rebuilt by Eigen.
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/core/detail/eigen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "testing/rigs.h"

namespace skinlight {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using testing::HasSubstr;

constexpr double kRounding = 1e-12;  // products of numbers up to 100 in double, relative

Quaterniond eigen(const Quat& q) { return Quaterniond(q[3], q[0], q[1], q[2]); }

// Where the motion takes scale * x.
Vector3d moved(const DualQuat& q, double scale, Vec3d x) {
  const Quaterniond r = eigen(q.r);
  return r * (scale * eigen(x)) + 2 * (eigen(q.d) * r.conjugate()).vec();
}

std::vector<BoneReach> everywhere(std::size_t bones) {
  return std::vector<BoneReach>(bones, {1, Vec3d(0.0)});
}

TEST(RigidPart, RebuildsRigidBonesWithScaleAndMirror) {
  Random random(1);
  for (const double scale : {1.0, 100.0, 351.9, .01})
    for (const bool mirror : {false, true})
      for (int round = 0; round < 100; ++round) {
        Pose pose = test_rigs::random_rigid_pose(5, random, M_PI, 2);
        for (Mat4x3d& m : pose.M)
          for (int c = 0; c < 3; ++c) m[c] = m[c] * scale;
        pose = make_pose(pose.M);
        if (mirror) pose = test_rigs::mirrored(pose);
        const RigidPose rigid = rigid_part(pose, everywhere(5));
        EXPECT_NEAR(rigid.scale, mirror ? -scale : scale, kRounding * scale);
        EXPECT_TRUE(rigid.warnings.empty());
        for (std::size_t s = 0; s < 5; ++s) {
          EXPECT_NEAR(eigen(rigid.bones[s].r).norm(), 1, kRounding);
          EXPECT_NEAR(eigen(rigid.bones[s].r).dot(eigen(rigid.bones[s].d)), 0, kRounding);  // unit dual
          const Vec3d x = random.in_cube(2);
          EXPECT_LT((moved(rigid.bones[s], rigid.scale, x) - eigen(transform_point(pose.M[s], x))).norm(),
                    10 * kRounding * (1 + scale));
        }
      }
}

TEST(RigidPart, NearestRotationIsThePolarFactor) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const Mat4x3d M = test_rigs::random_affine(random, .8);
    Matrix3d A;
    A << eigen(M[0]), eigen(M[1]), eigen(M[2]);
    if (A.determinant() < .1) continue;
    const Eigen::JacobiSVD<Matrix3d> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const RigidPose rigid = rigid_part(make_pose({M}), everywhere(1));
    EXPECT_LT((eigen(rigid.bones[0].r).toRotationMatrix() - svd.matrixU() * svd.matrixV().transpose()).norm(),
              1e-10);
  }
}

TEST(RigidPart, NearestRotationIsThePolarFactorHoweverFarBonesAreFromRigid) {
  Random random(5);
  for (const double departure : {0.0, 1e-9, 1e-5, 1e-3, .03, .1, .2, .4})
    for (int round = 0; round < 50; ++round) {
      Mat4x3d M = test_rigs::random_rigid_pose(1, random, M_PI, 2).M[0];
      for (int c = 0; c < 3; ++c) M[c] = (M[c] + random.in_cube(departure)) * 3.0;
      Matrix3d A;
      A << eigen(M[0]), eigen(M[1]), eigen(M[2]);
      const Eigen::JacobiSVD<Matrix3d> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
      const RigidPose rigid = rigid_part(make_pose({M}), everywhere(1));
      EXPECT_LT(
          (eigen(rigid.bones[0].r).toRotationMatrix() - svd.matrixU() * svd.matrixV().transpose()).norm(),
          1e-12)
          << departure;
    }
}

// Mirrored bones among others, whose reflection makes a direction that is not the nearest one an exact eigenvector.
TEST(RigidPart, NearestRotationOfAMirroredBoneIsTheBestOfAll) {
  Random random(6);
  for (int round = 0; round < 100; ++round) {
    const double angle = random.uniform(0, 2 * M_PI), squash = random.uniform(-.9, -.4);
    const Matrix3d turn = Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
    const Matrix3d A = turn * Vector3d(1, squash, .2).asDiagonal() * turn.transpose();
    Mat4x3d M = test_rigs::random_rigid_pose(1, random).M[0];
    const Pose others = test_rigs::random_rigid_pose(3, random);
    for (int c = 0; c < 3; ++c) M[c] = vec(A.col(c));
    const RigidPose rigid = rigid_part(make_pose({others.M[0], others.M[1], others.M[2], M}), everywhere(4));
    const Eigen::JacobiSVD<Matrix3d> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double best = svd.singularValues()[0] + svd.singularValues()[1] - svd.singularValues()[2];
    EXPECT_NEAR((eigen(rigid.bones[3].r).toRotationMatrix().transpose() * A).trace(), best, 1e-12);
  }
}

TEST(RigidPart, BonesThatAreNotRigidKeepTheCentreOfTheirReachAndAreOneWarning) {
  Random random(3);
  Pose pose = test_rigs::random_rigid_pose(6, random);
  for (int c = 0; c < 3; ++c) pose.M[2][c] = pose.M[2][c] * 1.5;  // own scale
  pose.M[4][0] += Vec3d(.2, .1, 0);                               // shear
  for (int c = 0; c < 4; ++c) pose.M[5][c].x = -pose.M[5][c].x;   // mirrored alone
  std::vector<BoneReach> reach;
  for (int s = 0; s < 6; ++s) reach.push_back({1, random.in_cube(3)});
  const RigidPose rigid = rigid_part(make_pose(pose.M), reach);
  ASSERT_EQ(rigid.warnings.size(), 1u);
  EXPECT_EQ(rigid.warnings[0].element, "bone 2");
  EXPECT_EQ(rigid.warnings[0].count, 3);
  EXPECT_THAT(rigid.warnings[0].reason, HasSubstr("nearest rotation"));
  EXPECT_NEAR(rigid.scale, 1, kRounding);
  for (std::size_t s = 0; s < 6; ++s) {
    const Vec3d centre = reach[s].centre;
    EXPECT_LT((moved(rigid.bones[s], 1, centre) - eigen(transform_point(pose.M[s], centre))).norm(),
              10 * kRounding)
        << s;
  }
}

// Controls and end bones move no vertex: their scales must not count.
TEST(RigidPart, BonesThatMoveNothingDoNotMatter) {
  Random random(4);
  Pose pose = test_rigs::random_rigid_pose(5, random);
  for (std::size_t s = 2; s < 5; ++s)
    for (int c = 0; c < 3; ++c) pose.M[s][c] = pose.M[s][c] * 7;
  std::vector<BoneReach> reach = everywhere(5);
  for (std::size_t s = 2; s < 5; ++s) reach[s].weight = 0;
  const RigidPose rigid = rigid_part(make_pose(pose.M), reach);
  EXPECT_NEAR(rigid.scale, 1, kRounding);
  EXPECT_TRUE(rigid.warnings.empty());
  EXPECT_EQ(rigid.bones.size(), 5u);
}

// Of an even number the middle scale nearer to 1, so that one scaled bone of two is the one that is not rigid.
TEST(RigidPart, OfTwoBonesTheScaledOneIsNotRigid) {
  for (const double scale : {1.5, .5, 3.0, .1})
    for (const std::size_t scaled : {0u, 1u}) {
      std::vector<Mat4x3d> M(2, identity_transform<double>());
      for (int c = 0; c < 3; ++c) M[scaled][c] = M[scaled][c] * scale;
      const RigidPose rigid = rigid_part(make_pose(M), everywhere(2));
      EXPECT_EQ(rigid.scale, 1);
      ASSERT_EQ(rigid.warnings.size(), 1u);
      EXPECT_EQ(rigid.warnings[0].element, "bone " + std::to_string(scaled));
      EXPECT_EQ(rigid.warnings[0].count, 1);
    }
}

// Two skins in one file, one under a scaled or mirrored root: each is rigid by its own measure.
TEST(RigidPart, IslandsOfBonesAreMeasuredApart) {
  Random random(7);
  for (const double scale : {100.0, .01, -1.0, -3.0}) {
    Pose pose = test_rigs::random_rigid_pose(6, random);
    std::vector<BoneReach> reach = everywhere(6);
    for (std::size_t s = 3; s < 6; ++s) {
      reach[s].island = 1;
      for (int c = 0; c < 3; ++c) pose.M[s][c] = pose.M[s][c] * scale;
    }
    EXPECT_TRUE(rigid_part(pose, reach).warnings.empty()) << scale;
    for (BoneReach& bone : reach) bone.island = 0;
    EXPECT_EQ(rigid_part(pose, reach).warnings.size(), 1u) << scale;
  }
}

// Whatever the order of the bones.
TEST(RigidPart, ScaleIsTheMedianOfTheBones) {
  Random random(6);
  for (const std::vector<double>& scales :
       {std::vector{1.0, 5.0, 2.0},
        {5.0, 2.0, 1.0},
        {2.0, 1.0, 5.0, 3.0, 1.5},
        // of an even number the one of both in the middle that is nearer to 1
        {3.0, .5, 2.0, 7.0},
        {1.0, 8.0, 2.0, 6.0, 4.0, 1.5}}) {
    Pose pose = test_rigs::random_rigid_pose(static_cast<int>(scales.size()), random);
    for (std::size_t s = 0; s < scales.size(); ++s)
      for (int c = 0; c < 3; ++c) pose.M[s][c] = pose.M[s][c] * scales[s];
    EXPECT_NEAR(rigid_part(make_pose(pose.M), everywhere(scales.size())).scale, 2, kRounding);
  }
}

TEST(RigidPart, FlattenedBonesStayFinite) {
  Mat4x3d flat = identity_transform<double>(), point = flat;
  flat[2] = point[0] = point[1] = point[2] = Vec3d(0.0);
  for (const std::vector<Mat4x3d>& M :
       {std::vector{flat, point}, {point, point}, {identity_transform<double>(), point}}) {
    const RigidPose rigid = rigid_part(make_pose(M), everywhere(2));
    for (const DualQuat& q : rigid.bones) {
      EXPECT_NEAR(eigen(q.r).norm(), 1, kRounding);
      EXPECT_TRUE(std::isfinite(eigen(q.d).norm()));
    }
  }
}

TEST(RigidPart, PoseWithTooFewBonesIsAnError) {
  EXPECT_THROW(rigid_part(rest_pose(2), everywhere(3)), InputError);
}

}  // namespace
}  // namespace skinlight
