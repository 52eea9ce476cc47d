#include "skinlight/asset/raw_attributes.h"

namespace skinlight {

RawAttributes raw_attributes(const RiggedMesh& mesh) {
  RawAttributes raw;
  raw.primitives = {{.name = "mesh", .first = 0, .count = mesh.vertex_count()}};
  raw.slots = mesh.slots;
  raw.bone = mesh.bone;
  raw.weight = mesh.weight;
  raw.normal = mesh.n0;
  raw.tangent = mesh.t0;
  for (std::size_t v = 0; v < raw.tangent.size(); ++v)
    if (mesh.frame_source[v] != FrameSource::file) raw.tangent[v] = Vec3d(0.0);
  raw.tangent_sign = mesh.handedness;
  return raw;
}

}  // namespace skinlight
