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

void measure_pose(const Experiment& experiment, const RigPoseRow& row, const PreparedRig& prepared,
                  const Pose& pose, int threads, Results& results) {
  const bool analytic_known = prepared.has_analytic_truth();
  std::map<Method, Truths> truths;
  std::vector<std::vector<Vec3d>> same;
  for (const MethodCase& method : experiment.methods) {
    SkinOptions options = method.options;
    options.threads = threads;
    const auto [entry, is_new] = truths.try_emplace(options.method);
    Truths& known = entry->second;
    if (is_new) {
      known.posed = posed_truth(prepared.mesh(), prepared.surface(), prepared.data_of(method), pose,
                                options.method, threads);
      if (analytic_known) known.analytic = prepared.analytic_normals(pose, options.method);
    }
    const std::vector<Vec3d> n = skin<double>(prepared.mesh(), prepared.data_of(method), pose, options).n;
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

PreparedRig::PreparedRig(ProceduralRig rig, int threads)
    : rig_(std::move(rig)), surface_(rig_.mesh.faces, weld(rig_.mesh)), threads_(threads) {}

std::vector<Vec3d> PreparedRig::analytic_normals(const Pose& pose, Method method) const {
  return skinlight::analytic_normals(rig_, pose, method, method == Method::crs ? &centre_field() : nullptr);
}

const NormalRecord& PreparedRig::factors_of(const MethodCase& method) const {
  const auto [entry, is_new] =
      factors_.try_emplace({method.exact_gradients, method.factors.averaging, method.factors.max_slots});
  if (is_new && method.exact_gradients) {
    entry->second = deform_factors_from_gradients(rig_.mesh, rig_.gradient);
  } else if (is_new) {
    DeformFactorOptions options = method.factors;
    options.threads = threads_;
    entry->second = deform_factors(rig_.mesh, surface_, options);
  }
  return entry->second;
}

const CentreField& PreparedRig::centre_field() const {
  if (!field_) field_ = skinlight::centre_field(rig_);
  return *field_;
}

const NormalRecord& PreparedRig::vectors_of(const MethodCase& method) const {
  const auto [entry, is_new] = vectors_.try_emplace({method.vectors.averaging, method.vectors.max_slots});
  if (is_new) {
    DeformVectorOptions options = method.vectors;
    options.threads = threads_;
    entry->second = deform_vectors(rig_.mesh, surface_, options);
  }
  return entry->second;
}

SkinData PreparedRig::data_of(const MethodCase& method) const {
  SkinData data = factors_of(method);
  if (method.options.mode == NormalMode::deform_vectors) data.vectors = &vectors_of(method);
  if (method.options.method != Method::crs) return data;
  const auto [entry, is_new] = centres_.try_emplace(method.exact_gradients);
  if (is_new)
    entry->second = method.exact_gradients ? centres_of(rig_, centre_field())
                                           : rotation_centres(rig_.mesh, surface_, {.threads = threads_});
  data.centres = &entry->second;
  return data;
}

void PreparedModel::find_centres(int threads) {
  centres = rotation_centres(model.mesh, surface, {.threads = threads});
}

SkinData PreparedModel::data() const {
  SkinData data = factors;
  data.vectors = &vectors;
  if (!centres.centre.empty()) data.centres = &centres;
  return data;
}

PreparedModel::PreparedModel(Model m, int threads, int max_slots)
    : model(std::move(m)),
      surface(model.mesh.faces, weld(model.mesh)),
      factors(deform_factors(model.mesh, surface, {.max_slots = max_slots, .threads = threads})),
      vectors(deform_vectors(model.mesh, surface, {.max_slots = max_slots, .threads = threads})) {}

void measure_rigs(const Experiment& experiment, int threads, const Progress& progress, Results& results) {
  for (const RigCase& rig : experiment.rigs) {
    progress("measuring " + rig.name);
    const PreparedRig prepared(rig.make(), threads);
    for (const PoseCase& pose : experiment.poses)
      measure_pose(experiment, {rig, pose, prepared.mesh().vertex_count()}, prepared, pose.make(), threads,
                   results);
  }
}

std::vector<Clip> clips_or_default_pose(const Model& model) {
  if (!model.clips.empty()) return model.clips;
  Clip still;
  still.name = "default pose";
  return {still};
}

std::vector<ClipError> measure_clips(const PreparedModel& model, const Experiment& experiment, int threads,
                                     const Progress& progress) {
  std::vector<SkinOptions> ways;
  for (const MethodCase& method : experiment.methods) ways.push_back(method.options);
  std::vector<ClipError> errors;
  for (const Clip& clip : clips_or_default_pose(model.model)) {
    progress("measuring " + model.model.name + ", clip " + clip.name);
    errors.push_back(clip_error(model.model.mesh, model.surface, model.data(), model.model.skeleton, clip,
                                experiment.frames, ways, threads));
  }
  return errors;
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
        const NormalError& error = clip.of(way, truth).error;
        const int vertices = error.vertices / static_cast<int>(clip.times.size());
        results.measurements.push_back({model, "model", resolution, vertices, clip.clip,
                                        experiment.methods[way].name, std::string(name(truth)), error});
      }
}

}  // namespace skinlight::repro
