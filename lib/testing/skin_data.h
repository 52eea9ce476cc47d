// For tests over all modes: everything that skinning can read, from deform factors alone.
#pragma once

#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/skinning/skin_data.h"

namespace skinlight::test_skin_data {

// The paper's factors as deform vectors: tau[s] = w[s] (t0, 0) + alpha[s] p0.
inline NormalRecord vectors_of(const RiggedMesh& mesh, const NormalRecord& factors) {
  NormalRecord vectors;
  vectors.slots = factors.slots;
  vectors.bone = factors.bone;
  vectors.weight = factors.weight;
  vectors.alpha = factors.alpha;
  vectors.beta = factors.beta;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (int k = 0; k < factors.slots; ++k) {
      const std::size_t i = factors.at(v, k), vertex = static_cast<std::size_t>(v);
      vectors.along_t.push_back(mesh.t0[vertex] * factors.weight[i]);
      vectors.along_b.push_back(mesh.b0[vertex] * factors.weight[i]);
    }
  return vectors;
}

// Converts to SkinData, which refers to it.
class Full {
 public:
  Full(const RiggedMesh& mesh, const NormalRecord& factors)
      : vectors_(vectors_of(mesh, factors)), data_(factors) {
    data_.vectors = &vectors_;
  }
  Full(const Full&) = delete;
  Full& operator=(const Full&) = delete;
  operator const SkinData&() const { return data_; }  // NOLINT(google-explicit-constructor)

 private:
  NormalRecord vectors_;
  SkinData data_;
};

inline NormalRecord factors_of(const RiggedMesh& mesh, int max_slots = 4) {
  return deform_factors(mesh, Surface(mesh.faces, weld(mesh)), {.max_slots = max_slots});
}

inline SkinnedMesh<double> skinned(const RiggedMesh& mesh, const NormalRecord& f, const Pose& pose,
                                   NormalMode mode, GuardOptions guard = {}) {
  return skin<double>(mesh, Full(mesh, f), pose, {.mode = mode, .guard = guard});
}

}  // namespace skinlight::test_skin_data
