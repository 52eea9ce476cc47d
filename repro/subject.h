// What an experiment poses and draws: one of its rigs, or a model.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

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

// Does not own what it refers to.
struct Subject {
  const RiggedMesh& mesh;
  const Surface& surface;
  std::function<SkinData(const MethodCase&)> data;
  std::function<std::vector<Vec3d>(const Pose&, Method)> analytic;  // empty: not known
  Image8 normal_map;                                                // empty: none
};

Subject subject_of(const PreparedRig& rig, const RigCase& rig_case);
Subject subject_of(const PreparedModel& model);

// Throws InputError naming the clip.
const Clip& clip_named(const Model& model, const std::string& clip);

// A subject in one pose, skinned on the GPU by each method once.
class PosedSubject {
 public:
  PosedSubject(const Experiment& experiment, const Subject& subject, Pose pose, Studio& studio, int threads)
      : experiment_(experiment),
        subject_(subject),
        pose_(std::move(pose)),
        studio_(studio),
        threads_(threads) {}

  const RiggedMesh& mesh() const { return subject_.mesh; }

  const SkinnedMesh<float>& posed(const std::string& method);
  const SkinnedMesh<float>& posed() { return posed(experiment_.methods.front().name); }
  // The largest difference of any component of any vertex attribute.
  double difference_from_cpu(const std::string& method);
  // The method's positions with the true normals of its skinning: analytic where the rig has exact gradients,
  // else transported. Tangents as [TPS14 Sec. 6] gets them: from the uv on the posed triangles, in the plane
  // of the normal and at right angles.
  const SkinnedMesh<float>& truth(const std::string& method);
  SkinnedMesh<float> rest() const;
  // Through the normal map if there is one.
  PosedMesh view(const SkinnedMesh<float>& posed) const;

 private:
  const Experiment& experiment_;
  const Subject& subject_;
  Pose pose_;
  Studio& studio_;
  int threads_;
  std::map<std::string, SkinnedMesh<float>> posed_;
  std::map<Method, SkinnedMesh<float>> truth_;
};

}  // namespace skinlight::repro
