// The scalars that kernels run over: derivatives, operation counts, SIMD lanes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "skinlight/core/counted.h"
#include "skinlight/core/dual.h"
#include "skinlight/core/glsl.h"
#include "skinlight/core/pack.h"
#include "skinlight/core/random.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-14;  // a few operations on values below 4, in double

// Dual: closed forms of the derivative.

TEST(Dual, DerivativesEqualClosedForms) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    const double x = random.uniform(.5, 2), y = random.uniform(.5, 2), dx = random.uniform(-1, 1),
                 dy = random.uniform(-1, 1);
    const Dual<double> a(x, dx), b(y, dy);
    const auto expect = [](Dual<double> actual, double value, double derivative) {
      EXPECT_NEAR(actual.v, value, kRounding);
      EXPECT_NEAR(actual.d, derivative, kRounding);
    };
    expect(a + b, x + y, dx + dy);
    expect(a - b, x - y, dx - dy);
    expect(-a, -x, -dx);
    expect(a * b, x * y, dx * y + x * dy);
    expect(a / b, x / y, dx / y - x * dy / (y * y));
    expect(sqrt(a), std::sqrt(x), .5 * dx * std::pow(x, -.5));
    expect(inversesqrt(a), std::pow(x, -.5), -.5 * dx * std::pow(x, -1.5));
    expect(select(true, a, b), x, dx);
    expect(select(false, a, b), y, dy);
    EXPECT_EQ(a < b, x < y);
    EXPECT_EQ(a > b, x > y);
  }
}

TEST(Dual, ConstantsHaveNoDerivative) { EXPECT_EQ(Dual<double>(3).d, 0); }

// d |x| / dt = x . dx / |x|; the derivative of x / |x| is the part of dx orthogonal to x, over |x|.
TEST(Dual, VectorFunctionsDifferentiate) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const Vec3d along = random.direction(), x = along * random.uniform(.5, 2), dx = random.in_cube(1);
    const Vec3<Dual<double>> v(Dual<double>(x.x, dx.x), Dual<double>(x.y, dx.y), Dual<double>(x.z, dx.z));
    const double size = length(x);
    EXPECT_NEAR(length(v).d, dot(x, dx) / size, kRounding);
    const Vec3d flat = (dx - x * (dot(x, dx) / dot(x, x))) / size;
    const Vec3<Dual<double>> unit = normalize(v);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(unit[i].d, flat[i], kRounding);
  }
}

// Counted: the rules of Table 1.

template <class Run>
long count(Run run) {
  Counted::reset();
  run();
  return Counted::operations();
}

TEST(Counted, LoneOperationsAreOneEach) {
  const Counted a(3), b(2);
  EXPECT_EQ(count([&] { EXPECT_EQ((a * b).value(), 6); }), 1);
  EXPECT_EQ(count([&] { EXPECT_EQ((a + b).value(), 5); }), 1);
  EXPECT_EQ(count([&] { EXPECT_EQ((a - b).value(), 1); }), 1);
  EXPECT_EQ(count([&] { EXPECT_EQ((a / b).value(), 1.5); }), 1);
  EXPECT_EQ(count([&] { EXPECT_EQ(sqrt(Counted(4)).value(), 2); }), 1);
  EXPECT_EQ(count([&] { EXPECT_EQ(inversesqrt(Counted(4)).value(), .5); }), 1);
}

TEST(Counted, NegationComparisonAndSelectionAreFree) {
  const Counted a(3), b(2);
  EXPECT_EQ(count([&] {
              EXPECT_EQ((-a).value(), -3);
              EXPECT_TRUE(a > b);
              EXPECT_FALSE(a < b);
              EXPECT_EQ(select(true, a, b).value(), 3);
            }),
            0);
}

TEST(Counted, MultiplyAddIsOneWhicheverSideTheProductIsOn) {
  const Counted a(3), b(2), c(5);
  EXPECT_EQ(count([&] { EXPECT_EQ((a * b + c).value(), 11); }), 1);
  EXPECT_EQ(count([&] { EXPECT_EQ((c + a * b).value(), 11); }), 1);
  EXPECT_EQ(count([&] { EXPECT_EQ((c - a * b).value(), -1); }), 1);
  EXPECT_EQ(count([&] { EXPECT_EQ((a * b - c).value(), 1); }), 1);
  EXPECT_EQ(count([&] { EXPECT_EQ((-(a * b) + c).value(), -1); }), 1);
}

TEST(Counted, SumIsNoProductAndQuotientNeither) {
  const Counted a(3), b(2);
  EXPECT_EQ(count([&] { EXPECT_EQ((a * b + a + b).value(), 11); }), 2);  // the second addition stands alone
  EXPECT_EQ(count([&] { EXPECT_EQ((a / b + a).value(), 4.5); }), 2);
}

TEST(Counted, VectorOperationsCountAsInTable1) {
  const Vec3<Counted> a(Counted(1), Counted(2), Counted(3)), b(Counted(4), Counted(5), Counted(6));
  EXPECT_EQ(count([&] { cross(a, b); }), 6);
  EXPECT_EQ(count([&] { EXPECT_EQ(dot(a, b).value(), 32); }), 3);
  EXPECT_EQ(count([&] { a + b; }), 3);
  EXPECT_EQ(count([&] { a* Counted(2); }), 3);
}

// Pack: every lane is the scalar.

constexpr int kLanes = 8;
using P = Pack<kLanes>;

template <class Lanewise, class Scalar>
void expect_lanes(Random& random, Lanewise lanewise, Scalar scalar) {
  float a[kLanes], b[kLanes], result[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    a[i] = static_cast<float>(random.uniform(.1, 2));
    b[i] = static_cast<float>(random.uniform(.1, 2));
  }
  lanewise(P::load(a), P::load(b)).store(result);
  for (int i = 0; i < kLanes; ++i) EXPECT_EQ(result[i], scalar(a[i], b[i])) << "lane " << i;
}

TEST(Pack, ArithmeticEqualsTheScalarBitwise) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    expect_lanes(
        random, [](P a, P b) { return a + b; }, [](float a, float b) { return a + b; });
    expect_lanes(
        random, [](P a, P b) { return a - b; }, [](float a, float b) { return a - b; });
    expect_lanes(
        random, [](P a, P b) { return a * b; }, [](float a, float b) { return a * b; });
    expect_lanes(
        random, [](P a, P b) { return a / b; }, [](float a, float b) { return a / b; });
    expect_lanes(
        random, [](P a, P) { return -a; }, [](float a, float) { return -a; });
    expect_lanes(
        random, [](P a, P) { return sqrt(a); }, [](float a, float) { return std::sqrt(a); });
    expect_lanes(
        random, [](P a, P) { return inversesqrt(a); }, [](float a, float) { return inversesqrt(a); });
  }
}

TEST(Pack, SelectChoosesPerLane) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    expect_lanes(
        random, [](P a, P b) { return select(a < b, a, b * a); },
        [](float a, float b) { return a < b ? a : b * a; });
    expect_lanes(
        random, [](P a, P b) { return select(a > b, a, b * a); },
        [](float a, float b) { return a > b ? a : b * a; });
    expect_lanes(
        random, [](P a, P b) { return select(a < b, Vec3<P>(a, b, a), Vec3<P>(b, a, -a)).z; },
        [](float a, float b) { return a < b ? a : -a; });
  }
}

TEST(Pack, ConstantsFillEveryLane) {
  float out[kLanes];
  P(.1).store(out);
  for (const float x : out) EXPECT_EQ(x, .1f);
}

}  // namespace
}  // namespace skinlight
