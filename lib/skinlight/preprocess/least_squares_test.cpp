#include "skinlight/preprocess/detail/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>

namespace skinlight {
namespace {

constexpr double kRounding = 1e-15;

// By hand: the normal equations diag(1, 9) x = (1 b, 3 b') have the mean diagonal entry 5, a tenth of which is added.
TEST(LeastSquares, TheRidgeIsAShareOfTheMeanDiagonalEntry) {
  LeastSquares equations(2, 2);
  equations.add(Eigen::Matrix2d{{1, 0}, {0, 3}}, Eigen::Matrix2d{{1, 2}, {3, 6}});
  ASSERT_TRUE(equations.solve(.1));
  EXPECT_NEAR(equations.x()(0, 0), 1 / 1.5, kRounding);
  EXPECT_NEAR(equations.x()(0, 1), 2 / 1.5, kRounding);
  EXPECT_NEAR(equations.x()(1, 0), 9 / 9.5, kRounding);
  EXPECT_NEAR(equations.x()(1, 1), 18 / 9.5, 2 * kRounding);
}

TEST(LeastSquares, WithoutAFiniteSolutionThereIsNone) {
  LeastSquares nothing(2, 1), infinite(1, 1), unanswered(1, 1);
  nothing.add(Eigen::MatrixXd::Zero(3, 2), Eigen::MatrixXd::Ones(3, 1));
  EXPECT_FALSE(nothing.solve(.1));
  infinite.add(Eigen::MatrixXd::Constant(1, 1, 1e200), Eigen::MatrixXd::Zero(1, 1));
  EXPECT_FALSE(infinite.solve(.1));
  unanswered.add(Eigen::MatrixXd::Ones(1, 1), Eigen::MatrixXd::Constant(1, 1, NAN));
  EXPECT_FALSE(unanswered.solve(.1));
}

}  // namespace
}  // namespace skinlight
