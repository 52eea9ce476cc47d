#include "repro/runner/runner.h"
#include "repro/runner/registry.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "repro/runner/close_up.h"
#include "repro/runner/live_view.h"
#include "repro/runner/pictures.h"
#include "repro/runner/video.h"
#include "repro/subject.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/core/output_file.h"
#include "skinlight/rig/subdivide.h"

namespace skinlight::repro {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

// Normals as the GPU captured them, and how far every captured attribute is from the CPU's.
void write_normals(const Experiment& experiment, Studio& studio, int threads, const StagedFolder& folder,
                   Results& results, std::vector<Output>& outputs) {
  if (experiment.npy_rig.empty()) return;
  const Subject subject = subject_of(named(experiment.rigs, experiment.npy_rig), threads);
  for (const PoseCase& pose : experiment.poses) {
    PosedSubject posed(experiment, subject, pose.make(), studio, threads);
    for (const MethodCase& method : experiment.methods) {
      results.gpu_cpu_difference =
          std::fmax(results.gpu_cpu_difference, posed.difference_from_cpu(method.name));
      const std::string file = "normals_" + experiment.npy_rig + "_" + pose.name + "_" + method.name + ".npy";
      write_npy(folder / file, posed.captured(method.name).n);
      outputs.push_back({file, "normals", "Normals captured from the GPU: " + method.label});
    }
  }
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", seconds);
  return text;
}

Models measure_models(const Experiment& experiment, const std::vector<const ModelCase*>& present, int threads,
                      const Progress& progress, std::map<std::string, WorstFrame>& worst, Results& results) {
  Models models;
  if (experiment.frames == 0) return models;
  for (const ModelCase* model_case : present) {
    progress("reading " + model_case->name);
    const Character& model =
        models.emplace(model_case->name, character_of(*model_case, threads)).first->second;
    const std::vector<ClipError> clips = measure_clips(model, experiment, progress);
    add_clips(model_case->name, 0, experiment, clips, results);
    worst[model_case->name] = worst_frame(clips);
    if (experiment.recompute_rest_normals) {
      const int slots = model_case->max_influences;
      const Character alike(with_recomputed_normals(model), {.max_slots = slots > 0 ? slots : 4}, threads);
      add_clips(model_case->name + "_alike", 0, experiment, measure_clips(alike, experiment, progress),
                results);
    }
    if (experiment.bisect_models) {
      Model fine = model.model();
      fine.mesh = bisect_edges(fine.mesh);
      const Character bisected(std::move(fine), {.max_slots = kAllSlots}, threads);
      add_clips(model_case->name, 1, experiment, measure_clips(bisected, experiment, progress), results);
    }
  }
  return models;
}

// Models that no picture shows, each at its worst frame.
void draw_worst_frames(const Experiment& experiment, const Models& models,
                       const std::map<std::string, WorstFrame>& worst, Studio& studio,
                       const Progress& progress, const StagedFolder& folder, std::vector<Output>& outputs) {
  for (const ModelCase& model_case : experiment.models) {
    const auto model = models.find(model_case.name);
    const bool shown = std::any_of(experiment.pictures.begin(), experiment.pictures.end(),
                                   [&](const Picture& p) { return p.rig == model_case.name; });
    if (model == models.end() || shown) continue;
    progress("drawing " + model_case.name);
    const std::string file = model_case.name + ".png";
    const WorstFrame frame = worst.at(model_case.name);
    const Clip clip = clips_or_default_pose(model->second.model())[frame.clip];
    write_png(folder / file, frame_row(model->second, dress_of(repro::model(model_case.name)), clip,
                                       frame.time, shot_of(experiment, &model_case), studio));
    outputs.push_back({file, "image",
                       model_case.name + ", clip " + clip.name + " at " + seconds_text(frame.time) +
                           " s, where the standard normals are worst on average",
                       model_case.name});
  }
}

void run_extra(const Experiment& experiment, Studio& studio, int threads, const Progress& progress,
               const StagedFolder& folder, Results& results, std::vector<Output>& outputs) {
  if (!experiment.extra) return;
  Workbench bench{studio, threads, progress, results, {}, {}, {}, {}};
  bench.write_table = [&](const std::string& file, const std::string& caption, const std::string& csv) {
    write_file(folder / file, csv);
    outputs.push_back({file, "table", caption});
  };
  bench.write_image = [&](const std::string& file, const std::string& caption, const Image8& image) {
    write_png(folder / file, image);
    outputs.push_back({file, "image", caption});
  };
  bench.write_model_image = [&](const std::string& file, const std::string& caption, const std::string& model,
                                const Image8& image) {
    write_png(folder / file, image);
    outputs.push_back({file, "image", caption, model});
  };
  bench.write_normals = [&](const std::string& file, const std::string& caption,
                            std::span<const Vec3f> normals) {
    write_npy(folder / file, normals);
    outputs.push_back({file, "normals", caption});
  };
  experiment.extra(bench);
}

void film(const Experiment& experiment, const Models& models, Studio& studio, int threads,
          const Progress& progress, const StagedFolder& folder, RunReport& report) {
  const int count = draw_frames(experiment, models, studio, threads, progress, folder.path());
  if (count == 0) return;
  const std::string frames = std::to_string(count) + " frames";
  progress("encoding the video");
  const std::string why_not = encode_frames(folder.path());
  if (why_not.empty()) {
    report.outputs.push_back({kVideoFile, "video", "The experiment in motion, " + frames, ""});
    return;
  }
  report.outputs.push_back({std::string(kFramesFolder) + "/0001.png", "frames",
                            "The first of " + frames + " of the experiment in motion; no video: " + why_not,
                            ""});
  report.note = "no video: " + why_not + "; its " + frames + " are kept as pictures in " +
                std::string(kFramesFolder) + "/";
}

Json claim_json(const Judgement& judgement) {
  const Claim& claim = *judgement.claim;
  Json json;
  json["name"] = claim.name;
  json["kind"] = name(claim.kind);
  json["statement"] = claim.statement;
  json["paper_value"] = claim.paper_value ? Json(*claim.paper_value) : Json(nullptr);
  json["expected"] = claim.expected;
  json["value"] = std::isfinite(judgement.value) ? Json(judgement.value) : Json(nullptr);
  json["tolerance"] = claim.tolerance;
  json["bound"] = name(claim.bound);
  json["verdict"] = name(judgement.verdict);
  json["oracle"] = claim.oracle;
  json["fails_when"] = claim.fails_when;
  json["why"] = claim.why;
  if (!judgement.not_run.empty()) json["not_run"] = judgement.not_run;
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
  if (!report.left_out.empty()) json["left_out"] = report.left_out;
  json["outputs"] = Json::array();
  for (const Output& o : report.outputs) {
    json["outputs"].push_back({{"file", o.file}, {"kind", o.kind}, {"caption", o.caption}});
    if (!o.model.empty()) json["outputs"].back()["model"] = o.model;
  }
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
  std::vector<const ModelCase*> present;
  for (const ModelCase& model : experiment.models) {
    const std::string reason = why_missing(repro::model(model.name));
    if (reason.empty())
      present.push_back(&model);
    else if (model.optional)
      continue;
    else if (models_required())
      throw InputError("", experiment.id, reason);
    else if (experiment.rigs.empty())
      report.not_run = reason;
    else
      report.left_out.push_back(reason);
  }

  if (report.not_run.empty()) {
    Results results;
    std::map<std::string, WorstFrame> worst;
    measure_rigs(experiment, options.threads, progress, results);
    const Models models = measure_models(experiment, present, options.threads, progress, worst, results);
    write_normals(experiment, studio, options.threads, folder, results, report.outputs);
    draw_pictures(experiment, models, studio, options.threads, progress, folder.path(), report.outputs);
    draw_close_up(experiment, studio, options.threads, progress, folder.path(), report.outputs);
    write_live_view(experiment, options.threads, folder.path(), report.outputs);
    draw_worst_frames(experiment, models, worst, studio, progress, folder, report.outputs);
    run_extra(experiment, studio, options.threads, progress, folder, results, report.outputs);
    if (options.video) film(experiment, models, studio, options.threads, progress, folder, report);
    for (const Claim& claim : experiment.claims) {
      const std::string missing = claim.model.empty() ? "" : why_missing(repro::model(claim.model));
      report.judgements.push_back(missing.empty() ? judge(claim, results) : unjudged(claim, missing));
    }
    write_file(folder / "metrics.csv", metrics_csv(results.measurements));
    report.outputs.push_back({"metrics.csv", "table", "Every measurement"});
  }
  if (!report.not_run.empty())
    for (const Claim& claim : experiment.claims) report.judgements.push_back(unjudged(claim, report.not_run));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  write_file(folder / "run.json", run_json(experiment, studio, elapsed.count(), report));
  folder.commit();
  return report;
}

}  // namespace skinlight::repro
