// Centres of rotation as skinning reads them.
#pragma once

#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

struct VertexCentre {
  Vec3d c;                 // rest pose
  Vec3d along_t, along_b;  // its derivatives along t0 and b0
};

// The centre of a file vertex. One that has none is its own centre, which moves along with it: such vertices
// are skinned linearly, tangents too. On a single bone all centres are alike.
inline VertexCentre centre_of(const RiggedMesh& mesh, const RotationCentres& centres, int vertex) {
  const auto v = static_cast<std::size_t>(vertex);
  if (!centres.has_centre[v]) return {mesh.p0[v], mesh.t0[v], mesh.b0[v]};
  return {centres.centre[v], centres.along_t[v], centres.along_b[v]};
}

// The same as the kernels read it.
template <class K>
typename K::Centre kernel_centre(const RiggedMesh& mesh, const RotationCentres& centres, int vertex) {
  using vec3 = typename K::vec3;
  const VertexCentre at = centre_of(mesh, centres, vertex);
  return {vec3(at.c), vec3(at.along_t), vec3(at.along_b)};
}

// Throws InputError when there are no centres, or those of another mesh.
void require_centres(const RiggedMesh& mesh, const RotationCentres* centres);

}  // namespace skinlight
