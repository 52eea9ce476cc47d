// The ways to interpolate transformations, against closed forms.
#include "repro/study/transformations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/error.h"
#include "skinlight/core/random.h"

namespace skinlight::repro {
namespace {

using Eigen::Matrix3d, Eigen::Matrix4d, Eigen::Quaterniond, Eigen::Vector3d;

// Products of a handful of 4x4 matrices and one logarithm, of entries around 1.
constexpr double kRounding = 1e-12;

Vector3d direction(Random& random) {
  const Vec3d d = random.direction();
  return {d.x, d.y, d.z};
}

Quaterniond rotation(Random& random, double most = 3) {
  const Vector3d axis = direction(random);
  return Quaterniond(Eigen::AngleAxisd(random.uniform(0, most), axis));
}

Matrix4d motion(const Quaterniond& q, const Vector3d& t) {
  Matrix4d M = Matrix4d::Identity();
  M.topLeftCorner<3, 3>() = q.toRotationMatrix();
  M.topRightCorner<3, 1>() = t;
  return M;
}

Matrix4d any_motion(Random& random, double most_radians, double reach) {
  const Vector3d shift = reach * direction(random);
  return motion(rotation(random, most_radians), shift);
}

double difference(const Matrix4d& a, const Matrix4d& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(Transformations, SlerpTurnsByEqualAnglesAlongTheShorterArc) {
  Random random(11);
  for (int trial = 0; trial < 50; ++trial) {
    const Quaterniond a = rotation(random);
    Quaterniond b = rotation(random);
    const double whole = rotation_between(a, b), t = random.uniform();
    if (trial % 2) b.coeffs() = -b.coeffs();
    EXPECT_NEAR(rotation_between(a, slerp(a, b, t)), t * whole, kRounding);
    EXPECT_NEAR(rotation_between(slerp(a, b, t), b), (1 - t) * whole, kRounding);
    EXPECT_NEAR(rotation_between(slerp(a, b, t), Quaterniond(a.slerp(t, b))), 0, 1e-7);  // acos in Eigen
    EXPECT_NEAR(rotation_between(qlerp(a, b, 0.5), slerp(a, b, 0.5)), 0, kRounding);
  }
}

TEST(Transformations, QuaternionLogIsHalfTheRotationVectorAndExpUndoesIt) {
  Random random(12);
  for (int trial = 0; trial < 50; ++trial) {
    const double angle = random.uniform(0, M_PI);
    const Vector3d axis = direction(random);
    Quaterniond q(Eigen::AngleAxisd(angle, axis));
    if (trial % 2) q.coeffs() = -q.coeffs();
    EXPECT_LT((quaternion_log(q) - 0.5 * angle * axis).norm(), kRounding);
    EXPECT_NEAR(rotation_between(quaternion_exp(quaternion_log(q)), q), 0, kRounding);
  }
  EXPECT_EQ(quaternion_log(Quaterniond::Identity()).norm(), 0);
}

TEST(Transformations, SphericalAverageOfTwoIsSlerpAndTurnsWithTheFrame) {
  Random random(13);
  for (int trial = 0; trial < 20; ++trial) {
    const Quaterniond a = rotation(random, 1), b = rotation(random, 1), c = rotation(random, 1);
    const double t = random.uniform();
    const std::array two = {a, b};
    const std::array two_weights = {1 - t, t};
    const SphericalAverage of_two = spherical_average(two, two_weights);
    EXPECT_TRUE(of_two.settled);
    EXPECT_NEAR(rotation_between(of_two.q, slerp(a, b, t)), 0, kRounding);

    const Quaterniond frame = rotation(random, 1);
    const std::array three = {a, b, c}, turned = {frame * a, frame * b, frame * c};
    const std::array weights = {0.5, 0.3, 0.2};
    EXPECT_NEAR(
        rotation_between(spherical_average(turned, weights).q, frame * spherical_average(three, weights).q),
        0, kRounding);
  }
}

TEST(Transformations, PolarDecompositionMultipliesBackAndFindsReflections) {
  Random random(14);
  for (int trial = 0; trial < 30; ++trial) {
    Matrix3d A;
    for (int i = 0; i < 9; ++i) A(i) = random.uniform(-1, 1);
    const Polar polar = polar_decomposition(A);
    EXPECT_EQ(polar.reflects, A.determinant() < 0);
    const Matrix3d product = polar.rotation.toRotationMatrix() * polar.axes * polar.stretches.asDiagonal() *
                             polar.axes.transpose();
    EXPECT_LT(((polar.reflects ? Matrix3d(-product) : product) - A).cwiseAbs().maxCoeff(), kRounding);
    EXPECT_GT(polar.stretches.minCoeff(), 0);
  }
}

TEST(Transformations, PowersMultiplyAndEndAtTheMatrix) {
  Random random(15);
  for (int trial = 0; trial < 30; ++trial) {
    const Matrix4d M = any_motion(random, 3, 2);
    const double s = random.uniform(), t = random.uniform();
    EXPECT_LT(difference(matrix_power(M, s) * matrix_power(M, t), matrix_power(M, s + t)), kRounding);
    EXPECT_LT(difference(screw_power(M, s), matrix_power(M, s)), kRounding);
    EXPECT_LT(difference(screw_power(M, 1), M), kRounding);
    EXPECT_LT(difference(decomposed_power(M, 1), M), kRounding);
    EXPECT_LT(difference(matrix_exp(matrix_log(M)), M), kRounding);
  }
  EXPECT_LT(difference(screw_power(motion(Quaterniond::Identity(), {1, 2, 3}), 0.5),
                       motion(Quaterniond::Identity(), {.5, 1, 1.5})),
            kRounding);
}

TEST(Transformations, HalfATurnHasARealRootAndASingleNegativeEigenvalueHasNone) {
  Random random(16);
  for (int trial = 0; trial < 10; ++trial) {
    const Vector3d shift = 2 * direction(random);
    const Matrix4d turn = motion(Quaterniond(Eigen::AngleAxisd(M_PI, direction(random))), shift);
    const Matrix4d root = matrix_power(turn, 0.5);
    EXPECT_LT(difference(root * root, turn), 1e-10);  // the null space of the eigenvalue loses some digits
    EXPECT_LT(departure_from_rigid(root), 1e-10);
  }
  Matrix4d single = Matrix4d::Identity();
  single(0, 0) = -2;
  single(1, 1) = -1;
  EXPECT_THROW(matrix_log(single), InputError);
  single(0, 0) = 0;
  EXPECT_THROW(matrix_log(single), InputError);
  EXPECT_THROW(decomposed_power(-Matrix4d::Identity(), 0.5), InputError);
}

TEST(Transformations, EveryWayBetweenEndsAtItsTwoTransformations) {
  Random random(17);
  for (const Between between :
       {linear_between, decomposed_between, power_between, screw_between, log_between}) {
    const Matrix4d A = any_motion(random, 1, 1);
    const Matrix4d B = any_motion(random, 1, 1);
    EXPECT_LT(difference(between(A, B, 0), A), kRounding);
    EXPECT_LT(difference(between(A, B, 1), B), kRounding);
    EXPECT_LT(difference(de_casteljau({A, B, A, B}, 0, between), A), kRounding);
    EXPECT_LT(difference(de_casteljau({A, B, A, B}, 1, between), B), kRounding);
  }
}

TEST(Transformations, IteratedLogarithmsAndExponentialsAreThoseOfSchursForm) {
  Random random(18);
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix4d M = any_motion(random, 2.8, 3);
    const IteratedMatrix log = matrix_log_by_roots(M);
    EXPECT_LT(difference(log.m, matrix_log(M)),
              10 * kRounding);  // each root doubles the rounding of the last
    EXPECT_LT(difference(matrix_exp_by_squares(log.m).m, M), 10 * kRounding);
    EXPECT_GT(log.steps, 0);
  }
  Matrix4d none = Matrix4d::Identity();
  none(0, 0) = none(1, 1) = -1;  // whose principal root is not real
  EXPECT_THROW(matrix_log_by_roots(none), InputError);
  EXPECT_THROW(matrix_log_by_roots(Matrix4d::Zero()), InputError);
}

TEST(Transformations, DeBoorOfTranslationsIsTheUniformCubicSpline) {
  const auto at = [](double x, double y) { return motion(Quaterniond::Identity(), {x, y, 0}); };
  const std::vector<Matrix4d> controls = {at(0, 0), at(1, 2), at(3, 2), at(4, 0), at(6, 1)};
  const std::vector<double> knots = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  // At a knot the basis functions are 1/6, 4/6, 1/6, half way between two 1/48, 23/48, 23/48, 1/48.
  const Matrix4d knot = de_boor(controls, knots, 3, 4, screw_between),
                 half = de_boor(controls, knots, 3, 3.5, screw_between);
  EXPECT_NEAR(knot(0, 3), (1 + 4 * 3 + 4) / 6.0, kRounding);
  EXPECT_NEAR(knot(1, 3), (2 + 4 * 2 + 0) / 6.0, kRounding);
  EXPECT_NEAR(half(0, 3), (0 + 23 * 1 + 23 * 3 + 4) / 48.0, kRounding);
}

TEST(Transformations, TheScrewOfAMotionIsTheOneItWasMadeOf) {
  Random random(19);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector3d axis = direction(random), through = 2 * direction(random);
    const double angle = random.uniform(0.1, 3), slide = random.uniform(-2, 2);
    const Quaterniond turn(Eigen::AngleAxisd(angle, axis));
    const Screw screw = screw_of(motion(turn, through - turn * through + slide * axis));
    EXPECT_NEAR(screw.angle, angle, kRounding);
    EXPECT_NEAR(screw.slide, slide, kRounding);
    EXPECT_LT((screw.direction - axis).norm(), kRounding);
    EXPECT_LT((screw.moment - through.cross(axis)).norm(),
              20 * kRounding);  // the axis is found through 1 / tan
  }
  const Screw shift = screw_of(motion(Quaterniond::Identity(), {0, 3, 4}));
  EXPECT_EQ(shift.angle, 0);
  EXPECT_NEAR(shift.slide, 5, kRounding);
}

TEST(Transformations, DeCasteljauOfTranslationsIsTheBezierCurve) {
  const auto at = [](double x, double y) { return motion(Quaterniond::Identity(), {x, y, 0}); };
  const double t = 0.3, s = 1 - t;
  const Matrix4d curve = de_casteljau({at(0, 0), at(1, 2), at(3, 2), at(4, 0)}, t, screw_between);
  EXPECT_NEAR(curve(0, 3), 3 * s * s * t * 1 + 3 * s * t * t * 3 + t * t * t * 4, kRounding);
  EXPECT_NEAR(curve(1, 3), 3 * s * s * t * 2 + 3 * s * t * t * 2, kRounding);
}

}  // namespace
}  // namespace skinlight::repro
