#include "skinlight/preprocess/detail/least_squares.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace skinlight {

// Products of matrices are taken entry by entry and right sides one by one: for sizes like these as fast, and Eigen's products
// of blocks, which they would call, take a compiler longer than all the rest of this room.
void LeastSquares::add(const Eigen::MatrixXd& A, const Eigen::MatrixXd& right) {
  normal_ += A.transpose().lazyProduct(A);
  x_ += A.transpose().lazyProduct(right);
}

bool LeastSquares::solve(double relative_ridge) {
  const double ridge = relative_ridge * normal_.trace() / static_cast<double>(normal_.rows());
  if (!(ridge > 0) || !std::isfinite(ridge)) return false;
  normal_.diagonal().array() += ridge;
  const Eigen::LDLT<Eigen::MatrixXd> factors(normal_);
  for (auto side : x_.colwise()) side = factors.solve(Eigen::VectorXd(side));
  return x_.allFinite();
}

}  // namespace skinlight
