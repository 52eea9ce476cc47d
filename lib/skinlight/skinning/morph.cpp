#include "skinlight/skinning/morph.h"

#include <cmath>
#include <functional>
#include <string>

#include "skinlight/skinning/kernel_table.h"

namespace skinlight {

namespace {

using K = Kernels<double, 1>;  // morphing does not depend on the influences

const K::RestVertex kNoChange{Vec3d(0.0), Vec3d(0.0), Vec3d(0.0), Vec3d(0.0)};

void require_weights(std::size_t targets, std::span<const double> weights) {
  if (weights.size() != targets)
    throw InputError("", "morph weights",
                     std::to_string(weights.size()) + " weights for " + std::to_string(targets) + " targets");
  for (std::size_t k = 0; k < weights.size(); ++k)
    if (!std::isfinite(weights[k]))
      throw InputError("", "morph weight " + std::to_string(k), "is not finite");
}

// The rest vertices on their way; those that no target touches stay exactly as they are.
class MorphSum {
 public:
  explicit MorphSum(const RiggedMesh& mesh) : mesh_(mesh), touched_(mesh.p0.size(), 0) {
    for (std::size_t v = 0; v < mesh.p0.size(); ++v) sum_.push_back(rest(v));
  }

  void add(int vertex, const K::RestVertex& change, double weight, std::size_t target) {
    if (vertex < 0 || vertex >= mesh_.vertex_count())
      throw InputError("", "morph target " + std::to_string(target),
                       "vertex " + std::to_string(vertex) + " does not exist (the mesh has " +
                           std::to_string(mesh_.vertex_count()) + ")");
    const auto v = static_cast<std::size_t>(vertex);
    sum_[v] = K().morph_add(sum_[v], change, weight);
    touched_[v] = 1;
  }

  using Finish = K::RestVertex (K::*)(K::RestVertex, K::RestVertex, double);
  RiggedMesh finished(Finish finish) const {
    RiggedMesh mesh = mesh_;
    for (std::size_t v = 0; v < sum_.size(); ++v) {
      if (!touched_[v]) continue;
      K kernels;
      const K::RestVertex m = (kernels.*finish)(sum_[v], rest(v), mesh_.handedness[v]);
      mesh.p0[v] = m.p;
      mesh.n0[v] = m.n;
      mesh.t0[v] = m.t;
      mesh.b0[v] = m.b;
    }
    return mesh;
  }

 private:
  K::RestVertex rest(std::size_t v) const { return {mesh_.p0[v], mesh_.n0[v], mesh_.t0[v], mesh_.b0[v]}; }

  const RiggedMesh& mesh_;
  std::vector<K::RestVertex> sum_;
  std::vector<char> touched_;
};

}  // namespace

RiggedMesh morphed(const RiggedMesh& mesh, std::span<const MorphTarget> morphs,
                   std::span<const MorphTangents> tangents, std::span<const double> weights) {
  require_weights(morphs.size(), weights);
  if (tangents.size() != morphs.size())
    throw InputError(
        "", "morph tangents",
        std::to_string(tangents.size()) + " sets for " + std::to_string(morphs.size()) + " targets");
  MorphSum sum(mesh);
  for (std::size_t k = 0; k < morphs.size(); ++k) {
    if (weights[k] == 0) continue;
    K::RestVertex change = kNoChange;
    for (std::size_t i = 0; i < morphs[k].vertex.size(); ++i) {
      change.p = morphs[k].dp[i];
      sum.add(morphs[k].vertex[i], change, weights[k], k);
    }
    change = kNoChange;
    for (std::size_t i = 0; i < tangents[k].vertex.size(); ++i) {
      change.t = tangents[k].dt[i];
      change.b = tangents[k].db[i];
      sum.add(tangents[k].vertex[i], change, weights[k], k);
    }
  }
  return sum.finished(&K::morph_carried);
}

RiggedMesh morphed_as_authored(const RiggedMesh& mesh, std::span<const MorphTarget> morphs,
                               std::span<const double> weights) {
  require_weights(morphs.size(), weights);
  MorphSum sum(mesh);
  for (std::size_t k = 0; k < morphs.size(); ++k) {
    if (weights[k] == 0) continue;
    K::RestVertex change = kNoChange;
    for (std::size_t i = 0; i < morphs[k].vertex.size(); ++i) {
      change.p = morphs[k].dp[i];
      if (!morphs[k].dn.empty()) change.n = morphs[k].dn[i];
      if (!morphs[k].dt.empty()) change.t = morphs[k].dt[i];
      sum.add(morphs[k].vertex[i], change, weights[k], k);
    }
  }
  return sum.finished(&K::morph_authored);
}

}  // namespace skinlight
