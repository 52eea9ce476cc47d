#include "skinlight/truth/angular_error.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

// Products of numbers between 1 / kSafe and kSafe, up to their fourth power, neither overflow nor vanish.
constexpr double kSafe = 0x1p100;

// The power of two that brings the largest number near 1 where it is not safe: nothing is rounded.
int exponent_to_safety(double largest) {
  if (!(largest > 0) || !std::isfinite(largest) || (largest > 1 / kSafe && largest < kSafe)) return 0;
  return -std::ilogb(largest);
}

// Of any length but 0: only the direction matters.
Vec3d safe_direction(Vec3d n) {
  const int exponent = exponent_to_safety(std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}));
  if (exponent == 0) return n;
  return {std::ldexp(n.x, exponent), std::ldexp(n.y, exponent), std::ldexp(n.z, exponent)};
}

// Only the ratios of weights matter.
void make_safe(std::span<const double>& weights, std::vector<double>& own) {
  double largest = 0;
  for (const double w : weights) largest = std::max(largest, w);
  const int exponent = exponent_to_safety(largest);
  if (exponent == 0) return;
  for (const double w : weights) own.push_back(std::ldexp(w, exponent));
  weights = own;
}

void require_direction(Vec3d n, std::size_t vertex, const char* what) {
  const double size = length(n);
  if (!std::isfinite(size) || !(size > 0))
    throw InputError("", "vertex " + std::to_string(vertex), std::string(what) + " is not a direction");
}

}  // namespace

std::vector<double> angular_errors(std::span<const Vec3d> normals, std::span<const Vec3d> truth) {
  if (normals.size() != truth.size())
    throw InputError(
        "", "normals",
        "has " + std::to_string(normals.size()) + " entries, the truth " + std::to_string(truth.size()));
  std::vector<double> degrees(normals.size());
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    const Vec3d normal = safe_direction(normals[v]), true_normal = safe_direction(truth[v]);
    require_direction(normal, v, "normal");
    require_direction(true_normal, v, "true normal");
    degrees[v] = angle_between(normal, true_normal) * kDegrees;
  }
  return degrees;
}

NormalError angular_error(std::span<const Vec3d> normals, std::span<const Vec3d> truth,
                          std::span<const double> weights, std::string weighting) {
  return error_statistics(angular_errors(normals, truth), weights, std::move(weighting));
}

NormalError error_statistics(std::span<const double> degrees, std::span<const double> weights,
                             std::string weighting) {
  if (weights.size() != degrees.size())
    throw InputError(
        "", "weights",
        "has " + std::to_string(weights.size()) + " entries, expected " + std::to_string(degrees.size()));
  std::vector<double> own;
  make_safe(weights, own);
  NormalError error;
  error.weighting = std::move(weighting);
  error.vertices = static_cast<int>(degrees.size());
  double total = 0, sum = 0, squares = 0;
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    if (!(weights[v] >= 0) || !std::isfinite(weights[v]))
      throw InputError("", "vertex " + std::to_string(v),
                       "weight of the statistics is negative or not finite");
    total += weights[v];
    sum += weights[v] * degrees[v];
    squares += weights[v] * degrees[v] * degrees[v];
    if (weights[v] == 0) continue;
    if (degrees[v] > 90) ++error.flips;
    if (degrees[v] > error.max || error.worst_vertex < 0) {
      error.max = degrees[v];
      error.worst_vertex = static_cast<int>(v);
    }
  }
  if (!(total > 0)) throw InputError("", "weights", "of the statistics sum to 0");
  error.mean = sum / total;
  error.rms = std::sqrt(squares / total);

  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < degrees.size(); ++v)
    if (weights[v] > 0) order.push_back(v);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return degrees[a] != degrees[b] ? degrees[a] < degrees[b] : a < b;
  });
  double covered = 0;
  bool p95_known = false, p99_known = false;
  for (std::size_t v : order) {
    covered += weights[v];
    if (!p95_known && covered >= 0.95 * total) {
      error.p95 = degrees[v];
      p95_known = true;
    }
    if (!p99_known && covered >= 0.99 * total) {
      error.p99 = degrees[v];
      p99_known = true;
    }
  }
  return error;
}

}  // namespace skinlight
