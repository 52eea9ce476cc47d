#include "repro/study/exact.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "repro/measure.h"
#include "repro/runner/csv.h"
#include "repro/studio.h"
#include "repro/subject.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/samples/cuboid.h"

namespace skinlight::repro {

namespace {

constexpr int kSegments[] = {12, 24, 48, 96};
constexpr const char* kFinest = "cylinder_96";
constexpr int kFramesPerClip = 4;
constexpr double kDrawnTwist = 120, kDrawnBend = 60;  // degrees, of the pictured cuboid

RigCase cuboid_case() {
  return {kCuboid, kCuboid, 100, [] { return cuboid({.shared = true}); }};
}

Pose pose_of(const std::string& body, const TubeMotion& motion) {
  if (body == kTube) return motion.pose();
  return motion.kind == MotionKind::twist ? cuboid_pose(motion.degrees, 0) : cuboid_pose(0, motion.degrees);
}

std::string key(const std::string& body, const TubeMotion& motion, const std::string& method,
                TableFigure figure) {
  const char* names[] = {"mean", "rest_mean", "max"};
  return body + "/" + motion.name() + "/" + method + "/" + names[static_cast<std::size_t>(figure)];
}

void measure_body(const std::string& body, const Character& rig, const std::vector<MethodCase>& methods,
                  Workbench& bench, std::string& csv) {
  const std::vector<double> rest_areas = vertex_areas(rig.surface(), rig.mesh().p0);
  for (const TubeMotion& motion : kMotions) {
    bench.progress("measuring the " + body + ", " + motion.words());
    const Pose pose = pose_of(body, motion);
    std::map<Method, std::vector<Vec3d>> truth;
    for (const MethodCase& method : methods) {
      SkinOptions options = method.options;
      options.threads = bench.threads;
      const auto [entry, is_new] = truth.try_emplace(options.method);
      if (is_new) entry->second = rig.analytic_normals(pose, options.method);
      const SkinnedMesh<double> posed = skin<double>(rig.mesh(), data_of(rig, method), pose, options);
      const std::vector<double> degrees = angular_errors(posed.n, entry->second);
      const NormalError deformed =
          error_statistics(degrees, vertex_areas(rig.surface(), posed.p), "deformed area");
      const NormalError rest = error_statistics(degrees, rest_areas, "rest area");
      csv += csv_row({body, motion.name(), method.name}, {deformed.mean, rest.mean, deformed.max});
      std::map<std::string, double>& values = bench.results.values;
      values[key(body, motion, method.name, TableFigure::mean)] = deformed.mean;
      values[key(body, motion, method.name, TableFigure::rest_mean)] = rest.mean;
      values[key(body, motion, method.name, TableFigure::max)] = deformed.max;
    }
  }
}

// The cuboid, twisted and bent at once.
void draw_cuboid(const Character& rig, const ExactStudy& study, Workbench& bench) {
  Experiment names;
  names.methods = study.methods;
  const Subject subject{rig};
  PosedSubject posed(names, subject, cuboid_pose(kDrawnTwist, kDrawnBend), bench.studio, bench.threads);
  const Shot shot = tube_shot();
  const Framing framing = framing_of(shot, {posed.points(study.shown.front())});
  const std::string words = "Cuboid, twist of 120 and bend of 60 degrees: ";
  std::vector<Method> skinnings;
  for (const std::string& name : study.shown) {
    const MethodCase& method = named(study.methods, name);
    const Sight seen = posed.posed(name), right = posed.truth(name);
    const std::string stem = std::string(kCuboid) + "_";
    bench.write_image(stem + name + ".png", words + method.label, bench.studio.shaded(seen, framing));
    bench.write_image(stem + "error_" + name + ".png", words + "error of " + method.label,
                      bench.studio.error_map(seen, right, framing, shot.error_max_degrees));
    const Method skinning = method.options.method;
    if (std::count(skinnings.begin(), skinnings.end(), skinning) > 0) continue;
    skinnings.push_back(skinning);
    const std::string skinning_name(row(skinning).name);
    bench.write_image(stem + "truth_" + skinning_name + ".png", words + "truth, " + skinning_name,
                      bench.studio.shaded(right, framing));
  }
}

void run(Workbench& bench, const ExactStudy& study) {
  std::string csv = "body,motion,method,mean_deg,rest_mean_deg,max_deg\n";
  const Character tube(tube_case(kSegments[std::size(kSegments) - 1]).make(), {}, bench.threads);
  const Character block(cuboid_case().make(), {}, bench.threads);
  measure_body(kTube, tube, study.table, bench, csv);
  measure_body(kCuboid, block, study.table, bench, csv);
  bench.write_table(
      "errors.csv",
      "Errors in degrees with exact gradients: mean by deformed area, mean by rest area, largest", csv);
  bench.progress("drawing the cuboid");
  draw_cuboid(block, study, bench);
}

// The methods that are shown of one frame, with their errors, and the truth of each skinning among them.
void add_pictures(const FrameCase& frame, const std::string& words, const std::vector<std::string>& shown,
                  Experiment& e) {
  std::vector<Method> skinnings;
  for (const std::string& name : shown) {
    const MethodCase& method = named(e.methods, name);
    e.pictures.push_back({frame.stem + "_" + name + ".png", words + ": " + method.label, PictureKind::posed,
                          frame.rig, frame.pose, name, frame.time});
    e.pictures.push_back({frame.stem + "_error_" + name + ".png", words + ": error of " + method.label,
                          PictureKind::error, frame.rig, frame.pose, name, frame.time});
    const Method skinning = method.options.method;
    if (std::count(skinnings.begin(), skinnings.end(), skinning) > 0) continue;
    skinnings.push_back(skinning);
    const std::string skinning_name(row(skinning).name);
    e.pictures.push_back({frame.stem + "_truth_" + skinning_name + ".png",
                          words + ": truth, " + skinning_name, PictureKind::truth, frame.rig, frame.pose,
                          name, frame.time});
  }
}

const View kStandingAnimal = {.towards_eye = {1, 0.35, 0.7}, .up = {0, 1, 0}};

}  // namespace

Experiment exact_experiment(const ExactStudy& study) {
  Experiment e;
  for (const int segments : kSegments) e.rigs.push_back(tube_case(segments));
  for (const TubeMotion& motion : kMotions) e.poses.push_back(pose_case(motion));
  e.methods = study.methods;
  e.npy_rig = "cylinder_12";
  e.shot = tube_shot();
  e.models = study.models;
  e.frames = kFramesPerClip;
  for (const TubeMotion& motion : study.drawn)
    add_pictures({motion.name(), kFinest, motion.name()}, motion.words(), study.shown, e);
  for (const FrameCase& frame : study.frames)
    add_pictures(frame, frame.rig + ", " + frame.pose, study.shown_on_models, e);
  e.extra = [study](Workbench& bench) { run(bench, study); };
  return e;
}

double table(const Results& results, const std::string& body, const TubeMotion& motion,
             const std::string& method, TableFigure figure) {
  return results.value(key(body, motion, method, figure));
}

double largest(const Results& results, const std::string& body, MotionKind kind, const std::string& method,
               TableFigure figure) {
  double value = 0;
  for (const TubeMotion& motion : kMotions)
    if (motion.kind == kind) value = std::max(value, table(results, body, motion, method, figure));
  return value;
}

Finding tube_finding(const TubeMotion& motion, const std::string& method) {
  return {identifier("tube_" + method + "_" + motion.name()),
          [=](const Results& r) { return table(r, kTube, motion, method, TableFigure::rest_mean); }};
}

Finding maxima_finding(std::vector<KeptMax> kept) {
  return {"tube_maxima", [kept = std::move(kept)](const Results& r) {
            double worst = 0;
            for (const KeptMax& k : kept)
              worst = std::max(
                  worst,
                  std::abs(table(r, kTube, k.motion, k.method, TableFigure::max) - k.degrees) / k.unit);
            return worst;
          }};
}

Finding model_finding(const std::string& model, const std::string& method, const std::string& over) {
  return {identifier(model + "_" + method), [=](const Results& r) {
            return mean_error(r, model, method, Truth::transported) /
                   mean_error(r, model, over, Truth::transported);
          }};
}

double order(const Results& results, const std::string& method) {
  return results.order("cylinder", "bend_60", method, Truth::analytic);
}

ModelCase wolf() { return {.name = "quaternius-wolf", .view = kStandingAnimal}; }
ModelCase trex() { return {.name = "trex", .view = kStandingAnimal}; }
ModelCase velociraptor() { return {.name = "velociraptor", .view = kStandingAnimal}; }
ModelCase hand() {
  return {.name = "xr-hand-poses", .view = View{.towards_eye = {0.3, 1, 0.3}, .up = {0, 0, -1}}};
}

}  // namespace skinlight::repro
