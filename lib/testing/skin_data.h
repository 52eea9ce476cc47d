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

// Deform frames that change the weights of the factors' bones by a little and add something to the tangents.
inline FrameRecord frames_of(const RiggedMesh& mesh, const NormalRecord& factors, Vec3d centre = Vec3d(0.0)) {
  FrameRecord frames;
  frames.slots = factors.slots;
  frames.frames = 2;
  frames.bone = factors.bone;
  frames.weight = factors.weight;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (int k = 0; k < 2; ++k) {
      double first = 0;
      frames.frame_offset.push_back(0);
      for (int s = 1; s < factors.slots; ++s) {
        frames.frame_offset.push_back((s % 2 == k ? .2 : -.05) / factors.slots);
        first -= frames.frame_offset.back();
      }
      frames.frame_offset[frames.at_offset(v, k, 0)] = first;
      const auto vertex = static_cast<std::size_t>(v);
      frames.frame_t.push_back(mesh.t0[vertex] * (.2 + .1 * k));
      frames.frame_b.push_back(mesh.b0[vertex] * (.2 + .1 * k));
      const std::size_t i = factors.at(v, factors.slots > k + 1 ? k + 1 : 0);
      frames.frame_alpha.push_back(factors.alpha[i]);
      frames.frame_beta.push_back(factors.beta[i]);
      frames.frame_centre.push_back(centre * (k - .3));
    }
  return frames;
}

// Converts to SkinData, which refers to it.
class Full {
 public:
  Full(const RiggedMesh& mesh, const NormalRecord& factors)
      : vectors_(vectors_of(mesh, factors)), frames_(frames_of(mesh, factors)), data_(factors) {
    data_.vectors = &vectors_;
    data_.frames = &frames_;
  }
  Full(const Full&) = delete;
  Full& operator=(const Full&) = delete;
  operator const SkinData&() const { return data_; }  // NOLINT(google-explicit-constructor)

 private:
  NormalRecord vectors_;
  FrameRecord frames_;
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
