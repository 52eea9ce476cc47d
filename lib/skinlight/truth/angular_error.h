// How far normals are from the truth.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skinlight/core/angle.h"

namespace skinlight {

// Statistics of angles in degrees. Every mean is weighted; `weighting` says by what. A vertex of weight 0 counts in none of
// them: what has no area is not seen, and its true normal, where there is one at all, is a convention.
struct NormalError {
  std::string weighting;
  int vertices = 0;  // those without weight too
  double mean = 0, rms = 0;
  double p95 = 0, p99 = 0;  // the smallest angle that covers 95 / 99 % of the weight
  double max = 0;
  int worst_vertex = -1;  // of max
  int flips = 0;          // vertices more than 90 degrees off
};

// Angles in degrees, #V. Throws InputError naming the vertex when a normal is not finite or has no length.
std::vector<double> angular_errors(std::span<const Vec3d> normals, std::span<const Vec3d> truth);

// Statistics of angles that are known already: degrees, weights: #V.
NormalError error_statistics(std::span<const double> degrees, std::span<const double> weights,
                             std::string weighting);

// normals, truth: #V by 3; weights: #V, not negative, with a positive sum (vertex_areas of the deformed
// surface by default everywhere in this project). Throws InputError as angular_errors and for unusable
// weights.
NormalError angular_error(std::span<const Vec3d> normals, std::span<const Vec3d> truth,
                          std::span<const double> weights, std::string weighting);

}  // namespace skinlight
