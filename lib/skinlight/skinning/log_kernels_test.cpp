// What is particular to log-matrix blending: exponential, left Jacobian, logarithms near 0 and near half a
// turn.
#include <gtest/gtest.h>

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "skinlight/core/dual.h"
#include "skinlight/core/random.h"
#include "skinlight/skinning/kernel_table.h"
#include "testing/rigid_vertex.h"

namespace skinlight {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using test_rigid_vertex::RandomVertex;

constexpr double kRounding = 1e-12;
using K1 = Kernels<double, 1>;

Matrix4d as_matrix(const K1::Twist& xi) {
  Matrix4d X;
  X << 0, -xi.turn.z, xi.turn.y, xi.shift.x,  //
      xi.turn.z, 0, -xi.turn.x, xi.shift.y,   //
      -xi.turn.y, xi.turn.x, 0, xi.shift.z,   //
      0, 0, 0, 0;
  return X;
}
Vector4d homogeneous(Vec3d v, double w) { return {v.x, v.y, v.z, w}; }

// Angles of every size up to half a turn, tiny ones too.
K1::Twist random_twist(Random& random) {
  const double angle = random.below(2) == 0 ? random.uniform(0, M_PI) : std::pow(10, random.uniform(-20, 0));
  return {random.direction() * angle, random.in_cube(2)};
}

TEST(LogSeries, AreTheCoefficientsOfTheLeftJacobian) {
  for (const double angle : {.5, 1.0, 2.0, 3.0, M_PI}) {
    const double x = angle * angle, c = std::cos(angle), s = std::sin(angle);
    EXPECT_NEAR(K1().exp_series(x, 2), 2 * (1 - c) / x, 1e-15);
    EXPECT_NEAR(K1().exp_series(x, 3), 6 * (angle - s) / (angle * x), 1e-14);
    // d/dx = d/dangle / (2 angle)
    EXPECT_NEAR(K1().exp_series_slope(x, 2), (s * angle - 2 * (1 - c)) / (x * x), 1e-14);
    EXPECT_NEAR(K1().exp_series_slope(x, 3), 3 * ((1 - c) * angle - 3 * (angle - s)) / (x * x * angle),
                1e-13);
  }
  EXPECT_EQ(K1().exp_series(0, 2), 1);
  EXPECT_EQ(K1().exp_series(0, 3), 1);
  EXPECT_DOUBLE_EQ(K1().exp_series_slope(0, 2), -2.0 / 24);
  EXPECT_DOUBLE_EQ(K1().exp_series_slope(0, 3), -6.0 / 120);
}

TEST(LogExponential, IsTheMatrixExponential) {
  Random random(1);
  for (int round = 0; round < 1000; ++round) {
    const K1::Twist xi = random_twist(random);
    const Matrix4d expected = as_matrix(xi).exp();
    const auto m = K1().log_exponential(xi);
    for (int c = 0; c < 3; ++c)
      EXPECT_LT((eigen(m.R[c]) - expected.col(c).head<3>()).norm(), 1e-14) << length(xi.turn);
    EXPECT_LT((eigen(m.translation) - expected.col(3).head<3>()).norm(), 1e-14) << length(xi.turn);
  }
}

// exp [X E; 0 X] = [exp X, derivative of exp at X along E; 0, exp X], an 8x8 matrix: independent of every
// formula here.
TEST(LogExact, IsTheDerivativeOfTheMatrixExponential) {
  using K2 = Kernels<double, 2>;
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    const K1::Twist a = random_twist(random), b = random_twist(random);
    K2::TwistInfluences x{{.75, .25}, {{a.turn, a.shift}, {b.turn, b.shift}}};
    K2::DeformFactors f{{0, random.uniform(-1, 1)}, {0, random.uniform(-1, 1)}};
    const K2::RestVertex rest{random.in_cube(2), random.direction(), random.direction(), random.direction()};
    Eigen::Matrix<double, 8, 8> block = Eigen::Matrix<double, 8, 8>::Zero();
    const Matrix4d A = as_matrix(a), B = as_matrix(b);
    block.topLeftCorner<4, 4>() = block.bottomRightCorner<4, 4>() = .75 * A + .25 * B;
    block.topRightCorner<4, 4>() = f.alpha[1] * (B - A);
    const Eigen::Matrix<double, 8, 8> exponential = block.exp();
    const Vector3d t = (exponential.topLeftCorner<4, 4>() * homogeneous(rest.t, 0) +
                        exponential.topRightCorner<4, 4>() * homogeneous(rest.p, 1))
                           .head<3>();
    EXPECT_LT((eigen(K2().turned(K2().log_exact(x, f, rest.p), rest).t) - t).norm(), kRounding);
  }
}

// From the identity up to tiny turns: no division by the angle anywhere.
TEST(LogExact, SurvivesTheIdentityAndTinyTurns) {
  using D = Dual<double>;
  Random random(3);
  for (const double angle : {0.0, 1e-300, 1e-160, 1e-20, 1e-8, 1e-5, 1e-3}) {
    RandomVertex<4> v(random);
    for (auto& r : v.r) r = Eigen::AngleAxisd(angle, eigen(random.direction()));
    auto in = v.as<D>();
    for (int s = 0; s < 4; ++s) in.twists.w[s].d = v.alpha[s];
    for (int i = 0; i < 3; ++i) in.rest.p[i].d = v.t[i];
    const Vec3<D> p = Kernels<D, 4>().log_position(in.twists, in.rest.p);
    const auto plain = v.as<double>();
    Kernels<double, 4> k;
    const auto posed = k.turned(k.log_exact(plain.twists, plain.f, plain.rest.p), plain.rest);
    EXPECT_LT(length(posed.t - Vec3d(p.x.d, p.y.d, p.z.d)), kRounding) << angle;
    if (angle > 1e-8) continue;
    Vector3d linear = eigen(v.t);  // pure translations: linear blending
    for (int s = 0; s < 4; ++s) linear += v.alpha[s] * v.translation[s];
    EXPECT_LT((eigen(posed.t) - linear).norm(), 1e-6);
  }
}

// Two bones at half a turn about one axis, from matrices that rounding has thrown to both sides of it: their
// blend is that half turn, not the identity.
TEST(LogBlend, HalfTurnsOnBothSidesOfPiBlendToAHalfTurn) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    RandomVertex<2> v(random);
    const Vec3d axis = random.direction();
    v.r[0] = Eigen::AngleAxisd(M_PI - 1e-7, eigen(axis));
    v.r[1] = Eigen::AngleAxisd(-M_PI + 1e-7, eigen(axis));  // the other side, seen from the same axis
    v.translation[0] = v.translation[1] = Vector3d::Zero();
    const auto in = v.as<double>();
    const auto turned = Kernels<double, 2>().log_position(in.twists, v.p);
    EXPECT_LT((eigen(turned) - v.moved(0)).norm(), 1e-6);
  }
}

}  // namespace
}  // namespace skinlight
