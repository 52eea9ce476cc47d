// Exact normals under spherical blend skinning and log-matrix blending [numerics 5].
#include <algorithm>
#include <cmath>

#include "repro/beyond/beyond.h"
#include "repro/runner/judgement.h"
#include "repro/runner/model_catalogue.h"
#include "repro/study/exact.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/rig/twist.h"

namespace skinlight::repro {

namespace {

MethodCase way(Method method, NormalMode mode, bool exact_gradients = false) {
  const std::string skinning(row(method).name);
  const char* words = mode == NormalMode::standard ? "standard normals"
                      : mode == NormalMode::exact  ? "exact derivative"
                                                   : "exact, smooth weights";
  return {skinning + "-" + std::string(row(mode).name),
          (method == Method::sbs ? "SBS, " : "LOG, ") + std::string(words),
          {.method = method, .mode = mode},
          exact_gradients};
}

constexpr const char* kTorn = " Where logarithms are torn (torn_...) there is no surface to be right about.";

// Ratios to the standard mean: exact derivative, the same at smooth weights.
struct ModelFigures {
  const char* model;
  double sbs[2], log[2];
  double torn;
};
constexpr ModelFigures kModels[] = {{"quaternius-wolf", {.903, .572}, {1.081, .807}, .0010},
                                    {"trex", {.774, .457}, {.749, .446}, .0039},
                                    {"velociraptor", {.917, .508}, {.902, .522}, .0031},
                                    {"quaternius-formal", {.793, .450}, {.900, .808}, .0368},
                                    {"xr-hand-poses", {.473, .274}, {.464, .243}, .0250}};

// Whether bones of a vertex have logarithms that are more than half a turn apart.
bool torn(const RiggedMesh& mesh, int vertex, const std::vector<Twist>& logs) {
  for (int i = 0; i < mesh.slots; ++i)
    for (int j = i + 1; j < mesh.slots; ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      if (!(mesh.weights_of(vertex)[a] > 0) || !(mesh.weights_of(vertex)[b] > 0)) continue;
      const auto turn = [&](std::size_t slot) {
        return logs[static_cast<std::size_t>(mesh.bones_of(vertex)[slot])].turn;
      };
      if (length(turn(a) - turn(b)) > M_PI) return true;
    }
  return false;
}

double torn_share(const Model& model) {
  constexpr int frames = 9;  // of each clip, evenly from its first to its last second
  const std::vector<BoneReach> reach = bone_reach(model.mesh);
  double count = 0, all = 0;
  for (const Clip& clip : model.clips)
    for (int frame = 0; frame < frames; ++frame) {
      const Pose pose = pose_at(model.skeleton, clip, clip.duration * frame / (frames - 1));
      std::vector<Twist> logs;
      for (const DualQuat& bone : rigid_part(pose, reach).bones) logs.push_back(log_of(bone));
      for (int v = 0; v < model.mesh.vertex_count(); ++v) count += torn(model.mesh, v, logs);
      all += model.mesh.vertex_count();
    }
  return count / all;
}

void find_torn(Workbench& bench) {
  for (const ModelFigures& m : kModels) {
    const ModelEntry& entry = model(m.model);
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

std::vector<Claim> claims() {
  std::vector<Claim> all;
  for (const char* skinning : {"sbs", "log"}) {
    const std::string name = skinning, standard = name + "-standard", exact = name + "-exact";
    const std::string words = name == "sbs" ? "Spherical blending" : "Log-matrix blending";
    all.push_back(
        {.name = name + "_exact_max",
         .statement = words +
                      ": with exact weight gradients nothing is left: largest error in degrees on tube "
                      "and cuboid, all motions",
         .expected = 1e-3,
         .bound = Bound::at_most,
         .value = [=](const Results& r) { return largest_exact(r, exact); },
         .why = "Rounding in double. The truth differentiates the blended motion by the complex step. Each "
                "vertex lies between two bones."});
    all.push_back({.name = name + "_exact_order",
                   .statement = words +
                                ": order of convergence of the exact derivative with gradients from the "
                                "mesh, bend of 60 degrees, 12 to 96 segments",
                   .expected = 1.8,
                   .bound = Bound::at_least,
                   .value = [=](const Results& r) { return order(r, exact); },
                   .why = "Averages over symmetric one-rings are right to second order."});
    all.push_back({.name = name + "_standard_order",
                   .statement = words + ": standard normals keep their error: order",
                   .expected = .05,
                   .bound = Bound::at_most,
                   .value = [=](const Results& r) { return order(r, standard); },
                   .why = "It is one of the surface and the pose."});
    for (const ModelFigures& m : kModels) {
      const double* figures = name == "sbs" ? m.sbs : m.log;
      const std::string torn = name == "log" ? kTorn : "";
      all.push_back(model_claim({m.model, exact, standard,
                                 words + ", mean error of the exact derivative over that of standard normals",
                                 figures[0], kCoarse + torn}));
      all.push_back(model_claim(
          {m.model, name + "-smoothed", standard,
           words + ", mean error of the exact derivative at smooth weights over that of standard normals",
           figures[1], kAveraged + torn}));
    }
  }
  for (const auto& [degrees, expected] : {std::pair{30, 2.0}, {60, 4.1}, {90, 6.7}})
    all.push_back(prototype_claim({MotionKind::bend, degrees}, "sbs-standard",
                                  "spherical blending, standard normals, as dual quaternions have them at a "
                                  "revolute joint",
                                  expected));
  for (const ModelFigures& m : kModels)
    all.push_back(
        {.name = "torn_" + identifier(m.model),
         .statement = std::string(m.model) +
                      ": share of the vertices, over all clips, between bones whose logarithms are more than "
                      "half a turn apart",
         .expected = m.torn,
         .tolerance = 0.0002,  // frames are fixed; a bone may round to the other side of half a turn
         .value = [model = std::string(m.model)](const Results& r) { return r.value("torn/" + model); },
         .why =
             "Two bones that turn by little less and little more than half a turn from rest turn alike, but "
             "their logarithms point to opposite sides, and a blend sweeps through everything between: the "
             "skin bursts there. It depends on the frame that the file is in, not on the pose alone.",
         .model = m.model});
  all.push_back(gpu_claim());
  return all;
}

}  // namespace

Experiment beyond_exact_sbs_log() {
  ExactStudy study;
  for (const Method method : {Method::sbs, Method::log})
    for (const NormalMode mode : {NormalMode::standard, NormalMode::exact, NormalMode::smoothed}) {
      study.methods.push_back(way(method, mode));
      if (mode != NormalMode::smoothed) study.table.push_back(way(method, mode, true));
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
  e.id = "beyond/exact_sbs_log";
  e.paper = "Beyond Kavan, Zara 2005 and Alexa 2002";
  e.title = "Exact normals under spherical blend skinning and log-matrix blending";
  e.says =
      "Neither method comes with normals of its own. Deform factors give both exact tangents: under "
      "spherical "
      "blending as about a fixed centre, which is that of all vertices on the same set of bones; under "
      "log-matrix blending through the left Jacobian of the exponential.";
  e.extra = [shared = e.extra](Workbench& bench) {
    shared(bench);
    find_torn(bench);
  };
  e.claims = claims();
  return e;
}

}  // namespace skinlight::repro
