// Centres of rotation by the letter of [BTGM19 Eq. 6, 10], for tests: dense weights, all bones by all bones,
// all triangles, in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "skinlight/core/detail/at.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight::test_centres {

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

// [BTGM19 Alg. 4] on unwelded vertices. Single-bone vertices are the library's own business: Eq. 10 reads 0 /
// 0.
class Search {
 public:
  Search(const RiggedMesh& mesh, double sigma) : mesh_(mesh), sigma_(sigma) {
    for (int v = 0; v < mesh.vertex_count(); ++v) w_.push_back(dense_weights(mesh, v));
    for (const Face& f : mesh.faces) {
      w_t_.emplace_back(at(mesh.bone_count), 0);
      for (const int v : f)
        for (std::size_t s = 0; s < w_t_.back().size(); ++s) w_t_.back()[s] += w_[at(v)][s] / 3;
    }
  }

  // The centre, and of how many triangles.
  std::pair<std::optional<Vec3d>, int> centre(int v, double cutoff, double omega) const {
    const std::size_t count = mesh_.faces.size();
    std::vector<char> reached(count, 0);
    std::vector<long double> s(count);
    for (std::size_t t = 0; t < count; ++t) {
      s[t] = similarity(w_[at(v)], w_t_[t], sigma_);
      for (const int u : mesh_.faces[t]) {
        long double distance = 0;
        for (std::size_t b = 0; b < w_t_[t].size(); ++b)
          distance += (w_[at(u)][b] - w_[at(v)][b]) * (w_[at(u)][b] - w_[at(v)][b]);
        if (std::sqrt(distance) < omega) reached[t] = 1;
      }
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t t = 0; t < count; ++t)
        for (std::size_t u = 0; u < count && reached[t] && s[t] >= cutoff; ++u)
          if (!reached[u] && share_an_edge(mesh_.faces[t], mesh_.faces[u])) reached[u] = grown = true;
    }
    long double bottom = 0;
    long double top[3] = {};
    int used = 0;
    for (std::size_t t = 0; t < count; ++t) {
      if (!reached[t] || s[t] < cutoff) continue;
      const Vec3d a = mesh_.p0[at(mesh_.faces[t][0])], b = mesh_.p0[at(mesh_.faces[t][1])],
                  c = mesh_.p0[at(mesh_.faces[t][2])];
      const long double share = s[t] * length(cross(b - a, c - a)) / 2;
      bottom += share;
      for (int i = 0; i < 3; ++i) top[i] += share * (a[i] + b[i] + c[i]) / 3;
      ++used;
    }
    if (used == 0) return {std::nullopt, 0};
    return {Vec3d(static_cast<double>(top[0] / bottom), static_cast<double>(top[1] / bottom),
                  static_cast<double>(top[2] / bottom)),
            used};
  }

 private:
  static bool share_an_edge(const Face& f, const Face& g) {
    int common = 0;
    for (const int v : f) common += std::count(g.begin(), g.end(), v) > 0;
    return common == 2;
  }
  const RiggedMesh& mesh_;
  double sigma_;
  std::vector<std::vector<long double>> w_, w_t_;
};

}  // namespace skinlight::test_centres
