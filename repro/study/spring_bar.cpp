#include "repro/study/spring_bar.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace skinlight::repro {

namespace {

constexpr double kSettled = 1e-7;  // of a width of 2
constexpr int kMostSteps = 20000;

double smootherstep(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10 - x * (15 - 6 * x));
}

double tetrahedron(Vec3d a, Vec3d b, Vec3d c, Vec3d d) { return dot(b - a, cross(c - a, d - a)) / 6; }

}  // namespace

SpringBar::SpringBar(const SpringBarShape& shape) {
  const int n = shape.across + 1;
  const double size = 2.0 / shape.across;
  const int along = static_cast<int>(std::lround(2 * shape.half_length / size)) + 1;
  const auto index = [&](int x, int y, int z) { return (z * n + y) * n + x; };
  int free = 0;
  for (int z = 0; z < along; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const Vec3d p(-1 + x * size, -1 + y * size, -shape.half_length + z * size);
        rest_.push_back(p);
        weight_.push_back(1 - smootherstep((p.z + shape.half_blend) / (2 * shape.half_blend)));
        free_.push_back(std::abs(p.z) < shape.half_blend ? free++ : -1);
      }
  // From every mass to its neighbours in one half of space, so that each spring comes once.
  for (int z = 0; z < along; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        for (int dz = 0; dz <= 1; ++dz)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              const bool forward = dz > 0 || dy > 0 || (dy == 0 && dx > 0);
              const bool inside = x + dx >= 0 && x + dx < n && y + dy >= 0 && y + dy < n && z + dz < along;
              if (!forward || !inside) continue;
              const int a = index(x, y, z), b = index(x + dx, y + dy, z + dz);
              springs_.push_back({a, b, size * std::sqrt(static_cast<double>(dx * dx + dy * dy + dz * dz))});
            }
        if (x + 1 < n && y + 1 < n && z + 1 < along)
          cells_.push_back({index(x, y, z), index(x + 1, y, z), index(x + 1, y + 1, z), index(x, y + 1, z),
                            index(x, y, z + 1), index(x + 1, y, z + 1), index(x + 1, y + 1, z + 1),
                            index(x, y + 1, z + 1)});
      }
  std::vector<Eigen::Triplet<double>> entries;
  for (const Spring& s : springs_) {
    const int a = free_[static_cast<std::size_t>(s.a)], b = free_[static_cast<std::size_t>(s.b)];
    if (a >= 0) entries.emplace_back(a, a, 1);
    if (b >= 0) entries.emplace_back(b, b, 1);
    if (a >= 0 && b >= 0) {
      entries.emplace_back(a, b, -1);
      entries.emplace_back(b, a, -1);
    }
  }
  Eigen::SparseMatrix<double> matrix(free, free);
  matrix.setFromTriplets(entries.begin(), entries.end());
  system_.compute(matrix);
}

std::vector<Vec3d> SpringBar::blended(const Pose& pose) const {
  std::vector<Vec3d> p;
  for (std::size_t v = 0; v < rest_.size(); ++v)
    p.push_back((1 - weight_[v]) * transform_point(pose.M[0], rest_[v]) +
                weight_[v] * transform_point(pose.M[1], rest_[v]));
  return p;
}

SpringBar::Rest SpringBar::settle(const Pose& pose) const {
  Rest at{blended(pose)};
  Eigen::MatrixXd right(system_.rows(), 3);
  for (double moved = INFINITY; moved > kSettled; ++at.steps) {
    if (at.steps == kMostSteps) throw std::logic_error("the springs do not settle");
    right.setZero();
    for (const Spring& s : springs_) {
      const auto i = static_cast<std::size_t>(s.a), j = static_cast<std::size_t>(s.b);
      const Vec3d along = at.p[i] - at.p[j], wanted = along * (s.length / length(along));
      const auto pull = [&](int mass, Vec3d to) {
        if (mass >= 0) right.row(mass) += Eigen::RowVector3d(to.x, to.y, to.z);
      };
      // A held mass goes to the right side with its place.
      pull(free_[i], free_[j] < 0 ? wanted + at.p[j] : wanted);
      pull(free_[j], free_[i] < 0 ? at.p[i] - wanted : -wanted);
    }
    const Eigen::MatrixXd solved = system_.solve(right);
    moved = 0;
    for (std::size_t v = 0; v < at.p.size(); ++v) {
      if (free_[v] < 0) continue;
      const Vec3d next(solved(free_[v], 0), solved(free_[v], 1), solved(free_[v], 2));
      moved = std::max(moved, length(next - at.p[v]));
      at.p[v] = next;
    }
  }
  return at;
}

double SpringBar::volume(const std::vector<Vec3d>& p) const {
  double sum = 0;
  for (const auto& c : cells_) {
    const auto at = [&](std::size_t i) { return p[static_cast<std::size_t>(c[i])]; };
    // Six tetrahedra around the diagonal from corner 0 to corner 6.
    static constexpr std::size_t kRing[] = {1, 2, 3, 7, 4, 5, 1};
    for (std::size_t i = 0; i < 6; ++i) sum += tetrahedron(at(0), at(kRing[i]), at(kRing[i + 1]), at(6));
  }
  return sum;
}

double SpringBar::largest_force(const std::vector<Vec3d>& p) const {
  std::vector<Vec3d> force(p.size(), Vec3d(0.0));
  for (const Spring& s : springs_) {
    const auto i = static_cast<std::size_t>(s.a), j = static_cast<std::size_t>(s.b);
    const Vec3d along = p[j] - p[i], pull = along * (1 - s.length / length(along));
    force[i] += pull;
    force[j] -= pull;
  }
  double largest = 0;
  for (std::size_t v = 0; v < p.size(); ++v)
    if (free_[v] >= 0) largest = std::max(largest, length(force[v]));
  return largest;
}

}  // namespace skinlight::repro
