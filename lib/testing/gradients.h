// Weight gradients the slow way, for tests: every face solved as the 4x4 system of [TPS14 Eq. 5] by Eigen,
// every vertex by looking at all faces.
#pragma once

#include <Eigen/Dense>
#include <map>
#include <vector>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/mesh/averaging.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight::test_gradients {

// The gradient of the function with corner values w.
inline Eigen::Vector3d solve_eq5(Vec3d p, Vec3d q, Vec3d r, Eigen::Vector3d w) {
  Eigen::Matrix4d A;
  A << eigen(p).homogeneous().transpose(), eigen(q).homogeneous().transpose(),
      eigen(r).homogeneous().transpose(),
      (eigen(q) - eigen(p)).cross(eigen(r) - eigen(p)).normalized().transpose(), 0;
  return A.fullPivLu().solve(Eigen::Vector4d(w[0], w[1], w[2], 0)).head<3>();
}

// Per surface vertex: a[s] of every bone in its one-ring.
inline std::vector<std::map<int, Eigen::Vector3d>> brute_force(const RiggedMesh& mesh,
                                                               const std::vector<int>& weld,
                                                               Averaging scheme) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  int count = 0;
  for (const int v : weld) count = std::max(count, v + 1);
  std::vector<std::map<int, Eigen::Vector3d>> sum(at(count));
  std::vector<double> total(at(count), 0.0);
  for (const Face& f : mesh.faces) {
    std::map<int, Eigen::Vector3d> corner_weights;  // of each bone
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < at(mesh.slots); ++k)
        if (const double w = mesh.weights_of(f[c])[k]; w > 0) {
          auto& of_bone = corner_weights.try_emplace(mesh.bones_of(f[c])[k], 0, 0, 0).first->second;
          of_bone[static_cast<Eigen::Index>(c)] += w;
        }
    const Vec3d p[3] = {mesh.p0[at(f[0])], mesh.p0[at(f[1])], mesh.p0[at(f[2])]};
    for (std::size_t c = 0; c < 3; ++c) {
      const double share = corner_weight(scheme, p[c], p[(c + 1) % 3], p[(c + 2) % 3]);
      const std::size_t v = at(weld[at(f[c])]);
      total[v] += share;
      for (const auto& [bone, w] : corner_weights)
        sum[v].try_emplace(bone, 0, 0, 0).first->second += share * solve_eq5(p[0], p[1], p[2], w);
    }
  }
  for (std::size_t v = 0; v < sum.size(); ++v)
    for (auto& [bone, a] : sum[v]) a /= total[v];
  return sum;
}

// Per surface vertex: the mean over its faces of each bone's weight at the two other corners, by looking at
// all faces. Vertices without area around them have none.
inline std::vector<std::map<int, double>> brute_force_smooth_weights(const RiggedMesh& mesh,
                                                                     const std::vector<int>& weld,
                                                                     Averaging scheme) {
  const int count = weld.empty() ? 0 : *std::max_element(weld.begin(), weld.end()) + 1;
  std::vector<std::map<int, double>> mean(static_cast<std::size_t>(count));
  std::vector<double> total(mean.size(), 0.0);
  for (const Face& f : mesh.faces)
    for (std::size_t c = 0; c < 3; ++c) {
      const auto p = [&](std::size_t i) { return mesh.p0[static_cast<std::size_t>(f[(c + i) % 3])]; };
      const double share = corner_weight(scheme, p(0), p(1), p(2));
      const auto v = static_cast<std::size_t>(weld[static_cast<std::size_t>(f[c])]);
      total[v] += share;
      for (const int other : {f[(c + 1) % 3], f[(c + 2) % 3]})
        for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
          if (mesh.weights_of(other)[k] > 0)
            mean[v][mesh.bones_of(other)[k]] += .5 * share * mesh.weights_of(other)[k];
    }
  for (std::size_t v = 0; v < mean.size(); ++v)
    for (auto& [bone, w] : mean[v]) w /= total[v];
  return mean;
}

}  // namespace skinlight::test_gradients
