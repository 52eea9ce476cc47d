#include "skinlight/preprocess/morph_tangents.h"

#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/weight_gradients.h"

namespace skinlight {

namespace {

MorphTangents tangents_of(const MorphTarget& morph, const RiggedMesh& mesh, const Surface& surface,
                          const VertexGradients& gradients) {
  constexpr std::size_t kUnmoved = static_cast<std::size_t>(-1);
  std::vector<std::size_t> row(mesh.p0.size(), kUnmoved);  // of each file vertex in the target
  for (std::size_t i = 0; i < morph.vertex.size(); ++i) row[static_cast<std::size_t>(morph.vertex[i])] = i;

  MorphTangents result;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3d t0 = mesh.t0[static_cast<std::size_t>(v)], b0 = mesh.b0[static_cast<std::size_t>(v)];
    Vec3d dt(0.0), db(0.0);
    const double total = gradients.visit(surface.vertex_of(v), [&](int corner, Vec3d g, double) {
      const std::size_t i = row[static_cast<std::size_t>(corner)];
      if (i == kUnmoved) return;
      dt += morph.dp[i] * dot(g, t0);
      db += morph.dp[i] * dot(g, b0);
    });
    if (total == 0 || (dt == Vec3d(0.0) && db == Vec3d(0.0))) continue;
    result.vertex.push_back(v);
    result.dt.push_back(dt / total);
    result.db.push_back(db / total);
  }
  return result;
}

}  // namespace

std::vector<MorphTangents> morph_tangents(const RiggedMesh& mesh, const Surface& surface,
                                          std::span<const MorphTarget> morphs, Averaging averaging,
                                          int threads) {
  validate(mesh, morphs);
  const VertexGradients gradients(mesh, surface, averaging, threads);
  std::vector<MorphTangents> tangents(morphs.size());
  parallel_tasks(static_cast<int>(morphs.size()), threads, [&](int k) {
    const auto i = static_cast<std::size_t>(k);
    tangents[i] = tangents_of(morphs[i], mesh, surface, gradients);
  });
  return tangents;
}

}  // namespace skinlight
