// How far two posed meshes are apart whose vertices stand in orders of their own.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "skinlight/core/glsl.h"

namespace skinlight::point_sets {

inline double largest_distance_to_nearest(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to) {
  double largest = 0;
  for (const Vec3d& a : from) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3d& b : to) nearest = std::min(nearest, length(a - b));
    largest = std::max(largest, nearest);
  }
  return largest;
}

// Largest distance between the two sets of vertices, either way, over the diagonal of the expected box.
inline double departure(const std::vector<Vec3d>& p, const std::vector<Vec3d>& expected) {
  Vec3d low = expected[0], high = expected[0];
  for (const Vec3d& e : expected)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], e[i]);
      high[i] = std::max(high[i], e[i]);
    }
  return std::max(largest_distance_to_nearest(p, expected), largest_distance_to_nearest(expected, p)) /
         length(high - low);
}

}  // namespace skinlight::point_sets
