#include "skinlight/preprocess/face_factors.h"

#include <numeric>

namespace skinlight {

namespace {

// #V entries of `width` values each, taken for every corner.
template <class T>
std::vector<T> at_corners(const std::vector<T>& values, const std::vector<int>& vertex, int width = 1) {
  std::vector<T> taken;
  if (values.empty()) return taken;
  taken.reserve(vertex.size() * static_cast<std::size_t>(width));
  for (const int v : vertex)
    for (int k = 0; k < width; ++k)
      taken.push_back(values[static_cast<std::size_t>(v) * static_cast<std::size_t>(width) +
                             static_cast<std::size_t>(k)]);
  return taken;
}

}  // namespace

PerFaceRig per_face_factors(const RiggedMesh& mesh, const DeformFactorOptions& options) {
  PerFaceRig rig;
  for (const Face& face : mesh.faces) {
    const int first = static_cast<int>(rig.vertex.size());
    rig.mesh.faces.push_back({first, first + 1, first + 2});
    rig.vertex.insert(rig.vertex.end(), face.begin(), face.end());
  }
  rig.mesh.p0 = at_corners(mesh.p0, rig.vertex);
  rig.mesh.n0 = at_corners(mesh.n0, rig.vertex);
  rig.mesh.t0 = at_corners(mesh.t0, rig.vertex);
  rig.mesh.b0 = at_corners(mesh.b0, rig.vertex);
  rig.mesh.handedness = at_corners(mesh.handedness, rig.vertex);
  rig.mesh.frame_source = at_corners(mesh.frame_source, rig.vertex);
  rig.mesh.uv = at_corners(mesh.uv, rig.vertex);
  rig.mesh.bone_count = mesh.bone_count;
  rig.mesh.slots = mesh.slots;
  rig.mesh.bone = at_corners(mesh.bone, rig.vertex, mesh.slots);
  rig.mesh.weight = at_corners(mesh.weight, rig.vertex, mesh.slots);

  // Unwelded, every one-ring is one triangle, and the average over it is the triangle's own gradient.
  std::vector<int> apart(rig.vertex.size());
  std::iota(apart.begin(), apart.end(), 0);
  rig.factors = deform_factors(rig.mesh, Surface(rig.mesh.faces, apart), options);
  return rig;
}

}  // namespace skinlight
