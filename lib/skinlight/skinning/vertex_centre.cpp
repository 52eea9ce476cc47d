#include "skinlight/skinning/vertex_centre.h"

#include <string>

#include "skinlight/core/error.h"

namespace skinlight {

void require_centres(const RiggedMesh& mesh, const RotationCentres* centres) {
  if (!centres)
    throw InputError("", "skinning method 'crs'",
                     "needs rotation centres; compute them with rotation_centres()");
  for (const std::size_t size :
       {centres->centre.size(), centres->along_t.size(), centres->along_b.size(), centres->has_centre.size()})
    if (size != mesh.p0.size())
      throw InputError(
          "", "rotation centres",
          "has " + std::to_string(size) + " entries, the mesh needs " + std::to_string(mesh.p0.size()));
}

}  // namespace skinlight
