#include "skinlight/truth/angular_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

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
    require_direction(normals[v], v, "normal");
    require_direction(truth[v], v, "true normal");
    degrees[v] = angle_between(normals[v], truth[v]) * kDegrees;
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
    if (degrees[v] > 90) ++error.flips;
    if (degrees[v] > error.max || error.worst_vertex < 0) {
      error.max = degrees[v];
      error.worst_vertex = static_cast<int>(v);
    }
  }
  if (!(total > 0)) throw InputError("", "weights", "of the statistics sum to 0");
  error.mean = sum / total;
  error.rms = std::sqrt(squares / total);

  std::vector<std::size_t> order(degrees.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
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
