#include "skinlight/core/detail/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace skinlight {

SymmetricEigen<3> symmetric_eigen(const Eigen::Matrix3d& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen<4> symmetric_eigen(const Eigen::Matrix4d& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SingularValues singular_values(const Eigen::Matrix3d& A) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

}  // namespace skinlight
