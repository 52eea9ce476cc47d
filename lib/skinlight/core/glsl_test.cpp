// Every operation against Eigen on random data.
#include "skinlight/core/glsl.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/random.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-14;  // sums of up to four products of values below 2, in double
constexpr int kRounds = 200;

using Matrix34 = Eigen::Matrix<double, 3, 4>;

template <class A, class B>
void expect_near(const A& actual, const B& expected) {
  EXPECT_LE((eigen(actual) - expected).cwiseAbs().maxCoeff(), kRounding);
}

Mat3d random_matrix(Random& random) { return {random.in_cube(2), random.in_cube(2), random.in_cube(2)}; }

Mat4x3d random_transform(Random& random) {
  return {random.in_cube(2), random.in_cube(2), random.in_cube(2), random.in_cube(2)};
}

TEST(Glsl, Vec2ArithmeticIsComponentwise) {
  Random random(1);
  for (int round = 0; round < kRounds; ++round) {
    const Vec2d a{random.uniform(-1, 1), random.uniform(-1, 1)},
        b{random.uniform(-1, 1), random.uniform(-1, 1)};
    const double s = random.uniform(-1, 1);
    EXPECT_EQ(a + b, Vec2d(a.x + b.x, a.y + b.y));
    EXPECT_EQ(a - b, Vec2d(a.x - b.x, a.y - b.y));
    EXPECT_EQ(a * s, Vec2d(a.x * s, a.y * s));
    EXPECT_FALSE(a == Vec2d(a.x, a.y + 1));
    EXPECT_FALSE(a == Vec2d(a.x + 1, a.y));
  }
}

TEST(Glsl, Vec3ArithmeticEqualsEigen) {
  Random random(2);
  for (int round = 0; round < kRounds; ++round) {
    const Vec3d a = random.in_cube(2), b = random.in_cube(2);
    const double s = random.uniform(.5, 2);
    expect_near(a + b, eigen(a) + eigen(b));
    expect_near(a - b, eigen(a) - eigen(b));
    expect_near(-a, -eigen(a));
    expect_near(a * s, eigen(a) * s);
    expect_near(s * a, s * eigen(a));
    expect_near(a / s, eigen(a) / s);
    expect_near(cross(a, b), eigen(a).cross(eigen(b)));
    expect_near(normalize(a), eigen(a).normalized());
    EXPECT_NEAR(dot(a, b), eigen(a).dot(eigen(b)), kRounding);
    EXPECT_NEAR(length(a), eigen(a).norm(), kRounding);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(a[i], eigen(a)[i]);
    Vec3d c = a;
    c += b;
    c -= a * 2;
    c *= s;
    expect_near(c, (eigen(b) - eigen(a)) * s);
  }
}

TEST(Glsl, Vec3ComponentsCanBeAssigned) {
  Vec3d v(7.0);
  EXPECT_EQ(v, Vec3d(7, 7, 7));
  for (int i = 0; i < 3; ++i) v[i] = i;
  EXPECT_EQ(v, Vec3d(0, 1, 2));
  for (int i = 0; i < 3; ++i) {
    Vec3d w = v;
    w[i] += 1;
    EXPECT_FALSE(v == w);
  }
  EXPECT_EQ(Vec3f(v), Vec3f(0, 1, 2));
}

TEST(Glsl, MatricesEqualEigen) {
  Random random(3);
  for (int round = 0; round < kRounds; ++round) {
    const Mat3d a = random_matrix(random), b = random_matrix(random);
    const Vec3d v = random.in_cube(2);
    expect_near(a + b, eigen(a) + eigen(b));
    expect_near(a * 1.5, eigen(a) * 1.5);
    expect_near(a * v, eigen(a) * eigen(v));
    expect_near(a * b, eigen(a) * eigen(b));
    expect_near(transpose(a), eigen(a).transpose());
    EXPECT_NEAR(determinant(a), eigen(a).determinant(), 10 * kRounding);
  }
}

TEST(Glsl, AffineMapsEqualEigen) {
  Random random(4);
  for (int round = 0; round < kRounds; ++round) {
    const Mat4x3d a = random_transform(random), b = random_transform(random);
    const Vec3d p = random.in_cube(2);
    expect_near(a + b, eigen(a) + eigen(b));
    expect_near(a * 1.5, eigen(a) * 1.5);
    expect_near(Mat3d(a), eigen(a).leftCols<3>());
    expect_near(transform_point(a, p), eigen(a) * eigen(p).homogeneous());
    Eigen::Matrix4d after = Eigen::Matrix4d::Identity();
    after.topRows<3>() = eigen(b);
    expect_near(compose(a, b), eigen(a) * after);
    expect_near(compose(a, identity_transform<double>()), eigen(a));
    expect_near(compose(identity_transform<double>(), a), eigen(a));
    const Mat4x3f narrow(a);
    for (int c = 0; c < 4; ++c)
      for (int i = 0; i < 3; ++i) EXPECT_EQ(narrow[c][i], static_cast<float>(a[c][i]));
  }
}

TEST(Glsl, ScalarBuiltinsWorkInBothPrecisions) {
  EXPECT_EQ(inversesqrt(4.0), .5);
  EXPECT_EQ(inversesqrt(4.0f), .5f);
  EXPECT_EQ(select(true, 1.0, 2.0), 1.0);
  EXPECT_EQ(select(false, 1.0f, 2.0f), 2.0f);
  EXPECT_EQ(select(true, Vec3d(1.0), Vec3d(2.0)), Vec3d(1.0));
  EXPECT_EQ(select(false, Vec3d(1.0), Vec3d(2.0)), Vec3d(2.0));
}

TEST(Glsl, IsFiniteSeesEveryComponent) {
  Random random(5);
  const Mat4x3d good = random_transform(random);
  EXPECT_TRUE(is_finite(good));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int c = 0; c < 4; ++c)
      for (int i = 0; i < 3; ++i) {
        Mat4x3d m = good;
        m[c][i] = bad;
        EXPECT_FALSE(is_finite(m));
        EXPECT_FALSE(is_finite(m[c]));
      }
}

}  // namespace
}  // namespace skinlight
