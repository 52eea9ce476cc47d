#include "skinlight/samples/body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "skinlight/rig/turn.h"

namespace skinlight {

namespace {

constexpr std::size_t kPlaces = 4;
constexpr std::array<Vec3d, kPlaces> kPlace = {Vec3d(0.5, 0, -2.25), Vec3d(-0.5, 0.5, -0.75),
                                               Vec3d(0.5, -0.5, 0.75), Vec3d(-0.5, 0, 2.25)};
constexpr double kSigma = 2.3;  // of the Gaussians

}  // namespace

ProceduralRig body(const Tessellation& tessellation) {
  ProceduralRig rig{pill(tessellation).mesh, {}};
  RiggedMesh& mesh = rig.mesh;
  mesh.bone_count = mesh.slots = static_cast<int>(kPlaces);
  mesh.bone.clear();
  mesh.weight.clear();
  for (const Vec3d& p : mesh.p0) {
    // w = g / sum g, so that grad w = w (grad log g - sum over the bones of w grad log g).
    std::array<double, kPlaces> w;
    for (std::size_t s = 0; s < kPlaces; ++s)
      w[s] = std::exp(-dot(p - kPlace[s], p - kPlace[s]) / (2 * kSigma * kSigma));
    const double sum = std::accumulate(w.begin(), w.end(), 0.0);
    for (double& x : w) x /= sum;
    const auto grad_log = [&](std::size_t s) { return (kPlace[s] - p) / (kSigma * kSigma); };
    Vec3d mean(0.0);
    for (std::size_t s = 0; s < kPlaces; ++s) mean += grad_log(s) * w[s];

    std::array<std::size_t, kPlaces> order = {0, 1, 2, 3};
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return w[a] > w[b]; });
    for (const std::size_t s : order) {
      mesh.bone.push_back(static_cast<int>(s));
      mesh.weight.push_back(w[s]);
      rig.gradient.push_back((grad_log(s) - mean) * w[s]);
    }
  }
  validate(mesh);
  return rig;
}

Pose body_pose(Vec3d translation) {
  const std::array<Vec3d, kPlaces> axis = {Vec3d(1, 0, 0), Vec3d(0, 0, 1), Vec3d(0, 1, 0), Vec3d(-1, 0, 0)};
  const std::array<double, kPlaces> angle = {0.5, 0.4, -0.3, 0.5};
  std::vector<Mat4x3d> M;
  for (std::size_t s = 0; s < kPlaces; ++s) {
    M.push_back(turn_about(kPlace[s], axis[s], angle[s]));
    M.back()[3] += translation;
  }
  return make_pose(std::move(M));
}

}  // namespace skinlight
