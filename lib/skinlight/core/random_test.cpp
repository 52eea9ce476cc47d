#include "skinlight/core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace skinlight {
namespace {

// Means of 1e5 draws deviate by less than 5 standard errors (5 * .58 / 316) from what they estimate.
constexpr int kDraws = 100000;
constexpr double kSampling = 0.01;

// The published reference output of SplitMix64 for this seed.
TEST(Random, SequenceIsThatOfSplitMix64) {
  Random random(1234567);
  for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                       4593380528125082431u, 16408922859458223821u})
    EXPECT_EQ(random.bits(), expected);
}

TEST(Random, SeedsGiveDifferentSequencesAndEqualSeedsEqualOnes) {
  Random a(1), b(1), c(2);
  const double first = a.uniform();
  EXPECT_EQ(first, b.uniform());
  EXPECT_NE(first, c.uniform());
}

TEST(Random, UniformFillsItsRangeEvenly) {
  Random random(5);
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 1.0 / 2, kSampling);
  EXPECT_NEAR(squares / kDraws, 1.0 / 3, kSampling);
}

TEST(Random, UniformBetweenBoundsKeepsThem) {
  Random random(6);
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform(-3, -2);
    ASSERT_GE(x, -3);
    ASSERT_LT(x, -2);
    sum += x;
  }
  EXPECT_NEAR(sum / kDraws, -2.5, kSampling);
}

TEST(Random, BelowReachesEveryValueEquallyOften) {
  Random random(7);
  std::array<int, 5> seen{};
  for (int i = 0; i < kDraws; ++i) {
    const int k = random.below(5);
    ASSERT_GE(k, 0);
    ASSERT_LT(k, 5);
    ++seen[static_cast<std::size_t>(k)];
  }
  for (const int n : seen) EXPECT_NEAR(static_cast<double>(n) / kDraws, .2, kSampling);
}

// On the unit sphere every component has mean 0 and mean square 1/3, and mixed products vanish.
TEST(Random, DirectionsAreUniformOnTheSphere) {
  Random random(8);
  Vec3d sum(0.0), squares(0.0), mixed(0.0);
  for (int i = 0; i < kDraws; ++i) {
    const Vec3d d = random.direction();
    ASSERT_NEAR(length(d), 1, 1e-15 * 10);
    sum += d;
    squares += Vec3d(d.x * d.x, d.y * d.y, d.z * d.z);
    mixed += Vec3d(d.x * d.y, d.y * d.z, d.z * d.x);
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(sum[k] / kDraws, 0, kSampling);
    EXPECT_NEAR(squares[k] / kDraws, 1.0 / 3, kSampling);
    EXPECT_NEAR(mixed[k] / kDraws, 0, kSampling);
  }
}

TEST(Random, CubeIsCentredAndFilled) {
  Random random(9);
  Vec3d sum(0.0), squares(0.0);
  for (int i = 0; i < kDraws; ++i) {
    const Vec3d d = random.in_cube(2);
    sum += d;
    squares += Vec3d(d.x * d.x, d.y * d.y, d.z * d.z);
    for (int k = 0; k < 3; ++k) ASSERT_LE(std::abs(d[k]), 2);
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(sum[k] / kDraws, 0, 4 * kSampling);
    EXPECT_NEAR(squares[k] / kDraws, 4.0 / 3, 4 * kSampling);
  }
}

}  // namespace
}  // namespace skinlight
