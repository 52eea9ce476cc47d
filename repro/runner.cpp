#include "repro/runner.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "repro/video.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/rig/subdivide.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

// A folder that takes its final name only when it is complete.
class StagedFolder {
 public:
  explicit StagedFolder(const fs::path& target) : target_(target), staging_(target.string() + ".part") {
    std::error_code failed;
    fs::remove_all(staging_, failed);
    if (!failed) fs::create_directories(staging_, failed);
    if (failed) throw InputError(target.string(), "", "cannot be written: " + failed.message());
  }
  ~StagedFolder() {
    std::error_code ignored;
    fs::remove_all(staging_, ignored);
  }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const fs::path& path() const { return staging_; }
  fs::path operator/(const std::string& file) const { return staging_ / file; }
  void commit() {
    std::error_code failed;
    fs::remove_all(target_, failed);
    if (!failed) fs::rename(staging_, target_, failed);
    if (failed) throw InputError(target_.string(), "", "cannot be replaced: " + failed.message());
  }

 private:
  fs::path target_, staging_;
};

template <class Rows>
const auto& named(const Rows& rows, const std::string& wanted) {
  for (const auto& r : rows)
    if (r.name == wanted) return r;
  throw std::logic_error("the experiment names '" + wanted + "', which it does not have");
}

template <class T>
double largest_difference(const std::vector<Vec3<T>>& a, const std::vector<Vec3<T>>& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v)
    for (int i = 0; i < 3; ++i)
      largest = std::fmax(largest, std::abs(static_cast<double>(a[v][i]) - b[v][i]));
  return largest;
}

// One rig in one pose, skinned on the GPU by each method once.
class PosedRig {
 public:
  PosedRig(const Experiment& experiment, const RigCase& rig, const PoseCase& pose, Studio& studio,
           int threads)
      : experiment_(experiment),
        studio_(studio),
        threads_(threads),
        prepared_(rig.make(), threads),
        pose_(pose.make()) {}

  const RiggedMesh& mesh() const { return prepared_.mesh(); }

  SkinnedMesh<float> posed(const std::string& method) {
    const MethodCase& m = named(experiment_.methods, method);
    return studio_.skin(mesh(), prepared_.factors_of(m), pose_, m.options);
  }
  double difference_from_cpu(const std::string& method, const SkinnedMesh<float>& gpu) const {
    const MethodCase& m = named(experiment_.methods, method);
    SkinOptions options = m.options;
    options.threads = threads_;
    const SkinnedMesh<float> cpu = skinlight::skin<float>(mesh(), prepared_.factors_of(m), pose_, options);
    return std::fmax(std::fmax(largest_difference(gpu.p, cpu.p), largest_difference(gpu.n, cpu.n)),
                     std::fmax(largest_difference(gpu.t, cpu.t), largest_difference(gpu.b, cpu.b)));
  }
  // Analytic where the rig has exact gradients, else transported.
  std::vector<Vec3f> true_normals() const {
    if (prepared_.has_analytic_truth()) return to_float(prepared_.analytic_normals(pose_));
    const DeformFactors& factors = prepared_.factors_of(experiment_.methods.front());
    return to_float(
        posed_truth(mesh(), prepared_.surface(), factors, pose_, Method::lbs, threads_).transported);
  }
  Framing framing() {
    const std::vector<Vec3f> rest = to_float(mesh().p0);
    const std::vector<Vec3f> posed_positions = posed(experiment_.methods.front().name).p;
    return framing_of(experiment_.shot, {rest, posed_positions});
  }

 private:
  const Experiment& experiment_;
  Studio& studio_;
  int threads_;
  PreparedRig prepared_;
  Pose pose_;
};

Image8 draw(const Experiment& experiment, const Picture& picture, PosedRig& rig, const Framing& framing,
            Studio& studio) {
  const std::vector<Face>& faces = rig.mesh().faces;
  switch (picture.kind) {
    case PictureKind::rest:
      return studio.shaded(faces, to_float(rig.mesh().p0), to_float(rig.mesh().n0), framing);
    case PictureKind::posed: {
      const SkinnedMesh<float> posed = rig.posed(picture.method);
      return studio.shaded(faces, posed.p, posed.n, framing);
    }
    case PictureKind::truth:
      return studio.shaded(faces, rig.posed(experiment.methods.front().name).p, rig.true_normals(), framing);
    case PictureKind::error:
      break;
  }
  const SkinnedMesh<float> posed = rig.posed(picture.method);
  return studio.error_map(faces, posed.p, posed.n, rig.true_normals(), framing,
                          experiment.shot.error_max_degrees);
}

void draw_pictures(const Experiment& experiment, Studio& studio, int threads, const Progress& progress,
                   const StagedFolder& folder, std::vector<Output>& outputs) {
  std::string current;
  std::optional<PosedRig> rig;
  std::optional<Framing> framing;
  for (const Picture& picture : experiment.pictures) {
    progress("drawing " + picture.file);
    if (const std::string wanted = picture.rig + '\n' + picture.pose; wanted != current) {
      rig.emplace(experiment, named(experiment.rigs, picture.rig), named(experiment.poses, picture.pose),
                  studio, threads);
      framing = rig->framing();
      current = wanted;
    }
    write_png(folder / picture.file, draw(experiment, picture, *rig, *framing, studio));
    outputs.push_back({picture.file, "image", picture.caption});
  }
}

// Normals as the GPU captured them, and how far every captured attribute is from the CPU's.
void write_normals(const Experiment& experiment, Studio& studio, int threads, const StagedFolder& folder,
                   Results& results, std::vector<Output>& outputs) {
  if (experiment.npy_rig.empty()) return;
  for (const PoseCase& pose : experiment.poses) {
    PosedRig rig(experiment, named(experiment.rigs, experiment.npy_rig), pose, studio, threads);
    for (const MethodCase& method : experiment.methods) {
      const SkinnedMesh<float> gpu = rig.posed(method.name);
      results.gpu_cpu_difference =
          std::fmax(results.gpu_cpu_difference, rig.difference_from_cpu(method.name, gpu));
      const std::string file = "normals_" + experiment.npy_rig + "_" + pose.name + "_" + method.name + ".npy";
      write_npy(folder / file, gpu.n);
      outputs.push_back({file, "normals", "Normals captured from the GPU: " + method.label});
    }
  }
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", seconds);
  return text;
}

void measure_models(const Experiment& experiment, Studio& studio, int threads, const Progress& progress,
                    const StagedFolder& folder, Results& results, std::vector<Output>& outputs) {
  if (experiment.frames == 0) return;
  for (const ModelCase& model_case : experiment.models) {
    progress("reading " + model_case.name);
    const PreparedModel prepared(load_model(model(model_case.name)), threads);
    const std::vector<ClipError> clips = measure_clips(prepared, experiment, threads, progress);
    add_clips(model_case.name, 0, experiment, clips, results);
    if (experiment.bisect_models) {
      Model fine = prepared.model;
      fine.mesh = bisect_edges(fine.mesh);
      const PreparedModel bisected(std::move(fine), threads, kAllSlots);
      add_clips(model_case.name, 1, experiment, measure_clips(bisected, experiment, threads, progress),
                results);
    }
    progress("drawing " + model_case.name);
    const std::string file = model_case.name + ".png";
    const WorstFrame worst = worst_frame(clips);
    const Clip clip = clips_or_default_pose(prepared.model)[worst.clip];
    write_png(folder / file, frame_row(prepared, clip, worst.time, experiment.shot, studio, threads));
    outputs.push_back({file, "image",
                       model_case.name + ", clip " + clip.name + " at " + seconds_text(worst.time) +
                           " s, where the standard normals are worst on average"});
  }
}

void run_extra(const Experiment& experiment, Studio& studio, int threads, const Progress& progress,
               const StagedFolder& folder, Results& results, std::vector<Output>& outputs) {
  if (!experiment.extra) return;
  Workbench bench{studio, threads, progress, results, {}, {}, {}};
  bench.write_table = [&](const std::string& file, const std::string& caption, const std::string& csv) {
    write_file(folder / file, csv);
    outputs.push_back({file, "table", caption});
  };
  bench.write_image = [&](const std::string& file, const std::string& caption, const Image8& image) {
    write_png(folder / file, image);
    outputs.push_back({file, "image", caption});
  };
  bench.write_normals = [&](const std::string& file, const std::string& caption,
                            std::span<const Vec3f> normals) {
    write_npy(folder / file, normals);
    outputs.push_back({file, "normals", caption});
  };
  experiment.extra(bench);
}

void film(const Experiment& experiment, Studio& studio, int threads, const Progress& progress,
          const StagedFolder& folder, RunReport& report) {
  if (experiment.video.empty()) return;
  const std::string frames =
      std::to_string(draw_frames(experiment, studio, threads, progress, folder.path())) + " frames";
  progress("encoding the video");
  const std::string why_not = encode_frames(folder.path());
  if (why_not.empty()) {
    report.outputs.push_back({kVideoFile, "video", "The experiment in motion, " + frames});
    return;
  }
  report.outputs.push_back({std::string(kFramesFolder) + "/0001.png", "frames",
                            "The first of " + frames + " of the experiment in motion; no video: " + why_not});
  report.note = "no video: " + why_not + "; its " + frames + " are kept as pictures in " +
                std::string(kFramesFolder) + "/";
}

Json claim_json(const Judgement& judgement) {
  const Claim& claim = *judgement.claim;
  Json json;
  json["name"] = claim.name;
  json["statement"] = claim.statement;
  json["paper_value"] = claim.paper_value ? Json(*claim.paper_value) : Json(nullptr);
  json["expected"] = claim.expected;
  json["value"] = std::isfinite(judgement.value) ? Json(judgement.value) : Json(nullptr);
  json["tolerance"] = claim.tolerance;
  json["bound"] = name(claim.bound);
  json["verdict"] = name(judgement.verdict);
  json["why"] = claim.why;
  return json;
}

// The experiment's place in the list, for the report.
int order_of(const Experiment& experiment) {
  int order = 0;
  for (const Experiment& e : experiments()) {
    if (e.id == experiment.id) break;
    ++order;
  }
  return order;
}

std::string run_json(const Experiment& experiment, const Studio& studio, double seconds,
                     const RunReport& report) {
  Json json;
  json["id"] = experiment.id;
  json["order"] = order_of(experiment);
  json["paper"] = experiment.paper;
  json["title"] = experiment.title;
  json["says"] = experiment.says;
  json["renderer"] = {{"name", studio.renderer_name()}, {"version", studio.renderer_version()}};
  json["seconds"] = std::round(seconds * 1000) / 1000;
  if (!report.not_run.empty()) json["not_run"] = report.not_run;
  json["claims"] = Json::array();
  for (const Judgement& j : report.judgements) json["claims"].push_back(claim_json(j));
  json["outputs"] = Json::array();
  for (const Output& o : report.outputs)
    json["outputs"].push_back({{"file", o.file}, {"kind", o.kind}, {"caption", o.caption}});
  if (!experiment.models.empty()) {
    json["attributions"] = Json::array();
    for (const ModelCase& m : experiment.models) {
      const ModelEntry& entry = model(m.name);
      if (m.optional && !why_missing(entry).empty()) continue;
      json["attributions"].push_back({{"model", entry.name},
                                      {"attribution", entry.attribution},
                                      {"licence", entry.licence},
                                      {"source", entry.source()}});
    }
  }
  return json.dump(2) + "\n";
}

// Why the experiment cannot run here: a model that is not there. Empty when all are.
std::string missing_model(const Experiment& experiment) {
  for (const ModelCase& m : experiment.models)
    if (const std::string why = why_missing(model(m.name)); !m.optional && !why.empty()) return why;
  return "";
}

bool models_required() {
  const char* value = std::getenv("SKINLIGHT_REQUIRE_MODELS");
  return value && std::string(value) == "1";
}

}  // namespace

bool RunReport::failed() const {
  for (const Judgement& j : judgements)
    if (j.verdict == Verdict::failed) return true;
  return false;
}

RunReport run(const Experiment& experiment, Studio& studio, const RunOptions& options,
              const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  StagedFolder folder(options.out / experiment.id);
  RunReport report;
  report.not_run = missing_model(experiment);
  if (!report.not_run.empty() && models_required()) throw InputError("", experiment.id, report.not_run);

  if (report.not_run.empty()) {
    Results results;
    measure_rigs(experiment, options.threads, progress, results);
    write_normals(experiment, studio, options.threads, folder, results, report.outputs);
    draw_pictures(experiment, studio, options.threads, progress, folder, report.outputs);
    measure_models(experiment, studio, options.threads, progress, folder, results, report.outputs);
    run_extra(experiment, studio, options.threads, progress, folder, results, report.outputs);
    if (options.video) film(experiment, studio, options.threads, progress, folder, report);
    for (const Claim& claim : experiment.claims) report.judgements.push_back(judge(claim, results));
    write_file(folder / "metrics.csv", metrics_csv(results.measurements));
    report.outputs.push_back({"metrics.csv", "table", "Every measurement"});
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  write_file(folder / "run.json", run_json(experiment, studio, elapsed.count(), report));
  folder.commit();
  return report;
}

}  // namespace skinlight::repro
