#include "repro/study/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/random.h"

namespace skinlight::repro {
namespace {

constexpr double kRounding = 1e-15;

double normal(Random& random) {  // by Box and Muller
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform(0, 1)));
  const double angle = random.uniform(0, 2 * M_PI);
  return radius * std::cos(angle);
}

TEST(Statistics, TheMedianIsInTheMiddle) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, 1, 2}), 2);
  EXPECT_EQ(median({9, 1, 2, 5}), 3.5);
}

// Against the scatter of the medians of values that are drawn.
TEST(Statistics, TheErrorOfAMedianIsTheScatterOfMedians) {
  constexpr int kDraws = 4000;
  for (const int count : {40, 400}) {
    Random random(count);
    std::vector<double> medians, errors;
    for (int i = 0; i < kDraws; ++i) {
      std::vector<double> values;
      for (int k = 0; k < count; ++k) values.push_back(5 + normal(random));
      medians.push_back(median(values));
      errors.push_back(error_of_median(values));
    }
    double squares = 0;
    for (const double m : medians) squares += (m - 5) * (m - 5);
    const double scatter = std::sqrt(squares / kDraws);
    EXPECT_NEAR(median(errors) / scatter, 1, .06) << count;  // 4,000 draws know their scatter to 1 %
  }
  EXPECT_NEAR(error_of_median({1, 2, 3, 4, 1e9}), 1.2533 * 1.4826 / std::sqrt(5),
              kRounding);  // of 2 1 0 1 and very far
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
