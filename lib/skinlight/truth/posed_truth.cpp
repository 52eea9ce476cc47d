#include "skinlight/truth/posed_truth.h"

#include <cassert>
#include <utility>

#include "skinlight/mesh/normals.h"
#include "skinlight/rig/bone_reach.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

std::string_view name(Truth truth) {
  switch (truth) {
    case Truth::analytic:
      return "analytic";
    case Truth::transported:
      return "transported";
    case Truth::recomputed:
      return "recomputed";
  }
  return "";
}

std::span<const Vec3d> PosedTruth::normals(Truth truth) const {
  assert(truth != Truth::analytic);
  return truth == Truth::transported ? transported : recomputed;
}

PosedTruth truth_of_positions(const RiggedMesh& mesh, const Surface& surface, const Pose& pose,
                              std::vector<Vec3d> p, Method method, std::span<const Vec3d> morphed) {
  PosedTruth truth;
  truth.p = std::move(p);
  truth.extension = extension_of(mesh, pose, method);
  const std::vector<double> orientation = orientations(mesh, pose);
  truth.transported =
      transported_normals(mesh, surface, truth.p, truth.extension, orientation, Averaging::area, morphed);
  truth.recomputed = recomputed_normals(surface, truth.p, orientation);
  truth.areas = vertex_areas(surface, truth.p);
  return truth;
}

PosedTruth posed_truth(const RiggedMesh& mesh, const Surface& surface, const SkinData& data, const Pose& pose,
                       Method method, int threads) {
  const SkinOptions standard = {.method = method, .mode = NormalMode::standard, .threads = threads};
  return truth_of_positions(mesh, surface, pose, skin<double>(mesh, data, pose, standard).p, method);
}

}  // namespace skinlight
