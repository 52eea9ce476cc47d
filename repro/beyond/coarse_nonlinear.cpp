// Every clip of six game characters under the methods that blend rotations: standard normals, the paper's approximation,
// the exact derivative, the same at smooth weights, deform frames.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "repro/runner/csv.h"
#include "repro/study/clip_study.h"
#include "repro/study/costs.h"
#include "repro/study/frames.h"
#include "repro/study/mode_sheet.h"
#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/rig/typical_poses.h"

namespace skinlight::repro::beyond::coarse_nonlinear {

namespace {

constexpr const char* kModels[] = {"fox",  "quaternius-formal", "cesium-man", "quaternius-wolf",
                                   "trex", "velociraptor"};
constexpr const char* kDrawn[] = {"fox", "trex", "quaternius-formal"};
constexpr Method kMethods[] = {Method::dqs, Method::crs, Method::sbs, Method::log};
constexpr int kFrames = 3;                // of each clip
constexpr int kFittedTo = 64;             // random poses
constexpr int kPosesPerClip = 8;          // that frames are fitted to, of the clips that are not measured
constexpr int kRandomPoses = 4;           // per spread
constexpr int kSpreads[] = {20, 40, 60};  // degrees

// Every joint turned at random, as widely as by a normal distribution of `degrees`.
std::vector<Pose> random_poses(const Character& model, int count, double degrees, std::uint64_t seed) {
  return random_joint_poses(model.model().skeleton, count, degrees * std::sqrt(3.0) * M_PI / 180, seed);
}

// Frames of a character that are not those of Character::frames(), chosen over the same poses.
FrameRecord frames_of(const Character& model, Method method, int slots, std::span<const Pose> typical) {
  const bool centred = method == Method::crs;
  const std::vector<Pose> choice = random_joint_poses(model.model().skeleton, 16, 35 * M_PI / 180, 15);
  return deform_frames(model.mesh(), model.surface(),
                       {.blend = centred ? FrameBlend::rotation_centres : FrameBlend::dual_quaternions,
                        .centres = centred ? &model.centres() : nullptr,
                        .max_slots = slots,
                        .choice = choice,
                        .typical = typical,
                        .threads = model.threads()});
}

std::string way_name(Method method, const std::string& what) {
  return std::string(row(method).name).append("/").append(what);
}

NormalSource source_of(const Character& model, Method method, NormalMode mode, const std::string& what) {
  return {way_name(method, what), model.data(method, mode), {.method = method, .mode = mode}};
}

NormalSource source_of(const Character& model, Method method, const FrameRecord& frames,
                       const std::string& what) {
  NormalSource source = source_of(model, method, NormalMode::deform_frames, what);
  source.data.frames = &frames;
  return source;
}

// What the table of a model needs besides Character::frames().
struct Records {
  FrameRecord dqs_fitted, crs_fitted, four, six, bits16, bits8;

  explicit Records(const Character& model) {
    const std::vector<Pose> typical = random_poses(model, kFittedTo, 20, 16);
    dqs_fitted = frames_of(model, Method::dqs, kFrameSlots, typical);
    crs_fitted = frames_of(model, Method::crs, kFrameSlots, typical);
    four = frames_of(model, Method::dqs, 4, {});
    six = frames_of(model, Method::dqs, 6, {});
    bits16 = stored_frames(model.frames(Method::dqs), NumberFormat::snorm16);
    bits8 = stored_frames(model.frames(Method::dqs), NumberFormat::snorm8);
  }
};

std::vector<NormalSource> sources_of(const Character& model, const Records& records) {
  std::vector<NormalSource> all;
  for (const Method method : kMethods)
    for (const auto& [mode, what] : {std::pair{NormalMode::standard, "standard"},
                                     {NormalMode::deform, "paper"},
                                     {NormalMode::exact, "exact"},
                                     {NormalMode::smoothed, "smoothed"},
                                     {NormalMode::deform_frames, "frames"}}) {
      const auto modes = row(method).modes;
      if (std::find(modes.begin(), modes.end(), mode) != modes.end())
        all.push_back(source_of(model, method, mode, what));
    }
  all.push_back(source_of(model, Method::dqs, records.dqs_fitted, "frames-fitted"));
  all.push_back(source_of(model, Method::crs, records.crs_fitted, "frames-fitted"));
  all.push_back(source_of(model, Method::dqs, records.four, "frames-4"));
  all.push_back(source_of(model, Method::dqs, records.six, "frames-6"));
  all.push_back(source_of(model, Method::dqs, records.bits16, "frames-16-bits"));
  all.push_back(source_of(model, Method::dqs, records.bits8, "frames-8-bits"));
  return all;
}

// Fitted to every other clip, measured on the rest, both ways.
void cross_validate(const char* name, const Character& model, Results& results) {
  std::vector<Clip> halves[2];
  const std::vector<Clip>& clips = model.model().clips;
  for (std::size_t i = 0; i < clips.size(); ++i) halves[i % 2].push_back(clips[i]);
  if (halves[1].empty()) return;
  for (int measured : {0, 1}) {
    const std::vector<Pose> typical = clip_poses(model.model().skeleton, halves[1 - measured], kPosesPerClip);
    const FrameRecord fitted = frames_of(model, Method::dqs, kFrameSlots, typical);
    const NormalSource source = source_of(model, Method::dqs, fitted, "frames-cross");
    measure_clips(name, model, halves[measured], kFrames, std::span(&source, 1), results);
  }
}

std::string random_name(const std::string& model) { return model + "/random"; }
std::string spread_name(int degrees) { return std::to_string(degrees) + " degrees"; }

void measure_random(const char* name, const Character& model, const Records& records, Results& results) {
  const std::vector<NormalSource> sources = {
      source_of(model, Method::dqs, NormalMode::deform, "paper"),
      source_of(model, Method::dqs, NormalMode::exact, "exact"),
      source_of(model, Method::dqs, NormalMode::smoothed, "smoothed"),
      source_of(model, Method::dqs, NormalMode::deform_frames, "frames"),
      source_of(model, Method::dqs, records.dqs_fitted, "frames-fitted")};
  for (const int degrees : kSpreads)
    measure_poses(random_name(name), spread_name(degrees), model,
                  random_poses(model, kRandomPoses, degrees, 99), sources, results);
}

void draw(const char* name, const Character& model, Workbench& bench) {
  constexpr SheetMode kModes[] = {{NormalMode::standard, "standard"},
                                  {NormalMode::deform, "the paper's"},
                                  {NormalMode::smoothed, "smooth weights"},
                                  {NormalMode::deform_frames, "deform frames"}};
  const WorstPose worst = worst_pose(model, kFrames, Method::dqs);
  char caption[200];
  std::snprintf(caption, sizeof caption,
                "%s, %s at %.2f s, dual quaternions: shaded, and the errors against the transported truth",
                name, worst.clip.c_str(), worst.time);
  SkinData data = model.factors();
  data.frames = &model.frames(Method::dqs);
  for (const Clip& clip : model.model().clips)
    if (clip.name == worst.clip)
      bench.write_model_image(std::string(name) + ".png", caption, name,
                              mode_sheet(model, data, Method::dqs, kModes,
                                         pose_at(model.model().skeleton, clip, worst.time), bench.studio));
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", x);
  return text;
}

bool was_measured(const Results& r, const std::string& model, const std::string& way) {
  return std::any_of(r.measurements.begin(), r.measurements.end(),
                     [&](const Measurement& m) { return m.rig == model && m.method == way; });
}

double mean_over_models(const Results& r, const std::string& way, Truth truth) {
  double sum = 0;
  for (const char* model : kModels) sum += mean_error(r, model, way, truth);
  return sum / static_cast<double>(std::size(kModels));
}

double flips(const Results& r, const std::string& model, const std::string& way) {
  double count = 0;
  for (const Measurement& m : r.measurements)
    if (m.rig == model && m.method == way && m.truth == name(Truth::transported)) count += m.error.flips;
  return count;
}

std::string summary_csv(const Results& r) {
  constexpr const char* kWays[] = {"standard", "paper", "exact", "smoothed", "frames", "frames-fitted"};
  std::string csv =
      "model,method,truth,standard,paper,exact,smoothed,frames,frames_fitted,flips_smoothed,flips_frames\n";
  for (const char* model : kModels)
    for (const Method method : kMethods)
      for (const Truth truth : {Truth::transported, Truth::recomputed}) {
        csv += std::string(model).append(",").append(row(method).name).append(",").append(name(truth));
        for (const char* what : kWays) {
          const std::string way = way_name(method, what);
          csv += "," + (was_measured(r, model, way) ? number(mean_error(r, model, way, truth)) : "");
        }
        for (const char* what : {"smoothed", "frames"})
          csv += "," + std::to_string(static_cast<int>(flips(r, model, way_name(method, what))));
        csv += "\n";
      }
  return csv;
}

std::string random_csv(const Results& r) {
  std::string csv = "model,degrees,paper,exact,smoothed,frames,frames_fitted\n";
  for (const char* model : kModels)
    for (const int degrees : kSpreads) {
      csv += std::string(model) + "," + std::to_string(degrees);
      for (const char* what : {"paper", "exact", "smoothed", "frames", "frames-fitted"})
        csv += "," + number(r.error(random_name(model), spread_name(degrees), way_name(Method::dqs, what),
                                    Truth::transported)
                                .mean);
      csv += "\n";
    }
  return csv;
}

// A way to get normals under one method, what it takes of a vertex and how wrong it is: the mean over the models.
struct Price {
  Method method;
  NormalMode mode;
  int slots;
  NumberFormat format;
  const char* way;
};

std::string cost_csv(const Results& r) {
  using enum NormalMode;
  constexpr NumberFormat f32 = NumberFormat::f32;
  constexpr Price kPrices[] = {{Method::dqs, standard, 4, f32, "standard"},
                               {Method::dqs, deform, 4, f32, "paper"},
                               {Method::dqs, exact, 4, f32, "exact"},
                               {Method::dqs, smoothed, 4, f32, "smoothed"},
                               {Method::dqs, deform_frames, 4, f32, "frames-4"},
                               {Method::dqs, deform_frames, 5, f32, "frames"},
                               {Method::dqs, deform_frames, 5, NumberFormat::snorm16, "frames-16-bits"},
                               {Method::dqs, deform_frames, 5, NumberFormat::snorm8, "frames-8-bits"},
                               {Method::dqs, deform_frames, 6, f32, "frames-6"},
                               {Method::crs, standard, 4, f32, "standard"},
                               {Method::crs, deform_frames, 5, f32, "frames"},
                               {Method::crs, deform_frames, 5, f32, "frames-fitted"},
                               {Method::sbs, standard, 4, f32, "standard"},
                               {Method::sbs, deform_frames, 5, f32, "frames"},
                               {Method::log, standard, 4, f32, "standard"},
                               {Method::log, deform_frames, 5, f32, "frames"}};
  std::string csv = "method,normals,slots,operations,bytes,format,mean_deg\n";
  for (const Price& p : kPrices) {
    const int size = p.mode == deform_frames ? frame_bytes(p.slots, p.method == Method::crs, p.format)
                     : p.mode == smoothed    ? bytes(smoothed, p.slots, p.format)
                     : p.mode == standard    ? 0
                                             : bytes(deform, p.slots, p.format);
    csv += std::string(row(p.method).name).append(",").append(p.way) + "," + std::to_string(p.slots) + "," +
           std::to_string(kernel_operations(p.method, p.mode, p.slots)) + "," + std::to_string(size) + "," +
           std::string(row(p.format).name) + "," +
           number(mean_over_models(r, way_name(p.method, p.way), Truth::transported)) + "\n";
  }
  return csv;
}

void measure(Workbench& bench) {
  for (const char* name : kModels) {
    bench.progress("measuring " + std::string(name));
    const Character model(load_model(repro::model(name)), {}, bench.threads);
    const Records records(model);
    measure_clips(name, model, model.model().clips, kFrames, sources_of(model, records), bench.results);
    cross_validate(name, model, bench.results);
    measure_random(name, model, records, bench.results);
    if (std::find(std::begin(kDrawn), std::end(kDrawn), std::string(name)) != std::end(kDrawn))
      draw(name, model, bench);
  }
  bench.write_table("summary.csv", "Mean error in degrees over all clips and flips, model by model",
                    summary_csv(bench.results));
  bench.write_table("random.csv",
                    "The same where every joint turns at random: dual quaternions, transported truth",
                    random_csv(bench.results));
  bench.write_table(
      "cost.csv",
      "Operations and bytes per vertex, beyond bones and weights, and the mean error over the models",
      cost_csv(bench.results));
}

auto ratio(const char* model, Method method, const char* over, const char* under) {
  return [=](const Results& r) {
    return mean_error(r, model, way_name(method, over), Truth::transported) /
           mean_error(r, model, way_name(method, under), Truth::transported);
  };
}

auto worst_clip(Method method, const char* over, const char* under) {
  return [=](const Results& r) {
    double worst = 0;
    for (const ClipRatio& c :
         clip_ratios(r, way_name(method, over), way_name(method, under), Truth::transported))
      if (!c.model.ends_with(random_name(""))) worst = std::max(worst, c.ratio);
    return worst;
  };
}

// Models and methods where deform frames flip more vertices than smooth weights.
double more_flips(const Results& r) {
  double count = 0;
  for (const char* model : kModels)
    for (const Method method : kMethods)
      if (flips(r, model, way_name(method, "frames")) > flips(r, model, way_name(method, "smoothed")))
        ++count;
  return count;
}

double worst_by_16_bits(const Results& r) {
  double worst = 0;
  for (const char* model : kModels)
    worst = std::max(worst, std::abs(mean_error(r, model, "dqs/frames-16-bits", Truth::transported) -
                                     mean_error(r, model, "dqs/frames", Truth::transported)));
  return worst;
}

auto worst_random(int degrees) {
  return [=](const Results& r) {
    double worst = 0;
    for (const char* model : kModels) {
      const auto mean = [&](const char* way) {
        return r.error(random_name(model), spread_name(degrees), way, Truth::transported).mean;
      };
      worst = std::max(worst, mean("dqs/frames") / mean("dqs/smoothed"));
    }
    return worst;
  };
}

// Of the models with more than one clip.
double cross_validated(const Results& r) {
  double sum = 0;
  int models = 0;
  for (const char* model : kModels) {
    if (!was_measured(r, model, "dqs/frames-cross")) continue;
    sum += std::log(mean_error(r, model, "dqs/frames-cross", Truth::transported) /
                    mean_error(r, model, "dqs/frames", Truth::transported));
    ++models;
  }
  return std::exp(sum / models);
}

std::vector<Finding> findings() {
  std::vector<Finding> all;
  for (const char* model : kModels)
    all.push_back({"dqs_" + identifier(model), ratio(model, Method::dqs, "frames", "smoothed")});
  for (const char* model : kModels)
    all.push_back({"crs_" + identifier(model), ratio(model, Method::crs, "frames-fitted", "smoothed")});
  for (const Method method : {Method::sbs, Method::log})
    all.push_back({std::string(row(method).name) + "_ratio", [=](const Results& r) {
                     return typical_ratio(r, kModels, way_name(method, "frames"),
                                          way_name(method, "smoothed"), Truth::transported);
                   }});
  all.push_back({"dqs_recomputed_ratio", [](const Results& r) {
                   return typical_ratio(r, kModels, "dqs/frames", "dqs/smoothed", Truth::recomputed);
                 }});
  all.push_back({"worst_clip_dqs", worst_clip(Method::dqs, "frames", "paper")});
  all.push_back({"worst_clip_crs", worst_clip(Method::crs, "frames-fitted", "exact")});
  all.push_back({"more_flips", more_flips});
  all.push_back({"worst_by_16_bits", worst_by_16_bits});
  for (const int degrees : kSpreads)
    all.push_back({"random_" + std::to_string(degrees), worst_random(degrees)});
  all.push_back({"cross_validated", cross_validated});
  for (const Method method : kMethods)
    all.push_back({std::string(row(method).name) + "_operations", [=](const Results&) {
                     return static_cast<double>(
                         kernel_operations(method, NormalMode::deform_frames, kFrameSlots));
                   }});
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.builds_on = {"tarini2014"};
  e.title = "Coarse game meshes where rotations are blended: deform frames";
  e.says =
      "Under dual quaternions, centres of rotation, spherical and logarithmic blending the exact derivative follows the gradients of the weights, not the triangles, and on game models loses to the paper's approximation. "
      "Deform frames are deform vectors whose bones are blends: two further blends of each vertex's bones, at the weights of its neighbours, with the vectors that they add to the tangents.";
  for (const char* model : kModels) e.models.push_back({model});
  e.frames = 0;
  e.extra = measure;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::beyond::coarse_nonlinear
