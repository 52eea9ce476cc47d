#include "skinlight/rig/mirrored_blend.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "skinlight/core/error.h"

namespace skinlight {

std::vector<double> mirrored_share(const RiggedMesh& mesh, const Pose& pose) {
  if (static_cast<int>(pose.M.size()) < mesh.bone_count)
    throw InputError(
        "", "pose", "has " + std::to_string(pose.M.size()) + " bones for " + std::to_string(mesh.bone_count));
  std::vector<double> volume;  // of each bone
  for (const Mat4x3d& m : pose.M) volume.push_back(determinant(Mat3d(m)));
  std::vector<double> shares;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    double mirrored = 0, plain = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k) {
      const double of_bone = volume[static_cast<std::size_t>(mesh.bones_of(v)[k])];
      if (of_bone < 0) mirrored += mesh.weights_of(v)[k];
      if (of_bone > 0) plain += mesh.weights_of(v)[k];
    }
    shares.push_back(std::min(mirrored, plain));
  }
  return shares;
}

}  // namespace skinlight
