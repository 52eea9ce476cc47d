// Where one-rings touch more bones than a vertex has slots: which to drop, how many slots to have, and what
// fitting those that stay brings back.
#include <cmath>
#include <cstdio>

#include "repro/study/clip_study.h"
#include "repro/study/costs.h"
#include "repro/study/frames.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/rig/typical_poses.h"

namespace skinlight::repro::beyond::slots {

namespace {

// Those whose one-rings touch more than four bones, and move.
constexpr const char* kModels[] = {"fox",  "quaternius-formal", "cesium-man", "quaternius-wolf",
                                   "trex", "velociraptor"};
constexpr const char* kHalved[] = {"quaternius-formal", "quaternius-wolf", "trex", "velociraptor"};
constexpr int kSlots[] = {4, 6, 8};
constexpr int kFrames = 4;
constexpr int kPosesPerClip = 8;
constexpr int kRandomPoses = 40;
constexpr double kRandomAngle = 0.7;  // radians, of every joint

std::string method_name(const std::string& policy, int slots) { return policy + "/" + std::to_string(slots); }

// Clips at even or at odd places.
std::vector<Clip> every_other(const std::vector<Clip>& clips, std::size_t first) {
  std::vector<Clip> half;
  for (std::size_t c = first; c < clips.size(); c += 2) half.push_back(clips[c]);
  return half;
}

void measure(Workbench& bench) {
  for (const char* name : kModels) {
    bench.progress("measuring " + std::string(name));
    const Character model(load_model(repro::model(name)), {}, bench.threads);
    const Skeleton& skeleton = model.model().skeleton;
    const std::vector<Clip>& clips = model.model().clips;
    const std::vector<Pose> own = clip_poses(skeleton, clips, kPosesPerClip),
                            random = random_joint_poses(skeleton, kRandomPoses, kRandomAngle, 7);
    struct Policy {
      std::string name;
      std::span<const Pose> typical;
    };
    const Policy policies[] = {{"unfitted", {}}, {"random", random}, {"clips", own}};
    std::vector<NormalRecord> kept;
    kept.reserve(16);
    const SkinData all = model.with({.max_slots = kAllSlots}).data(Method::lbs, NormalMode::deform_vectors);
    std::vector<NormalSource> ways = {{"deform/4", model.factors(), {.mode = NormalMode::deform}},
                                      {"all", all, {.mode = NormalMode::deform_vectors}}};
    const auto add = [&](const std::string& method, int slots, std::span<const Pose> typical) {
      kept.push_back(deform_vectors(model.mesh(), model.surface(),
                                    {.max_slots = slots, .typical = typical, .threads = bench.threads}));
      SkinData data = model.factors();
      data.vectors = &kept.back();
      ways.push_back({method, data, {.mode = NormalMode::deform_vectors}});
    };
    for (int slots : kSlots)
      for (const Policy& policy : policies) add(method_name(policy.name, slots), slots, policy.typical);
    measure_clips(name, model, clips, kFrames, ways, bench.results);

    // Fitted to half of the clips, measured on the other half.
    if (clips.size() < 2) continue;
    const std::vector<Pose> half = clip_poses(skeleton, every_other(clips, 0), kPosesPerClip);
    ways.clear();
    add("held-out", 4, half);
    add("held-out-unfitted", 4, {});
    measure_clips(name, model, every_other(clips, 1), kFrames, ways, bench.results);
  }
  std::string csv = "policy,slots,operations,bytes_f16";
  for (const char* name : kModels) csv.append(",").append(name);
  csv += "\n";
  const auto add_row = [&](const std::string& policy, int slots, NormalMode mode, const std::string& method) {
    csv += policy + "," + std::to_string(slots) + "," + std::to_string(operations(mode, slots)) + "," +
           std::to_string(bytes(mode, slots, NumberFormat::f16));
    for (const char* name : kModels) {
      char number[32];
      std::snprintf(number, sizeof number, ",%.4f",
                    mean_error(bench.results, name, method, Truth::transported));
      csv += number;
    }
    csv += "\n";
  };
  add_row("paper", 4, NormalMode::deform, "deform/4");
  for (const char* policy : {"unfitted", "random", "clips"})
    for (int slots : kSlots) add_row(policy, slots, NormalMode::deform_vectors, method_name(policy, slots));
  bench.write_table("slots.csv", "Mean error in degrees against the transported truth, by policy and slots",
                    csv);
}

auto typical(const std::string& over, const std::string& under,
             std::span<const char* const> models = kModels) {
  return [=](const Results& r) { return typical_ratio(r, models, over, under, Truth::transported); };
}

std::vector<Finding> findings() {
  return {
      {"four_slots", typical("unfitted/4", "deform/4")},
      {"four_slots_clips", typical("clips/4", "unfitted/4")},
      {"four_slots_random", typical("random/4", "unfitted/4")},
      {"held_out", typical("held-out", "held-out-unfitted", kHalved)},
      {"six_slots", typical("unfitted/6", "unfitted/4")},
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.builds_on = {"tarini2014"};
  e.title = "Deform vectors in few slots";
  e.says =
      "Where weights are painted with four influences, one-rings touch more bones than four slots hold, and what is dropped moves with slot 0. "
      "More slots for tangents than for positions, or vectors fitted by least squares to what was dropped, bring the loss back.";
  for (const char* model : kModels) e.models.push_back({model});
  e.frames = 0;
  e.extra = measure;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::beyond::slots
