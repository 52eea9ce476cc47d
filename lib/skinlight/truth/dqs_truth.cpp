// Dual quaternion skinning once more, by another route than the kernels: complex_step.h.
#include "skinlight/truth/detail/complex_step.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

using namespace complex_step;

std::vector<Vec3d> analytic_dqs_normals(const ProceduralRig& rig, const Pose& pose) {
  const MotionsOfVertices bones(rig.mesh, pose);
  return normals(rig, pose, [&](int v, int, const std::vector<Complex>& weight, const Vector3& p) -> Vector3 {
    const Blend b = blend(bones.of(v), rig.mesh.bones_of(v), weight);
    return turned(b.r, bones.scale(v) * p) + translation(b.r, b.d);
  });
}

std::vector<Mat3d> blended_rotation(const RiggedMesh& mesh, const Pose& pose) {
  const MotionsOfVertices bones(mesh, pose);
  std::vector<Mat3d> rotations;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const std::vector<Complex> weight(mesh.weights_of(v).begin(), mesh.weights_of(v).end());
    rotations.push_back(rotation_matrix(blend(bones.of(v), mesh.bones_of(v), weight).r, bones.scale(v)));
  }
  return rotations;
}

}  // namespace skinlight
