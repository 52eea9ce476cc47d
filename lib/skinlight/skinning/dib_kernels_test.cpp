// What is particular to dual quaternion iterative blending: how near it comes to the mean of the motions, that it moves
// with the whole character, and that it is continuous where log-matrix blending jumps.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "skinlight/core/random.h"
#include "skinlight/skinning/kernel_table.h"
#include "testing/rigid_vertex.h"

namespace skinlight {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector3d;
using test_rigid_vertex::RandomVertex;

constexpr double kRounding = 1e-12;

template <int N>
Matrix4d matrix(const RandomVertex<N>& v, int s) {
  Matrix4d M = Matrix4d::Identity();
  M.topLeftCorner<3, 3>() = v.r[s].toRotationMatrix();
  M.topRightCorner<3, 1>() = v.translation[s];
  return M;
}

Vector3d moved(const Matrix4d& M, Vec3d p) {
  return M.topLeftCorner<3, 3>() * eigen(p) + M.topRightCorner<3, 1>();
}

// The motion m with sum_s w[s] log(m^-1 M[s]) = 0.
template <int N>
Matrix4d mean(const RandomVertex<N>& v) {
  Matrix4d m = matrix(v, 0);
  for (int i = 0; i < 60; ++i) {
    Matrix4d sum = Matrix4d::Zero();
    for (int s = 0; s < N; ++s) sum += v.w[s] * (m.inverse() * matrix(v, s)).log();
    m *= sum.exp();
  }
  return m;
}

template <int N>
Vector3d dib(const RandomVertex<N>& v) {
  const auto in = v.template as<double>();
  return eigen(Kernels<double, N>().dib_position(in.x, in.rest.p));
}

template <int N>
Vector3d dqs(const RandomVertex<N>& v) {
  const auto in = v.template as<double>();
  return eigen(Kernels<double, N>().dqs_position(in.x, in.rest.p));
}

template <int N>
Vector3d log_matrix(const RandomVertex<N>& v) {
  const auto in = v.template as<double>();
  return eigen(Kernels<double, N>().log_position(in.twists, in.rest.p));
}

TEST(LogExcess, IsTheAngleOverItsSineLessOneWithItsDerivatives) {
  for (double x = .05; x < 3.05; x += .05) {  // half the angle: up to 350 degrees
    SCOPED_TRACE(x);
    const double c = std::cos(x), s = std::sin(x), g = x / s;
    // By x, then d/dc = -1/s d/dx.
    const double slope = -(s - x * c) / (s * s * s);
    const double bend = (3 * c * slope + g) / (s * s);
    const auto e = Kernels<double, 1>().log_excess(c);
    const double lost =
        1e-14 / (s * s * s * s);  // the closed forms' own cancellation, and what cosines tell of angles
    EXPECT_NEAR(e.f, g - 1, lost * (1 + g));
    EXPECT_NEAR(e.slope, slope, lost * (1 + std::abs(slope)));
    EXPECT_NEAR(e.bend, bend, lost * (1 + bend) / (s * s));
  }
  const auto none = Kernels<double, 1>().log_excess(1);
  EXPECT_NEAR(none.f, 0, 1e-15);
  EXPECT_NEAR(none.slope, -1. / 3, 1e-15);
  EXPECT_NEAR(none.bend, 4. / 15, 1e-15);
}

// A reference a whole turn away has no logarithm: still a number.
TEST(LogExcess, IsFiniteEverywhere) {
  for (const float c : {-1.f, -1.0000001f, -.99999994f, 1.0000001f}) {
    const auto e = Kernels<float, 1>().log_excess(c);
    EXPECT_TRUE(std::isfinite(e.f) && std::isfinite(e.slope) && std::isfinite(e.bend)) << c;
  }
}

// Of two bones at any angle: the screw from one to the other, at uniform speed.
TEST(DibKernel, OfTwoBonesIsTheScrewBetweenThem_KCZO08) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    RandomVertex<2> v(random);
    const Matrix4d between = matrix(v, 0).inverse() * matrix(v, 1);
    if (std::acos((between.trace() - 2) / 2) > 3)
      continue;  // Eigen's logarithm loses digits towards half a turn
    const Matrix4d screw = matrix(v, 0) * (v.w[1] * Matrix4d(between.log())).exp();
    EXPECT_LT((dib(v) - moved(screw, v.p)).norm(), kRounding);
  }
}

// Of four bones: the fifth power of the angles between them, where the dual quaternion blend leaves the third.
TEST(DibKernel, OfMoreBonesComesNearTheirMeanInTheFifthOrder) {
  std::array<double, 3> off{}, off_dqs{};
  for (std::size_t i = 0; i < off.size(); ++i) {
    const double spread = .8 / static_cast<double>(1 << i);
    Random random(2);
    for (int round = 0; round < 100; ++round) {
      RandomVertex<4> v(random, .5, spread);
      for (Vector3d& t : v.translation) t *= spread;
      const Vector3d expected = moved(mean(v), v.p);
      off[i] = std::max(off[i], (dib(v) - expected).norm());
      off_dqs[i] = std::max(off_dqs[i], (dqs(v) - expected).norm());
    }
  }
  EXPECT_LT(off[0], 3e-4);  // bones up to 90 degrees apart, points up to 2 away
  for (std::size_t i = 1; i < off.size(); ++i) {
    EXPECT_NEAR(std::log2(off[i - 1] / off[i]), 5, .3);
    EXPECT_NEAR(std::log2(off_dqs[i - 1] / off_dqs[i]), 3, .3);
  }
}

// A motion of the whole character after the bones moves the vertex with it, and one before them is a motion of the rest
// vertex. Log-matrix blending as printed bends the vertex elsewhere.
TEST(DibKernel, MovesWithTheWholeCharacterAtRestAndPosed) {
  Random random(3);
  double printed = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomVertex<4> v(random), whole(random);
    RandomVertex<4> after = v, before = v;
    for (int s = 0; s < 4; ++s) {
      after.r[s] = whole.r[0] * v.r[s];
      after.translation[s] = whole.r[0] * v.translation[s] + whole.translation[0];
      before.r[s] = v.r[s] * whole.r[0].conjugate();
      before.translation[s] = v.translation[s] - before.r[s] * whole.translation[0];
    }
    const Vector3d at = whole.moved(0, v.p);
    before.p = {at.x(), at.y(), at.z()};
    const Vector3d d = dib(v);
    EXPECT_LT((dib(after) - (whole.r[0] * d + whole.translation[0])).norm(), 10 * kRounding);
    EXPECT_LT((dib(before) - d).norm(), 10 * kRounding);
    const Vector3d l = log_matrix(v);
    printed = std::max(printed, (log_matrix(after) - (whole.r[0] * l + whole.translation[0])).norm());
  }
  EXPECT_GT(printed, 1);
}

// The bones in another order, weights with them: another slot 0, nothing else, while all are within half a turn of each
// other.
TEST(DibKernel, IsTheSameWhicheverBoneIsSlot0) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    RandomVertex<4> v(random, .5, M_PI / 2);
    const Vector3d expected = dib(v);
    for (int s = 1; s < 4; ++s) {
      RandomVertex<4> other = v;
      std::swap(other.w[0], other.w[s]);
      std::swap(other.r[0], other.r[s]);
      std::swap(other.translation[0], other.translation[s]);
      EXPECT_LT((dib(other) - expected).norm(), kRounding);
    }
  }
}

// A limb of two bones, one bent by 20 degrees against the other, on a character that turns: where the second bone's turn
// passes half a turn its logarithm changes sides, and log-matrix blending, which knows nothing but how far each bone is from
// rest, throws the joint to the other side of the body within 1e-7 radians.
struct Limb {
  RandomVertex<2> vertex;
  Vec3d axis;
  explicit Limb(Random& random) : vertex(random) {
    // On the side that log_of() gives half a turn.
    const Vec3d any = random.direction();
    axis = normalize(log_of({{any.x, any.y, any.z, 0}, {0, 0, 0, 0}}).turn);
    vertex.w[0] = vertex.w[1] = .5;
    for (Vector3d& t : vertex.translation) t *= .1;
    vertex.p = normalize(cross(axis, random.direction()));
  }
  RandomVertex<2> turned(double angle) const {
    constexpr double kBend = 20 * M_PI / 180;
    RandomVertex<2> v = vertex;
    v.r[0] = Eigen::AngleAxisd(angle, eigen(axis));
    v.r[1] = Eigen::AngleAxisd(angle + kBend, eigen(axis));
    return v;
  }
};

TEST(DibKernel, FollowsASmallTurnWhereLogMatrixBlendingJumps) {
  constexpr double kTurn = 1e-7;
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    const Limb limb(random);
    // Where the second bone's logarithm leaves that side.
    const double there = M_PI + 2 * kHalfTurn - 20 * M_PI / 180;
    const auto before = limb.turned(there - kTurn / 2), after = limb.turned(there + kTurn / 2);
    EXPECT_LT((dib(after) - dib(before)).norm(), 1.1 * kTurn);
    EXPECT_GT((dib(after) - dib(before)).norm(),
              .8 * kTurn);  // 1 away from the axis, but for translations that it carries
    EXPECT_GT((log_matrix(after) - log_matrix(before)).norm(), 1);
    // And nowhere else on the way round does it move faster.
    for (double angle = 0; angle < 2 * M_PI; angle += .01)
      EXPECT_LT((dib(limb.turned(angle + kTurn)) - dib(limb.turned(angle))).norm(), 1.1 * kTurn) << angle;
  }
}

}  // namespace
}  // namespace skinlight
