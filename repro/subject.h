// What an experiment poses and draws: one of its rigs, or a model.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "repro/dress.h"
#include "repro/experiment.h"
#include "repro/measure.h"
#include "repro/studio.h"

namespace skinlight::repro {

// The row of that name. Throws std::logic_error when there is none: a mistake of the experiment.
template <class Rows>
const auto& named(const Rows& rows, const std::string& wanted) {
  for (const auto& r : rows)
    if (r.name == wanted) return r;
  throw std::logic_error("the experiment names '" + wanted + "', which it does not have");
}

// Keeps its character in GPU memory as long as it lives, for every data that methods skin it with; a studio's context
// must outlive it.
struct Subject {
  Character character;
  Image8 normal_map = {};                                           // empty: none
  Dress dress = {};                                                 // of a model; else clay
  mutable std::map<std::array<const void*, 4>, GpuSkin> rigs = {};  // by on_gpu()

  const RiggedMesh& mesh() const { return character.mesh(); }
  const GpuSkin& on_gpu(const MethodCase& method, Studio& studio) const;
};

Subject subject_of(const RigCase& rig, int threads);

// A model as the experiment wants it: its N_max, its clips. Throws InputError when it is not at hand or lacks a clip.
Character character_of(const ModelCase& of, int threads);

// Throws InputError naming the clip.
const Clip& clip_named(const Model& model, const std::string& clip);

// A subject in one pose: to be drawn, in one pass from the rest pose to the picture, and to be measured.
class PosedSubject {
 public:
  PosedSubject(const Experiment& experiment, const Subject& subject, Pose pose, Studio& studio, int threads)
      : experiment_(experiment),
        subject_(subject),
        pose_(std::move(pose)),
        studio_(studio),
        threads_(threads) {}

  const RiggedMesh& mesh() const { return subject_.mesh(); }

  // What the GPU makes of it, captured once per method.
  const SkinnedMesh<float>& captured(const std::string& method);
  // The largest difference of any component of any vertex attribute.
  double difference_from_cpu(const std::string& method);
  // Where the method, or the first one, puts the vertices, computed on the CPU: #V by 3.
  const std::vector<Vec3f>& points(const std::string& method);
  const std::vector<Vec3f>& points() { return points(experiment_.methods.front().name); }

  // Sights refer to what this holds. Through the normal map if there is one.
  Sight posed(const std::string& method);
  // The method's positions with the true normals of its skinning: analytic where the rig has exact gradients,
  // else transported. Tangents as [TPS14 Sec. 6] gets them: from the uv on the posed triangles, in the plane
  // of the normal and at right angles.
  Sight truth(const std::string& method);
  Sight rest();

 private:
  const Experiment& experiment_;
  const Subject& subject_;
  Pose pose_;
  Studio& studio_;
  int threads_;
  PosedMesh view(const SkinnedMesh<float>& posed) const;

  std::map<std::string, SkinnedMesh<float>> captured_;
  std::map<Method, SkinnedMesh<float>> truth_;
  std::optional<SkinnedMesh<float>> rest_;
  std::map<Method, std::vector<Vec3f>> points_;
};

}  // namespace skinlight::repro
