#include "skinlight/rig/typical_poses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/error.h"
#include "skinlight/rig/turn.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;

// Two joints, one metre apart along x.
Skeleton arm() {
  Skeleton arm;
  arm.nodes.resize(2);
  arm.nodes[1].parent = 0;
  arm.nodes[1].translation = {1, 0, 0};
  arm.bone_node = {0, 1};
  arm.inverse_bind = {identity_transform<double>(), identity_transform<double>()};
  arm.inverse_bind[1][3] = {-1, 0, 0};
  return arm;
}

Clip turning() {
  Clip clip{"turn", 2, {}};
  clip.channels.push_back({1, Path::rotation, Interpolation::linear, {0, 2}, {0, 0, 0, 1, 0, 0, 1, 0}});
  return clip;  // half a turn about z in two seconds
}

TEST(ClipPoses, AreTakenAtTheMiddlesOfEvenParts) {
  const Clip clip = turning();
  const std::vector<Pose> poses = clip_poses(arm(), std::vector{clip, clip}, 3);
  ASSERT_EQ(poses.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    const Mat4x3d expected = turn_about({1, 0, 0}, {0, 0, 1}, M_PI * (static_cast<double>(k % 3) + .5) / 3);
    for (int c = 0; c < 4; ++c) EXPECT_LT(length(poses[k].M[1][c] - expected[c]), kRounding);
  }
  EXPECT_THROW(clip_poses(arm(), std::vector{clip}, 0), InputError);
}

TEST(RandomJointPoses, TurnEveryJointAboutItsOwnPlaceWithinTheAngle) {
  constexpr double kAngle = .7;
  double widest = 0;
  for (const Pose& pose : random_joint_poses(arm(), 200, kAngle, 5)) {
    const Vec3d elbow(1, 0, 0);
    // Both bones agree where they meet, and the root turns about the origin.
    EXPECT_LT(length(transform_point(pose.M[0], elbow) - transform_point(pose.M[1], elbow)), kRounding);
    EXPECT_LT(length(pose.M[0][3]), kRounding);
    const Mat3d R(pose.M[0]);
    const double angle = std::acos(std::min(1.0, (R[0].x + R[1].y + R[2].z - 1) / 2));
    widest = std::max(widest, angle);
    EXPECT_LT(angle, kAngle);
    EXPECT_GT(length(pose.M[1][0] - pose.M[0][0]) + length(pose.M[1][1] - pose.M[0][1]), 1e-6);
  }
  EXPECT_GT(widest, .9 * kAngle);
}

TEST(RandomJointPoses, AreTheSameForOneSeedOnly) {
  const auto first_of = [](std::uint64_t seed) { return random_joint_poses(arm(), 1, 1, seed)[0].M[1][0]; };
  EXPECT_EQ(first_of(1), first_of(1));
  EXPECT_FALSE(first_of(1) == first_of(2));
}

TEST(RandomJointPoses, KeepNodesThatAMatrixPlaces) {
  Skeleton fixed = arm();
  fixed.nodes[0].has_matrix = true;
  fixed.nodes[0].matrix[3] = {0, 0, 2};
  const Pose pose = random_joint_poses(fixed, 1, 1, 3)[0];
  EXPECT_EQ(pose.M[0][0], Vec3d(1, 0, 0));
  EXPECT_EQ(pose.M[0][3], Vec3d(0, 0, 2));
}

TEST(RandomJointPoses, BonesOfNoNodeAreAnError) {
  constexpr int kFarBeyond = 100'000'000;  // memory that nobody has
  for (const int node : {-kFarBeyond, kFarBeyond}) {
    Skeleton broken = arm();
    broken.bone_node[1] = node;
    EXPECT_THROW(random_joint_poses(broken, 1, 1, 3), InputError) << node;
  }
}

}  // namespace
}  // namespace skinlight
