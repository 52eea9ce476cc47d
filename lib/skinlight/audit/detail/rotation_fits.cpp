// Mistakes that are one rotation or reflection, the same at every vertex.
#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "skinlight/audit/detail/posed_directions.h"
#include "skinlight/audit/diagnosis.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/detail/decompositions.h"
#include "skinlight/core/detail/eigen.h"

namespace skinlight::explain {

namespace {

Eigen::Vector3d unit_vector(Vec3d v) {
  const double size = length(v);
  return size > 0 && std::isfinite(size) ? Eigen::Vector3d(eigen(v) / size) : Eigen::Vector3d::Zero();
}

Vectors turned(const Eigen::Matrix3d& R, std::span<const Vec3d> v) {
  Vectors result;
  for (const Vec3d& a : v) result.push_back(vec(R * eigen(a)));
  return result;
}

// sum w to from^T of unit vectors.
Eigen::Matrix3d correlation(std::span<const Vec3d> from, std::span<const Vec3d> to,
                            std::span<const double> weights) {
  Eigen::Matrix3d H = Eigen::Matrix3d::Zero();
  for (std::size_t v = 0; v < from.size(); ++v)
    H += weights[v] * unit_vector(to[v]) * unit_vector(from[v]).transpose();
  return H;
}

// The orthogonal matrix, rotation or reflection, that takes `from` nearest to `to` [Schoenemann 1966].
Eigen::Matrix3d orthogonal_fit(const Eigen::Matrix3d& H) {
  const SingularValues svd = singular_values(H);
  return svd.U * svd.V.transpose();
}

// The signed permutation that does the same: of 48 the one of the largest trace(P^T H).
Eigen::Matrix3d axes_fit(const Eigen::Matrix3d& H) {
  Eigen::Matrix3d best = Eigen::Matrix3d::Identity();
  double most = -1;
  std::array<int, 3> axis = {0, 1, 2};
  do {
    Eigen::Matrix3d P = Eigen::Matrix3d::Zero();
    double trace = 0;
    for (int row = 0; row < 3; ++row) {
      const double h = H(row, axis[static_cast<std::size_t>(row)]);
      P(row, axis[static_cast<std::size_t>(row)]) = h < 0 ? -1 : 1;
      trace += std::abs(h);
    }
    if (trace > most) {
      most = trace;
      best = P;
    }
  } while (std::next_permutation(axis.begin(), axis.end()));
  return best;
}

// Of all bases the one that a matrix of this kind takes nearest to theirs.
struct BestBase {
  Eigen::Matrix3d R;
  const Explanation* base = nullptr;
  Vectors v;
  double mean = 0;
};

BestBase best_base(const Subject& subject, std::span<const Explanation> bases,
                   Eigen::Matrix3d (*fit)(const Eigen::Matrix3d&)) {
  BestBase best;
  for (const Explanation& base : bases) {
    const Eigen::Matrix3d R = fit(correlation(base.v, subject.theirs, subject.weights()));
    Vectors v = turned(R, base.v);
    const double mean = mean_degrees(v, subject.theirs, subject.weights());
    if (!best.base || mean < best.mean) best = {R, &base, std::move(v), mean};
  }
  return best;
}

// "(x, -z, y)"
std::string axes_text(const Eigen::Matrix3d& P) {
  std::string text = "(";
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      if (P(row, column) != 0) {
        if (row > 0) text += ", ";
        if (P(row, column) < 0) text += "-";
        text += "xyz"[column];
      }
  return text + ")";
}

// "rotation by 30 degrees about (0.00, 1.00, 0.00)", "reflection"
std::string motion_text(const Eigen::Matrix3d& R) {
  if (R.determinant() < 0) return "reflection";
  const Eigen::AngleAxisd turn(R);
  char text[100];
  std::snprintf(text, sizeof text, "rotation by %.1f degrees about (%.2f, %.2f, %.2f)",
                turn.angle() * kDegrees, turn.axis().x(), turn.axis().y(), turn.axis().z());
  return text;
}

// Whether a fit takes so much off the mean distance that it is worth a free number: less is what noise gives away.
bool is_worth(double mean, double without) {
  constexpr double kWorth = 1.1;
  return mean * kWorth + kAngleFloor < without;
}

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// One step of Gauss and Newton towards the R for which T R d0 points where theirs do.
Eigen::Matrix3d nearer(const Subject& subject, const Eigen::Matrix3d& R) {
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (std::size_t v = 0; v < subject.d0.size(); ++v) {
    const Eigen::Matrix3d T = eigen(subject.T(static_cast<int>(v)));
    const Eigen::Vector3d turned = R * eigen(subject.d0[v]), carried = T * turned;
    const double size = carried.norm();
    if (!(size > 0)) continue;
    const Eigen::Vector3d u = carried / size;
    const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - u * u.transpose();
    const Eigen::Matrix3d J = -across * T * cross_matrix(turned) / size;
    normal += subject.weights()[v] * J.transpose() * J;
    right += subject.weights()[v] * J.transpose() * (across * (unit_vector(subject.theirs[v]) - u));
  }
  const Eigen::Vector3d step = normal.ldlt().solve(right);
  const double angle = step.norm();
  if (!std::isfinite(angle) || !(angle > 0)) return R;
  return Eigen::AngleAxisd(angle, step / angle) * R;
}

}  // namespace

double mean_degrees(std::span<const Vec3d> a, std::span<const Vec3d> b, std::span<const double> weights) {
  double sum = 0, total = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    sum += weights[v] * angle_between(a[v], b[v]) * kDegrees;
    total += weights[v];
  }
  return total > 0 ? sum / total : 0;
}

void add_rotations(const Subject& subject, std::span<const Explanation> bases,
                   std::vector<Explanation>& list) {
  double without = 180;
  for (const Explanation& base : bases)
    without = std::min(without, mean_degrees(base.v, subject.theirs, subject.weights()));
  BestBase axes = best_base(subject, bases, axes_fit);
  // Pointing the other way everywhere is a mistake of its own.
  const bool other_way = axes.R.isApprox(-Eigen::Matrix3d::Identity());
  BestBase any = best_base(subject, bases, orthogonal_fit);
  if (!other_way && is_worth(axes.mean, without))
    list.push_back(
        {"axes-swapped", ExplanationKind::mistake,
         "axes swapped: " + axes_text(axes.R) + " of '" + axes.base->id + "'",
         "convert the axes of vectors and of positions alike, once (y up against z up, left against right hand)",
         std::move(axes.v)});
  if (is_worth(any.mean, without))
    list.push_back({"constant-rotation", ExplanationKind::mistake,
                    "one " + motion_text(any.R) + " of all vectors, after '" + any.base->id + "'",
                    "a root, model or view transform is applied once too often, or not at all",
                    std::move(any.v)});
}

void add_rotation_before(const Subject& subject, std::vector<Explanation>& list) {
  constexpr int kSteps = 8;
  const auto carried = [&](const Eigen::Matrix3d& R) {
    return per_vertex(subject.rig, [&](int v) { return subject.T(v) * vec(R * eigen(subject.rest(v))); });
  };
  // T^T is the inverse of T where bones only turn.
  const Vectors back = per_vertex(subject.rig, [&](int v) {
    return transpose(subject.T(v)) * subject.theirs[static_cast<std::size_t>(v)];
  });
  Eigen::Matrix3d R = orthogonal_fit(correlation(subject.d0, back, subject.weights()));
  for (int step = 0; step < kSteps; ++step) R = nearer(subject, R);
  const double without =
      mean_degrees(carried(Eigen::Matrix3d::Identity()), subject.theirs, subject.weights());
  Vectors v = carried(R);
  if (!is_worth(mean_degrees(v, subject.theirs, subject.weights()), without)) return;
  list.push_back(
      {"world-before-skinning", ExplanationKind::mistake,
       "one " + motion_text(R) + " of all vectors before the bones: a world transform came first",
       "skin first, then apply the world transform; leave out the transform of a skinned mesh's own node",
       std::move(v)});
}

}  // namespace skinlight::explain
