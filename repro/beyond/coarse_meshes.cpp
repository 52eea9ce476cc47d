// Every clip of every animated model: standard normals, the paper's deform factors, smooth weights, deform
// vectors.
#include <algorithm>
#include <cstdio>

#include "repro/study/clip_study.h"
#include "repro/study/costs.h"
#include "repro/study/frames.h"
#include "repro/study/mode_sheet.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/rig/typical_poses.h"

namespace skinlight::repro::beyond::coarse_meshes {

namespace {

constexpr int kFrames = 6;        // of each clip; 24 move the means by less than 3 %
constexpr int kPosesPerClip = 8;  // that slots are fitted to
// Drawn where the standard normals are worst.
constexpr const char* kDrawn[] = {"fox", "quaternius-formal", "trex"};
// Those on which four slots have to be enough.
constexpr const char* kFourSlots[] = {"quaternius-formal", "fox", "quaternius-cactus", "cesium-man"};

// Vectors of four slots, fitted to the model's clips.
NormalRecord fitted_vectors(const Character& model) {
  const std::vector<Pose> typical = clip_poses(model.model().skeleton, model.model().clips, kPosesPerClip);
  return deform_vectors(model.mesh(), model.surface(), {.typical = typical, .threads = model.threads()});
}

// What all modes of linear blend skinning read, with the fitted vectors.
SkinData fitted_data(const Character& model, const NormalRecord& fitted) {
  SkinData data = model.factors();
  data.vectors = &fitted;
  return data;
}

std::vector<NormalSource> ways_of(const Character& four, const NormalRecord& fitted) {
  const Character all = four.with({.max_slots = kAllSlots});
  const auto way = [](const char* name, const Character& model, NormalMode mode) {
    return NormalSource{name, model.data(Method::lbs, mode), {.mode = mode}};
  };
  return {way("standard", four, NormalMode::standard),
          way("deform", four, NormalMode::deform),
          way("smoothed", four, NormalMode::smoothed),
          way("vectors", four, NormalMode::deform_vectors),
          {"vectors-fitted", fitted_data(four, fitted), {.mode = NormalMode::deform_vectors}},
          way("deform-all", all, NormalMode::deform),
          way("smoothed-all", all, NormalMode::smoothed),
          way("vectors-all", all, NormalMode::deform_vectors)};
}

std::string summary_csv(const Results& results) {
  std::string csv =
      "model,truth,standard,deform,smoothed,vectors,vectors_fitted,deform_all,smoothed_all,vectors_all\n";
  for (const char* model : kAnimatedModels)
    for (Truth truth : {Truth::transported, Truth::recomputed}) {
      csv += std::string(model) + "," + std::string(name(truth));
      for (const char* method : {"standard", "deform", "smoothed", "vectors", "vectors-fitted", "deform-all",
                                 "smoothed-all", "vectors-all"}) {
        char number[32];
        std::snprintf(number, sizeof number, ",%.4f", mean_error(results, model, method, truth));
        csv += number;
      }
      csv += "\n";
    }
  return csv;
}

std::string cost_csv() {
  std::string csv = "mode,slots,operations,bytes_f32,bytes_f16,bytes_snorm8\n";
  for (NormalMode mode :
       {NormalMode::standard, NormalMode::deform, NormalMode::smoothed, NormalMode::deform_vectors})
    for (int slots : {2, 3, 4, 6, 8})
      csv += std::string(row(mode).name) + "," + std::to_string(slots) + "," +
             std::to_string(operations(mode, slots)) + "," +
             std::to_string(bytes(mode, slots, NumberFormat::f32)) + "," +
             std::to_string(bytes(mode, slots, NumberFormat::f16)) + "," +
             std::to_string(bytes(mode, slots, NumberFormat::snorm8)) + "\n";
  return csv;
}

void measure(Workbench& bench) {
  for (const char* name : kAnimatedModels) {
    bench.progress("measuring " + std::string(name));
    const Character model(load_model(repro::model(name)), {}, bench.threads);
    const std::vector<Clip>& clips = model.model().clips;
    const NormalRecord fitted = fitted_vectors(model);
    measure_clips(name, model, clips, kFrames, ways_of(model, fitted), bench.results);
    if (std::find(std::begin(kDrawn), std::end(kDrawn), std::string(name)) == std::end(kDrawn)) continue;
    constexpr SheetMode kModes[] = {{NormalMode::standard, "standard"},
                                    {NormalMode::deform, "deform factors"},
                                    {NormalMode::smoothed, "smooth weights"},
                                    {NormalMode::deform_vectors, "deform vectors"}};
    const WorstPose worst = worst_pose(model, kFrames);
    char caption[200];
    std::snprintf(caption, sizeof caption,
                  "%s, %s at %.2f s: shaded, and the errors against the transported truth", name,
                  worst.clip.c_str(), worst.time);
    for (const Clip& clip : clips)
      if (clip.name == worst.clip)
        bench.write_image(std::string(name) + ".png", caption,
                          mode_sheet(model, fitted_data(model, fitted), Method::lbs, kModes,
                                     pose_at(model.model().skeleton, clip, worst.time), bench.studio));
  }
  bench.write_table("summary.csv", "Mean error in degrees over all clips, model by model",
                    summary_csv(bench.results));
  bench.write_table("cost.csv", "Operations and bytes per vertex, beyond bones and weights", cost_csv());
}

auto worst_ratio(const char* over, const char* under) {
  return [=](const Results& r) {
    double worst = 0;
    for (const ClipRatio& c : clip_ratios(r, over, under, Truth::transported))
      worst = std::max(worst, c.ratio);
    return worst;
  };
}

auto ratio(const char* model, const char* over, const char* under) {
  return [=](const Results& r) {
    return mean_error(r, model, over, Truth::transported) / mean_error(r, model, under, Truth::transported);
  };
}

auto typical(const char* over, const char* under) {
  return [=](const Results& r) { return typical_ratio(r, kAnimatedModels, over, under, Truth::transported); };
}

auto models_not_closer(const char* than) {
  return [=](const Results& r) -> double {
    return static_cast<double>(
        std::count_if(std::begin(kAnimatedModels), std::end(kAnimatedModels), [&](auto model) {
          return !(mean_error(r, model, "vectors-all", Truth::recomputed) <
                   mean_error(r, model, than, Truth::recomputed));
        }));
  };
}

auto flips(const char* method) {
  return [=](const Results& r) {
    double count = 0;
    for (const Measurement& m : r.measurements)
      if (m.method == method && m.truth == name(Truth::transported)) count += m.error.flips;
    return count;
  };
}

std::vector<Finding> findings() {
  std::vector<Finding> all = {
      {"vectors_worst_clip", worst_ratio("vectors-all", "deform-all")},
      {"vectors_ratio", typical("vectors-all", "deform-all")},
      {"smoothed_ratio", typical("smoothed", "deform")},
      {"standard_ratio", typical("deform", "standard")},
      {"not_closer_than_standard", models_not_closer("standard")},
      {"not_closer_than_paper", models_not_closer("deform-all")},
      {"flips_vectors", flips("vectors-all")},
  };
  for (const char* model : kFourSlots)
    all.push_back({"four_slots_" + std::string(model), ratio(model, "vectors", "deform")});
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.builds_on = {"tarini2014"};
  e.title = "Coarse game meshes: smooth weights and deform vectors";
  e.says =
      "The paper takes weights as linear inside a face and applies the product rule at the vertex. "
      "On game models, whose weights jump along single edges, that leaves half of the error of standard normals, and on some models more than all of it. "
      "Deform vectors are the one-ring average of what the posed triangles really do, in one 4-vector per bone and tangent; smooth weights are their best approximation by one scalar.";
  for (const char* model : kAnimatedModels) e.models.push_back({model});
  e.frames = 0;
  e.extra = measure;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::beyond::coarse_meshes
