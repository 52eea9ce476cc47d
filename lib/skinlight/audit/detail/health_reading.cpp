#include <map>
#include <set>

#include "skinlight/audit/detail/health_checks.h"

namespace skinlight::health {

void check_reading(const Model& model, const RawAttributes& raw, std::vector<Finding>& findings) {
  std::map<int, std::set<int>> skins;  // of each mesh of the file
  for (const RawPrimitive& p : raw.primitives)
    if (p.mesh >= 0) skins[p.mesh].insert(p.skin);
  Tally shared;
  int vertices = 0;
  for (const auto& [mesh, of_mesh] : skins) {
    if (of_mesh.size() < 2) continue;
    for (const RawPrimitive& p : raw.primitives)
      if (p.mesh == mesh) {
        shared.add(p.first, static_cast<double>(of_mesh.size()));
        vertices += p.count;
      }
  }
  shared.count = vertices;
  add(findings, "meshes-shared-by-skins", Part::vertex, shared, model.mesh.vertex_count(),
      [&](int v) { return vertex_name(raw, v); });
  for (const StaleBake& bake : raw.stale_bakes)
    findings.push_back({.kind = &finding_kind("bake-stale"),
                        .part = Part::mesh,
                        .index = bake.mesh,
                        .name = "mesh " + std::to_string(bake.mesh),
                        .count = 1,
                        .of = 1,
                        .detail = bake.reason});
  for (const Warning& w : model.warnings)
    findings.push_back({.kind = &finding_kind("reader-repaired"),
                        .part = Part::mesh,
                        .name = w.element,
                        .count = w.count,
                        .of = w.count,
                        .detail = w.reason});
}

}  // namespace skinlight::health
