// Least squares of few unknowns, by normal equations. Inside this room only.
#pragma once

#include <Eigen/Core>

namespace skinlight {

// Several systems that differ in their right sides alone.
class LeastSquares {
 public:
  LeastSquares(Eigen::Index unknowns, Eigen::Index sides)
      : normal_(Eigen::MatrixXd::Zero(unknowns, unknowns)), x_(Eigen::MatrixXd::Zero(unknowns, sides)) {}

  // Equations A x = right: #equations by #unknowns, and by #sides.
  void add(const Eigen::MatrixXd& A, const Eigen::MatrixXd& right);

  // With a ridge of that share of the mean diagonal entry of the normal equations. False without a finite solution, as for
  // rows of zeros.
  bool solve(double relative_ridge);

  const Eigen::MatrixXd& x() const { return x_; }  // #unknowns by #sides

 private:
  Eigen::MatrixXd normal_;
  Eigen::MatrixXd x_;  // the right sides of the normal equations until they are solved
};

}  // namespace skinlight
