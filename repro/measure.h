// From an experiment's rigs, poses, methods and models to numbers.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "repro/experiment.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/rig/model.h"
#include "skinlight/truth/centre_field.h"

namespace skinlight::repro {

// A rig with what is computed once for it.
class PreparedRig {
 public:
  PreparedRig(ProceduralRig rig, int threads);

  const RiggedMesh& mesh() const { return rig_.mesh; }
  const Surface& surface() const { return surface_; }
  bool has_analytic_truth() const { return !rig_.gradient.empty(); }
  std::vector<Vec3d> analytic_normals(const Pose& pose, Method method) const;
  // Computed when first asked for; needs exact gradients.
  const CentreField& centre_field() const;
  // Computed when first asked for.
  const NormalRecord& factors_of(const MethodCase& method) const;
  const NormalRecord& vectors_of(const MethodCase& method) const;
  // What the method skins with; refers to what this rig holds.
  SkinData data_of(const MethodCase& method) const;

 private:
  ProceduralRig rig_;
  Surface surface_;
  int threads_;
  mutable std::map<std::tuple<bool, Averaging, int>, NormalRecord> factors_;
  mutable std::map<std::pair<Averaging, int>, NormalRecord> vectors_;
  mutable std::optional<CentreField> field_;
  mutable std::map<bool, RotationCentres> centres_;  // by whether their gradients are exact
};

// A model with what is computed once for it.
struct PreparedModel {
  Model model;
  Surface surface;
  NormalRecord factors;
  NormalRecord vectors;     // with as many slots as the factors
  RotationCentres centres;  // of models that are skinned about them

  PreparedModel(Model m, int threads, int max_slots = DeformFactorOptions().max_slots);
  void find_centres(int threads);
  // What the model is skinned with; refers to what it holds.
  SkinData data() const;
};

using Progress = std::function<void(const std::string& step)>;

// Every rig in every pose with every method against the analytic, the transported and the recomputed truth of
// its skinning, and the recomputed truth itself as method "recomputed" against the analytic one (of the first
// method's skinning).
void measure_rigs(const Experiment& experiment, int threads, const Progress& progress, Results& results);

// Every clip of a model with every method against the transported and the recomputed truth.
std::vector<ClipError> measure_clips(const PreparedModel& model, const Experiment& experiment, int threads,
                                     const Progress& progress);

// Rows of metrics.csv, family "model"; the pose is the clip; resolution counts bisections.
void add_clips(const std::string& model, int resolution, const Experiment& experiment,
               const std::vector<ClipError>& clips, Results& results);

struct WorstFrame {
  std::size_t clip = 0;  // index
  double time = 0;       // seconds
};

// Where the standard normals have their largest mean error against the transported truth. clips must not be
// empty.
WorstFrame worst_frame(const std::vector<ClipError>& clips);

// The clips of a model, or one clip without channels that holds its default pose.
std::vector<Clip> clips_or_default_pose(const Model& model);

}  // namespace skinlight::repro
