#include "skinlight/rig/twist.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "skinlight/core/random.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using Eigen::Matrix4d;
using Eigen::Quaterniond;

constexpr double kRounding = 1e-13;  // of numbers up to 10

Matrix4d as_matrix(const Twist& xi) {
  Matrix4d X;
  X << 0, -xi.turn.z, xi.turn.y, xi.shift.x,  //
      xi.turn.z, 0, -xi.turn.x, xi.shift.y,   //
      -xi.turn.y, xi.turn.x, 0, xi.shift.z,   //
      0, 0, 0, 0;
  return X;
}

struct Motion {
  Quaterniond r;
  Eigen::Vector3d translation;

  Motion(Vec3d axis, double angle, Vec3d t)
      : r(Eigen::AngleAxisd(angle, Eigen::Vector3d(axis.x, axis.y, axis.z))), translation(t.x, t.y, t.z) {}
  Matrix4d matrix() const {
    Matrix4d M = Matrix4d::Identity();
    M.topLeftCorner<3, 3>() = r.toRotationMatrix();
    M.topRightCorner<3, 1>() = translation;
    return M;
  }
  DualQuat dual_quat(double sign = 1) const {
    const Quaterniond d(.5 *
                        (Quaterniond(0, translation.x(), translation.y(), translation.z()) * r).coeffs());
    const auto quat = [&](const Quaterniond& q) {
      return Quat{sign * q.x(), sign * q.y(), sign * q.z(), sign * q.w()};
    };
    return {quat(r), quat(d)};
  }
};

// Angles of every size up to and at half a turn, and beyond.
double random_angle(Random& random) {
  switch (random.below(4)) {
    case 0:
      return std::pow(10, random.uniform(-18, 0));
    case 1:
      return M_PI - std::pow(10, random.uniform(-18, 0));
    case 2:
      return M_PI + std::pow(10, random.uniform(-18, 0));
    default:
      return random.uniform(0, 2 * M_PI);
  }
}

TEST(LogOf, ExponentialGivesTheMotionBackForEveryAngle_Alexa02) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    const double angle = random_angle(random);
    const Motion motion{random.direction(), angle, random.in_cube(3)};
    for (const double sign : {1.0, -1.0}) {
      const Twist xi = log_of(motion.dual_quat(sign));
      EXPECT_LT((as_matrix(xi).exp() - motion.matrix()).norm(), 10 * kRounding) << angle;
      EXPECT_LE(length(xi.turn), M_PI + 2.1 * kHalfTurn);
    }
  }
}

TEST(LogOf, IsTheMatrixLogarithm_Alexa02) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const Motion motion{random.direction(), random.uniform(-3, 3), random.in_cube(3)};
    const Matrix4d expected = motion.matrix().log();
    EXPECT_LT((as_matrix(log_of(motion.dual_quat())) - expected).norm(), 100 * kRounding);
  }
}

TEST(LogOf, IdentityAndTranslationsAreTheirOwnLogarithms) {
  for (const double sign : {1.0, -1.0}) {
    const Twist xi = log_of(Motion({0, 0, 1}, 0, {1, 2, 3}).dual_quat(sign));
    EXPECT_EQ(xi.turn, Vec3d(0.0));
    EXPECT_EQ(xi.shift, Vec3d(1, 2, 3));
  }
}

TEST(LogOf, OppositeQuaternionsHaveTheSameLogarithm) {
  Random random(3);
  for (int round = 0; round < 1000; ++round) {
    const Motion motion{random.direction(), random_angle(random), random.in_cube(3)};
    const Twist a = log_of(motion.dual_quat(1)), b = log_of(motion.dual_quat(-1));
    EXPECT_EQ(a.turn, b.turn);
    EXPECT_EQ(a.shift, b.shift);
  }
}

TEST(LogOf, HalfATurnKeepsItsAxisUnderRoundingOnBothSides) {
  Random random(4);
  std::vector<Vec3d> axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, -1}, {1, -1, 0}, {-1, 0, 1}, {1, 1, -1}};
  for (int i = 0; i < 100; ++i) axes.push_back(random.direction());
  for (const Vec3d& any : axes) {
    const Vec3d axis = normalize(any);
    const Twist exact = log_of(Motion(axis, M_PI, {0, 0, 0}).dual_quat());
    for (int round = 0; round < 20; ++round) {
      const Vec3d noisy = normalize(axis + random.in_cube(1e-7));
      const double side = random.below(2) == 0 ? 1 : -1;
      const Motion motion(noisy, side * (M_PI + random.uniform(-1e-6, 1e-6)), {0, 0, 0});
      EXPECT_LT(length(log_of(motion.dual_quat()).turn - exact.turn), 1e-5);
    }
  }
}

// Of a motion beyond half a turn the shorter way round: 181 degrees is 179 backwards.
TEST(LogOf, TakesTheShorterWayRound) {
  const double degree = M_PI / 180;
  EXPECT_LT(
      length(log_of(Motion({0, 0, 1}, 179 * degree, {0, 0, 0}).dual_quat()).turn - Vec3d(0, 0, 179 * degree)),
      kRounding);
  EXPECT_LT(
      length(log_of(Motion({0, 0, 1}, 181 * degree, {0, 0, 0}).dual_quat()).turn + Vec3d(0, 0, 179 * degree)),
      kRounding);
}

// Matrices from files: rounding leaves traces beyond 3, where an arc cosine has no value, and below -1.
TEST(LogOf, SurvivesTracesOutOfRangeByRounding) {
  Random random(5);
  for (const double angle : {0.0, M_PI})
    for (int round = 0; round < 300; ++round) {
      Mat4x3d M = test_rigs::transform(test_rigs::rotation(random.direction(), angle), {1, 2, 3});
      for (int c = 0; c < 3; ++c) M[c] = M[c] + random.in_cube(1e-7);
      if (angle == 0) M[0].x = M[1].y = M[2].z = 1 + 1e-7;
      const BoneReach reach{1, {0, 0, 0}};
      const Twist xi = log_of(rigid_part(make_pose({M}), {&reach, 1}).bones[0]);
      ASSERT_TRUE(is_finite(xi.turn) && is_finite(xi.shift));
      EXPECT_NEAR(length(xi.turn), angle, 1e-6);
      const Eigen::Vector3d translation = as_matrix(xi).exp().topRightCorner<3, 1>();
      EXPECT_LT((translation - Eigen::Vector3d(1, 2, 3)).norm(), 1e-6);
    }
}

}  // namespace
}  // namespace skinlight
