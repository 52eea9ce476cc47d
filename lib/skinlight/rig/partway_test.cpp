#include "skinlight/rig/partway.h"

#include <gtest/gtest.h>

#include "skinlight/core/error.h"
#include "skinlight/core/random.h"
#include "skinlight/rig/turn.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;  // of coordinates of size 1 after some ten operations

void expect_near(const Mat4x3d& a, const Mat4x3d& b) {
  for (int c = 0; c < 4; ++c) EXPECT_LT(length(a[c] - b[c]), kRounding);
}

TEST(Partway, ATurnAboutAPointKeepsTurningAboutIt) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    const Vec3d pivot = random.in_cube(2), axis = random.direction();
    const double angle = random.uniform(0.1, 3.0), share = random.uniform();
    const Pose pose = make_pose({turn_about(pivot, axis, angle)});
    expect_near(partway(pose, share).M[0], turn_about(pivot, axis, share * angle));
  }
}

TEST(Partway, RepeatingAnEqualShareLeadsToThePose) {
  Random random(12);
  for (int round = 0; round < 200; ++round) {
    const Vec3d centre = random.in_cube(1), axis = random.direction();
    Mat4x3d M = turn_about(centre, axis, random.uniform(0, 3));
    M[3] += random.in_cube(1);  // slides along the axis too
    const Pose pose = make_pose({M});
    const Mat4x3d third = partway(pose, 1.0 / 3).M[0];
    expect_near(compose(third, compose(third, third)), M);
    expect_near(partway(pose, 0).M[0], identity_transform<double>());
  }
}

TEST(Partway, APureTranslationIsLinear) {
  Mat4x3d M = identity_transform<double>();
  M[3] = Vec3d(3, -2, 1);
  EXPECT_LT(length(partway(make_pose({M}), 0.25).M[0][3] - Vec3d(0.75, -0.5, 0.25)), kRounding);
}

TEST(Partway, ABoneThatIsNotRigidIsNamed) {
  Mat4x3d scaled = identity_transform<double>();
  scaled[0] = Vec3d(2, 0, 0);
  try {
    partway(make_pose({identity_transform<double>(), scaled}), 0.5);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), "bone 1");
  }
}

}  // namespace
}  // namespace skinlight
