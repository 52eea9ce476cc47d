#include "skinlight/rig/morph.h"

#include <algorithm>

namespace skinlight {

namespace {

void require_rows(const std::vector<Vec3d>& rows, std::size_t count, const char* what,
                  const std::string& element) {
  if (rows.size() != count)
    throw InputError(
        "", element,
        std::to_string(rows.size()) + " " + what + " for " + std::to_string(count) + " vertices");
  if (!std::all_of(rows.begin(), rows.end(), [](Vec3d d) { return is_finite(d); }))
    throw InputError("", element, std::string(what) + " are not finite");
}

}  // namespace

void validate(const RiggedMesh& mesh, std::span<const MorphTarget> morphs) {
  for (std::size_t k = 0; k < morphs.size(); ++k) {
    const MorphTarget& morph = morphs[k];
    const std::string element =
        "morph target " + std::to_string(k) + (morph.name.empty() ? "" : " (" + morph.name + ")");
    for (std::size_t i = 0; i < morph.vertex.size(); ++i) {
      if (morph.vertex[i] < 0 || morph.vertex[i] >= mesh.vertex_count())
        throw InputError("", element,
                         "vertex " + std::to_string(morph.vertex[i]) + " does not exist (the mesh has " +
                             std::to_string(mesh.vertex_count()) + ")");
      if (i > 0 && morph.vertex[i] <= morph.vertex[i - 1])
        throw InputError("", element, "vertices do not ascend");
    }
    require_rows(morph.dp, morph.vertex.size(), "displacements", element);
    if (!morph.dn.empty()) require_rows(morph.dn, morph.vertex.size(), "changes of normals", element);
    if (!morph.dt.empty()) require_rows(morph.dt, morph.vertex.size(), "changes of tangents", element);
  }
}

}  // namespace skinlight
