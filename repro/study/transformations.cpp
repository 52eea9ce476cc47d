#include "repro/study/transformations.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "skinlight/core/detail/decompositions.h"
#include "skinlight/core/error.h"

namespace skinlight::repro {

namespace {

using Eigen::Matrix3d, Eigen::Matrix4d, Eigen::Quaterniond, Eigen::Vector3d;

Quaterniond on_side_of(const Quaterniond& a, Quaterniond b) {
  if (a.dot(b) < 0) b.coeffs() = -b.coeffs();
  return b;
}

constexpr int kMostIterations = 200;
constexpr double kSettledRadians = 1e-14;

// Repeats q <- q exp(step(q)) from the normalised sum.
template <class Step>
SphericalAverage averaged(std::span<const Quaterniond> q, std::span<const double> w, Step step) {
  SphericalAverage average;
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (std::size_t i = 0; i < q.size(); ++i) sum += w[i] * q[i].coeffs();
  average.q = Quaterniond(sum.normalized());
  while (!average.settled && average.steps < kMostIterations) {
    const Vector3d change = step(average.q);
    average.q = (average.q * quaternion_exp(change)).normalized();
    ++average.steps;
    average.settled = change.norm() < kSettledRadians;
  }
  return average;
}

// Series of log(I + A) and exp(A) are summed for norms up to this: their terms fall below 1e-16 within kSeriesTerms.
constexpr double kNearIdentity = 0.25;
constexpr int kSeriesTerms = 28;
// Two iterates of a square root this close, relatively, and the second is right up to rounding: it converges quadratically.
constexpr double kSettledRoot = 1e-9;

// Eigenvalues on the negative axis closer together than this share of the largest are one double eigenvalue.
constexpr double kSameEigenvalue = 1e-6;

// The negative eigenvalues, ascending. Throws InputError when the matrix has no real logarithm.
std::vector<double> negative_eigenvalues(const Matrix4d& M) {
  // By the decomposition that the logarithm takes, which is compiled already: another takes ten seconds more.
  const Eigen::ComplexSchur<Eigen::Matrix4cd> schur(M.cast<std::complex<double>>(), false);
  const Eigen::Vector4cd values = schur.matrixT().diagonal();
  const double same = kSameEigenvalue * values.cwiseAbs().maxCoeff();
  std::vector<double> negative;
  for (const std::complex<double>& value : values) {
    if (!(std::abs(value) > same)) throw InputError("", "matrix logarithm", "the matrix is singular");
    if (value.real() < 0 && std::abs(value.imag()) <= same) negative.push_back(value.real());
  }
  std::sort(negative.begin(), negative.end());
  for (std::size_t i = 0; i < negative.size(); i += 2)
    if (i + 1 == negative.size() || negative[i + 1] - negative[i] > same)
      throw InputError(
          "", "matrix logarithm",
          "the eigenvalue " + std::to_string(negative[i]) + " is negative and of odd multiplicity");
  return negative;
}

// Columns: a basis of the two directions that A takes nearest to 0.
Eigen::Matrix<double, 4, 2> null_plane(const Matrix4d& A) {
  return Eigen::JacobiSVD<Matrix4d>(A, Eigen::ComputeFullV).matrixV().rightCols<2>();
}

Matrix4d affine(const Matrix3d& linear, const Vector3d& translation) {
  Matrix4d M = Matrix4d::Identity();
  M.topLeftCorner<3, 3>() = linear;
  M.topRightCorner<3, 1>() = translation;
  return M;
}

}  // namespace

double rotation_between(const Quaterniond& a, const Quaterniond& b) {
  const Quaterniond c = a.conjugate() * b;
  return 2 * std::atan2(c.vec().norm(), std::abs(c.w()));
}

Quaterniond slerp(const Quaterniond& a, const Quaterniond& b, double t) {
  return (a * quaternion_exp(t * quaternion_log(a.conjugate() * b))).normalized();
}

Quaterniond qlerp(const Quaterniond& a, const Quaterniond& b, double t) {
  return Quaterniond(((1 - t) * a.coeffs() + t * on_side_of(a, b).coeffs()).normalized());
}

Vector3d quaternion_log(const Quaterniond& q) {
  const double side = q.w() < 0 ? -1 : 1, sine = q.vec().norm();
  if (sine == 0) return Vector3d::Zero();
  return (side * std::atan2(sine, side * q.w()) / sine) * q.vec();
}

Quaterniond quaternion_exp(const Vector3d& half_turn) {
  const double angle = half_turn.norm();
  const double scale = angle > 0 ? std::sin(angle) / angle : 1;
  return {std::cos(angle), scale * half_turn.x(), scale * half_turn.y(), scale * half_turn.z()};
}

SphericalAverage spherical_average(std::span<const Quaterniond> q, std::span<const double> w) {
  return averaged(q, w, [&](const Quaterniond& at) {
    Vector3d step = Vector3d::Zero();
    for (std::size_t i = 0; i < q.size(); ++i) step += w[i] * quaternion_log(at.conjugate() * q[i]);
    return step;
  });
}

SphericalAverage spherical_average_as_printed(std::span<const Quaterniond> q, std::span<const double> w) {
  return averaged(q, w, [&](const Quaterniond& at) {
    Vector3d step = Vector3d::Zero();
    for (std::size_t i = 0; i < q.size(); ++i) step += w[i] * (quaternion_log(q[i]) - quaternion_log(at));
    return step;
  });
}

Polar polar_decomposition(const Matrix3d& A) {
  const bool reflects = A.determinant() < 0;
  const SingularValues svd = singular_values(reflects ? Matrix3d(-A) : A);
  return {Quaterniond(Matrix3d(svd.U * svd.V.transpose())), svd.V, svd.values, reflects};
}

Matrix4d decomposed_power(const Matrix4d& M, double t) {
  const Polar polar = polar_decomposition(M.topLeftCorner<3, 3>());
  if (polar.reflects) throw InputError("", "interpolation", "the matrix reflects");
  const Vector3d stretches = polar.stretches.array().pow(t);
  const Matrix3d stretch = polar.axes * stretches.asDiagonal() * polar.axes.transpose();
  const Quaterniond rotation = slerp(Quaterniond::Identity(), polar.rotation, t);
  return affine(rotation.toRotationMatrix() * stretch, t * M.topRightCorner<3, 1>());
}

Matrix4d matrix_power(const Matrix4d& M, double t) { return matrix_exp(t * matrix_log(M)); }

Matrix4d matrix_log(const Matrix4d& M) {
  // The principal logarithm of a double eigenvalue -x is complex. Its real one turns the two directions by pi
  // in their plane: with the eigenvalue's sign changed there, log M = log M' + pi V J W^T.
  Matrix4d positive = M, turn = Matrix4d::Zero();
  const std::vector<double> negative = negative_eigenvalues(M);
  for (std::size_t i = 0; i < negative.size(); i += 2) {
    const double value = 0.5 * (negative[i] + negative[i + 1]);
    const Matrix4d shifted = M - value * Matrix4d::Identity();
    const Eigen::Matrix<double, 4, 2> V = null_plane(shifted), left = null_plane(shifted.transpose());
    const Eigen::Matrix<double, 2, 4> W = (left.transpose() * V).inverse() * left.transpose();
    Eigen::Matrix2d J;
    J << 0, -1, 1, 0;
    positive -= 2 * value * V * W;
    turn += M_PI * V * J * W;
  }
  return positive.log() + turn;
}

Matrix4d matrix_exp(const Matrix4d& m) { return m.exp(); }

IteratedMatrix matrix_log_by_roots(const Matrix4d& M) {
  const Matrix4d I = Matrix4d::Identity();
  IteratedMatrix log{M};
  for (; (log.m - I).norm() > kNearIdentity; ++log.steps) {
    // A square root by the iteration of Denman and Beavers, Y -> root, Z -> its inverse.
    Matrix4d Y = log.m, Z = I;
    double change = INFINITY;
    for (int i = 0; i < kMostIterations && change > kSettledRoot * Y.norm(); ++i) {
      const Matrix4d next = 0.5 * (Y + Z.inverse());
      Z = 0.5 * (Z + Y.inverse());
      change = (next - Y).norm();
      Y = next;
    }
    if (!(change <= kSettledRoot * Y.norm()) || log.steps == kMostIterations)
      throw InputError("", "matrix logarithm", "the iteration of square roots does not settle");
    log.m = Y;
  }
  const Matrix4d away = log.m - I;
  Matrix4d power = away, sum = Matrix4d::Zero();
  for (int k = 1; k <= kSeriesTerms; ++k, power *= -away) sum += power / k;
  log.m = std::ldexp(1.0, log.steps) * sum;
  return log;
}

IteratedMatrix matrix_exp_by_squares(const Matrix4d& m) {
  IteratedMatrix exp{m};
  for (; exp.m.norm() > kNearIdentity; ++exp.steps) exp.m *= 0.5;
  Matrix4d power = Matrix4d::Identity(), sum = Matrix4d::Zero();
  for (int k = 1; k <= kSeriesTerms; ++k) {
    sum += power;
    power = power * exp.m / k;
  }
  exp.m = sum;
  for (int i = 0; i < exp.steps; ++i) exp.m = exp.m * exp.m.eval();
  return exp;
}

Screw screw_of(const Matrix4d& M) {
  const Quaterniond rotation(Matrix3d(M.topLeftCorner<3, 3>()));
  const Vector3d translation = M.topRightCorner<3, 1>(), turn = 2 * quaternion_log(rotation);
  Screw screw;
  screw.angle = turn.norm();
  if (screw.angle == 0) {
    screw.slide = translation.norm();
    screw.direction = screw.slide > 0 ? Vector3d(translation / screw.slide) : Vector3d::UnitZ();
    screw.moment = Vector3d::Zero();
    return screw;
  }
  screw.direction = turn / screw.angle;
  screw.slide = screw.direction.dot(translation);
  // The axis passes through c with (I - R) c = the translation's part across it.
  const Vector3d across = translation - screw.slide * screw.direction;
  const Vector3d c = 0.5 * (across + screw.direction.cross(across) / std::tan(0.5 * screw.angle));
  screw.moment = c.cross(screw.direction);
  return screw;
}

Matrix4d screw_power(const Matrix4d& M, double t) {
  const Screw screw = screw_of(M);
  const Vector3d c = screw.direction.cross(screw.moment);  // the point of the axis nearest to the origin
  const Matrix3d R = Eigen::AngleAxisd(t * screw.angle, screw.direction).toRotationMatrix();
  return affine(R, c - R * c + t * screw.slide * screw.direction);
}

Matrix4d linear_between(const Matrix4d& A, const Matrix4d& B, double t) { return (1 - t) * A + t * B; }
Matrix4d decomposed_between(const Matrix4d& A, const Matrix4d& B, double t) {
  return A * decomposed_power(A.inverse() * B, t);
}
Matrix4d power_between(const Matrix4d& A, const Matrix4d& B, double t) {
  return A * matrix_power(A.inverse() * B, t);
}
Matrix4d screw_between(const Matrix4d& A, const Matrix4d& B, double t) {
  return A * screw_power(A.inverse() * B, t);
}
Matrix4d log_between(const Matrix4d& A, const Matrix4d& B, double t) {
  return matrix_exp((1 - t) * matrix_log(A) + t * matrix_log(B));
}

Matrix4d de_casteljau(std::vector<Matrix4d> controls, double t, Between between) {
  for (std::size_t left = controls.size() - 1; left > 0; --left)
    for (std::size_t i = 0; i < left; ++i) controls[i] = between(controls[i], controls[i + 1], t);
  return controls.front();
}

Matrix4d de_boor(std::span<const Matrix4d> controls, std::span<const double> knots, int degree, double t,
                 Between between) {
  const auto k =
      static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), t) - knots.begin()) - 1;
  const auto p = static_cast<std::size_t>(degree);
  std::vector<Matrix4d> d(controls.begin() + static_cast<std::ptrdiff_t>(k - p),
                          controls.begin() + static_cast<std::ptrdiff_t>(k + 1));
  for (std::size_t round = 1; round <= p; ++round)
    for (std::size_t j = p; j >= round; --j) {
      const double from = knots[k - p + j], to = knots[k + 1 + j - round];
      d[j] = between(d[j - 1], d[j], (t - from) / (to - from));
    }
  return d[p];
}

double departure_from_rigid(const Matrix4d& M) {
  const Matrix3d A = M.topLeftCorner<3, 3>();
  return (A.transpose() * A - Matrix3d::Identity()).cwiseAbs().maxCoeff();
}

}  // namespace skinlight::repro
