#include "repro/measure.h"

#include <algorithm>

#include "skinlight/core/angle.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro {

namespace {

constexpr const char* kAreaWeighting = "deformed area";

struct RigPoseRow {
  const RigCase& rig;
  const PoseCase& pose;
  int vertices;
};

void add_row(const RigPoseRow& row, const std::string& method, Truth truth, std::span<const Vec3d> normals,
             std::span<const Vec3d> true_normals, std::span<const double> areas, Results& results) {
  results.measurements.push_back({row.rig.name, row.rig.family, row.rig.resolution, row.vertices,
                                  row.pose.name, method, std::string(name(truth)),
                                  angular_error(normals, true_normals, areas, kAreaWeighting)});
}

double largest_angle(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, angle_between(a[v], b[v]));
  return largest;
}

// Of one skinning method.
struct Truths {
  PosedTruth posed;
  std::vector<Vec3d> analytic;  // empty when unknown
};

void measure_pose(const Experiment& experiment, const RigPoseRow& row, const Character& rig, const Pose& pose,
                  Results& results) {
  const bool analytic_known = rig.has_exact_gradients();
  std::map<Method, Truths> truths;
  std::vector<std::vector<Vec3d>> same;
  for (const MethodCase& method : experiment.methods) {
    SkinOptions options = method.options;
    options.threads = rig.threads();
    const auto [entry, is_new] = truths.try_emplace(options.method);
    Truths& known = entry->second;
    if (is_new) {
      known.posed = posed_truth(rig.with(method.preparation), pose, options.method);
      if (analytic_known) known.analytic = rig.analytic_normals(pose, options.method);
    }
    const std::vector<Vec3d> n = skin<double>(rig.mesh(), data_of(rig, method), pose, options).n;
    if (analytic_known)
      add_row(row, method.name, Truth::analytic, n, known.analytic, known.posed.areas, results);
    for (Truth of : {Truth::transported, Truth::recomputed})
      add_row(row, method.name, of, n, known.posed.normals(of), known.posed.areas, results);
    if (std::count(experiment.same_normal.begin(), experiment.same_normal.end(), method.name) > 0)
      same.push_back(n);
  }
  const Truths& known = truths.at(experiment.methods.front().options.method);
  if (analytic_known)
    add_row(row, "recomputed", Truth::analytic, known.posed.recomputed, known.analytic, known.posed.areas,
            results);
  for (std::size_t i = 1; i < same.size(); ++i)
    results.formulas_agree_rad = std::fmax(results.formulas_agree_rad, largest_angle(same[0], same[i]));
}

}  // namespace

SkinData data_of(const Character& character, const MethodCase& method) {
  return character.with(method.preparation).data(method.options.method, method.options.mode);
}

void measure_rigs(const Experiment& experiment, int threads, const Progress& progress, Results& results) {
  for (const RigCase& rig_case : experiment.rigs) {
    progress("measuring " + rig_case.name);
    const Character rig(rig_case.make(), {}, threads);
    for (const PoseCase& pose : experiment.poses)
      measure_pose(experiment, {rig_case, pose, rig.mesh().vertex_count()}, rig, pose.make(), results);
  }
}

std::vector<ClipError> measure_clips(const Character& model, const Experiment& experiment,
                                     const Progress& progress) {
  std::vector<SkinOptions> ways;
  for (const MethodCase& method : experiment.methods) ways.push_back(method.options);
  std::vector<ClipError> errors;
  for (const Clip& clip : clips_or_default_pose(model.model())) {
    progress("measuring " + model.model().name + ", clip " + clip.name);
    errors.push_back(clip_error(model, clip, experiment.frames, ways));
    if (!errors.back().is_measured())
      throw InputError("", "clip '" + clip.name + "'", "the posed mesh has no area in any frame");
  }
  return errors;
}

Model with_recomputed_normals(const Character& character) {
  Model model = character.model();
  model.mesh.n0 = recomputed_normals(character.surface(), model.mesh.p0);
  compute_tangent_frames(model.mesh);
  return model;
}

WorstFrame worst_frame(const std::vector<ClipError>& clips) {
  WorstFrame worst;
  double largest = -1;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const ClipModeError& standard = clips[c].of(0, Truth::transported);
    if (standard.worst_mean > largest) {
      largest = standard.worst_mean;
      worst = {c, clips[c].times[static_cast<std::size_t>(standard.worst_frame)]};
    }
  }
  return worst;
}

void add_clips(const std::string& model, int resolution, const Experiment& experiment,
               const std::vector<ClipError>& clips, Results& results) {
  for (const ClipError& clip : clips)
    for (std::size_t way = 0; way < experiment.methods.size(); ++way)
      for (Truth truth : {Truth::transported, Truth::recomputed}) {
        const ClipModeError& measured = clip.of(way, truth);
        const NormalError& error = measured.error;
        const int vertices = error.vertices / measured.measured_frames();
        results.measurements.push_back({model, "model", resolution, vertices, clip.clip,
                                        experiment.methods[way].name, std::string(name(truth)), error});
      }
}

}  // namespace skinlight::repro
