// Centres of rotation by the letter of [BTGM19 Eq. 6, 10], for tests: dense weights, all bones by all bones,
// all triangles, in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "skinlight/rig/rigged_mesh.h"

namespace skinlight::test_centres {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

inline std::vector<long double> dense_weights(const RiggedMesh& mesh, int v) {
  std::vector<long double> w(at(mesh.bone_count), 0);
  for (int k = 0; k < mesh.slots; ++k) w[at(mesh.bones_of(v)[at(k)])] += mesh.weights_of(v)[at(k)];
  return w;
}

inline long double similarity(const std::vector<long double>& p, const std::vector<long double>& v,
                              double sigma) {
  long double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j)
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (j == k || p[j] == 0 || p[k] == 0) continue;
      const long double d = p[j] * v[k] - p[k] * v[j];
      sum += p[j] * p[k] * v[j] * v[k] * std::exp(-d * d / (static_cast<long double>(sigma) * sigma));
    }
  return sum;
}

// The largest distance of a vertex from the mean of all.
inline double radius(const RiggedMesh& mesh) {
  Vec3d mean(0.0);
  for (const Vec3d& p : mesh.p0) mean += p / static_cast<double>(mesh.p0.size());
  double largest = 0;
  for (const Vec3d& p : mesh.p0) largest = std::max(largest, length(p - mean));
  return largest;
}

// Nothing where the denominator is 0.
inline std::vector<std::optional<Vec3d>> direct_centres(const RiggedMesh& mesh, double sigma) {
  std::vector<std::vector<long double>> w;
  for (int v = 0; v < mesh.vertex_count(); ++v) w.push_back(dense_weights(mesh, v));
  std::vector<std::vector<long double>> w_t;
  for (const Face& f : mesh.faces) {
    w_t.emplace_back(at(mesh.bone_count), 0);
    for (const int v : f)
      for (std::size_t s = 0; s < w_t.back().size(); ++s) w_t.back()[s] += w[at(v)][s] / 3;
  }
  std::vector<std::optional<Vec3d>> centres;
  for (int i = 0; i < mesh.vertex_count(); ++i) {
    long double bottom = 0, x = 0, y = 0, z = 0;
    for (std::size_t t = 0; t < mesh.faces.size(); ++t) {
      const Vec3d a = mesh.p0[at(mesh.faces[t][0])], b = mesh.p0[at(mesh.faces[t][1])],
                  c = mesh.p0[at(mesh.faces[t][2])];
      const long double share = length(cross(b - a, c - a)) / 2 * similarity(w[at(i)], w_t[t], sigma);
      bottom += share;
      x += share * (a.x + b.x + c.x) / 3;
      y += share * (a.y + b.y + c.y) / 3;
      z += share * (a.z + b.z + c.z) / 3;
    }
    centres.push_back(std::nullopt);
    if (bottom > 0)
      centres.back() = Vec3d(static_cast<double>(x / bottom), static_cast<double>(y / bottom),
                             static_cast<double>(z / bottom));
  }
  return centres;
}

}  // namespace skinlight::test_centres
