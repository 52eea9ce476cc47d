// Decompositions of small matrices by Eigen, compiled once for all rooms: each takes a compiler seconds wherever it is used.
#pragma once

#include <Eigen/Core>

namespace skinlight {

// Of a symmetric matrix: eigenvalues ascending, unit eigenvectors as columns.
template <int N>
struct SymmetricEigen {
  Eigen::Matrix<double, N, 1> values;
  Eigen::Matrix<double, N, N> vectors;
};
SymmetricEigen<3> symmetric_eigen(const Eigen::Matrix3d& A);
SymmetricEigen<4> symmetric_eigen(const Eigen::Matrix4d& A);

// A = U diag(values) V^T, values descending.
struct SingularValues {
  Eigen::Matrix3d U, V;
  Eigen::Vector3d values;
};
SingularValues singular_values(const Eigen::Matrix3d& A);

}  // namespace skinlight
