#include "repro/study/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace skinlight::repro {
namespace {

constexpr double kRounding = 1e-15;

TEST(Statistics, TheMedianIsInTheMiddle) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, 1, 2}), 2);
  EXPECT_EQ(median({9, 1, 2, 5}), 3.5);
}

// By hand: ranks 0 1 2 3 against 1 0 3 2 give 1 - 6 * 4 / (4 * 15) = .6; with a tie 0 1.5 1.5 3 against 0 1 2 3 give
// 4.5 / sqrt(4.5 * 5).
TEST(Statistics, RanksAreComparedAndEqualValuesShareTheirs) {
  EXPECT_NEAR(rank_correlation({1, 20, 300, 4000}, {5, 4, 70, 6}), .6, kRounding);
  EXPECT_NEAR(rank_correlation({5, 4, 70, 6}, {1, 20, 300, 4000}), .6, kRounding);
  EXPECT_NEAR(rank_correlation({1, 2, 3}, {-1, -20, -300}), -1, kRounding);
  EXPECT_NEAR(rank_correlation({1, 2, 2, 3}, {1, 2, 3, 4}), 4.5 / std::sqrt(22.5), kRounding);
  EXPECT_NEAR(rank_correlation({3, 2, 2, 1}, {1, 2, 3, 4}), -4.5 / std::sqrt(22.5), kRounding);
}

}  // namespace
}  // namespace skinlight::repro
