// Exact normals under spherical blend skinning and log-matrix blending.
#include <algorithm>
#include <cmath>

#include "repro/runner/judgement.h"
#include "repro/runner/model_catalogue.h"
#include "repro/study/exact.h"
#include "skinlight/rig/torn_logarithms.h"

namespace skinlight::repro::beyond::exact_sbs_log {

namespace {

MethodCase way(Method method, NormalMode mode, const Preparation& preparation = {}) {
  const std::string skinning(row(method).name);
  const char* words = mode == NormalMode::standard ? "standard normals"
                      : mode == NormalMode::exact  ? "exact derivative"
                                                   : "exact, smooth weights";
  return {skinning + "-" + std::string(row(mode).name),
          (method == Method::sbs ? "SBS, " : "LOG, ") + std::string(words),
          {.method = method, .mode = mode},
          preparation};
}

constexpr const char* kModels[] = {"quaternius-wolf", "trex", "velociraptor", "quaternius-formal",
                                   "xr-hand-poses"};

// Of vertices in a frame.
double torn_share(const Model& model) {
  constexpr int frames = 9;  // of each clip, evenly from its first to its last second
  double count = 0, all = 0;
  for (const Clip& clip : model.clips)
    for (int frame = 0; frame < frames; ++frame) {
      const Pose pose = pose_at(model.skeleton, clip, clip.duration * frame / (frames - 1));
      count += torn_logarithms(model.mesh, pose).vertices;
      all += model.mesh.vertex_count();
    }
  return count / all;
}

void find_torn(Workbench& bench) {
  for (const char* name : kModels) {
    const ModelEntry& entry = model(name);
    if (!why_missing(entry).empty()) continue;
    bench.progress("looking for torn logarithms in " + entry.name);
    bench.results.values["torn/" + entry.name] = torn_share(load_model(entry));
  }
}

double largest_exact(const Results& r, const std::string& method) {
  double worst = 0;
  for (const char* body : {kTube, kCuboid})
    for (const MotionKind kind : {MotionKind::twist, MotionKind::bend})
      worst = std::max(worst, largest(r, body, kind, method, TableFigure::max));
  return worst;
}

std::vector<Finding> findings() {
  std::vector<Finding> all;
  for (const char* skinning : {"sbs", "log"}) {
    const std::string name = skinning, standard = name + "-standard", exact = name + "-exact";
    all.push_back({name + "_exact_max", [=](const Results& r) { return largest_exact(r, exact); }});
    all.push_back({name + "_exact_order", [=](const Results& r) { return order(r, exact); }});
    all.push_back({name + "_standard_order", [=](const Results& r) { return order(r, standard); }});
    for (const char* model : kModels) {
      all.push_back(model_finding(model, exact, standard));
      all.push_back(model_finding(model, name + "-smoothed", standard));
    }
  }
  for (const int degrees : {30, 60, 90})
    all.push_back(tube_finding({MotionKind::bend, degrees}, "sbs-standard"));
  for (const std::string model : kModels)
    all.push_back({"torn_" + identifier(model), value_of("torn/" + model)});
  all.push_back(gpu_finding());
  return all;
}

}  // namespace

Experiment make() {
  ExactStudy study;
  for (const Method method : {Method::sbs, Method::log})
    for (const NormalMode mode : {NormalMode::standard, NormalMode::exact, NormalMode::smoothed}) {
      study.methods.push_back(way(method, mode));
      if (mode != NormalMode::smoothed) study.table.push_back(way(method, mode, kExactGradients));
    }
  study.shown = {"sbs-standard", "sbs-exact", "log-standard", "log-exact"};
  study.shown_on_models = {"sbs-standard", "sbs-smoothed", "log-standard", "log-smoothed"};
  study.drawn = {{MotionKind::bend, 60}, {MotionKind::bend, 90}};
  study.models = {wolf(), trex(), velociraptor(), formal({}), hand()};
  study.frames = {{"wolf", "quaternius-wolf", "AnimalArmature|Gallop", 0.27},
                  {"trex", "trex", "Armature|TRex_Run", 0.45},
                  {"velociraptor", "velociraptor", "Armature|Velociraptor_Run", 0.27},
                  {"formal", "quaternius-formal", "Run", 0.5},
                  {"hand", "xr-hand-poses", "Grip", 1.0}};
  Experiment e = exact_experiment(study);
  e.builds_on = {"kavan2005", "alexa2002"};
  e.title = "Exact normals under spherical blend skinning and log-matrix blending";
  e.says =
      "Neither method comes with normals of its own. "
      "Deform factors give both exact tangents: under spherical blending as about a fixed centre, which is that of all vertices on the same set of bones; under log-matrix blending through the left Jacobian of the exponential.";
  e.extra = [shared = e.extra](Workbench& bench) {
    shared(bench);
    find_torn(bench);
  };
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::beyond::exact_sbs_log
