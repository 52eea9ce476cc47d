// [TPS14 Sec. 6] on real game characters: how much closer deform factors get to the truth, clip by clip, and
// where they do not.
#include <cmath>

#include "repro/experiment.h"

namespace skinlight::repro::tarini2014::characters {

namespace {

constexpr const char* kFormal = "quaternius-formal";
constexpr const char* kFox = "fox";
constexpr const char* kMan = "cesium-man";

struct ClipMeans {
  int clips = 0, worse = 0;         // clips whose mean error does not fall
  double standard = 0, deform = 0;  // means over the clips, degrees
};

// Against the transported truth. `resolution` 0: as the file is; 1: every edge bisected.
ClipMeans clip_means(const Results& results, const std::string& model, int resolution) {
  ClipMeans sum;
  double standard = NAN;
  for (const Measurement& m : results.measurements) {
    if (m.rig != model || m.resolution != resolution || m.truth != name(Truth::transported)) continue;
    if (m.method == "standard") {
      standard = m.error.mean;
    } else if (m.method == "deform") {
      ++sum.clips;
      sum.standard += standard;
      sum.deform += m.error.mean;
      if (!(m.error.mean < standard)) ++sum.worse;
    }
  }
  sum.standard /= sum.clips;
  sum.deform /= sum.clips;
  return sum;
}

auto ratio(const char* model, int resolution) {
  return [=](const Results& r) {
    const ClipMeans m = clip_means(r, model, resolution);
    return m.deform / m.standard;
  };
}

auto worse_clips(const char* model, int resolution) {
  return [=](const Results& r) -> double { return clip_means(r, model, resolution).worse; };
}

std::vector<Finding> findings() {
  return {
      {"formal_ratio", ratio(kFormal, 0)},
      {"formal_clips_not_better", worse_clips(kFormal, 0)},
      {"formal_bisected_clips_not_better", worse_clips(kFormal, 1)},
      {"cesium_man_ratio", ratio(kMan, 0)},
      {"cesium_man_clips_not_better", worse_clips(kMan, 0)},
      {"fox_clips_not_better", worse_clips(kFox, 0)},
      {"fox_bisected_clips_not_better", worse_clips(kFox, 1)},
      {"fox_bisected_ratio", ratio(kFox, 1)},
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Sec. 6";
  e.title = "Real game characters, every clip";
  e.says =
      "On low-poly game models the normals from deform factors come much closer to the ground truth than the commonly used approximation, most where the body deforms least rigidly.";
  e.methods = {{"standard", "standard", {.mode = NormalMode::standard}},
               {"deform", "deform factors", {.mode = NormalMode::deform}}};
  e.models = {{kFormal}, {kFox}, {kMan}};
  e.bisect_models = true;
  e.shot = {.view = {.towards_eye = {0.5, 0.3, 1}, .up = {0, 1, 0}},
            .width = 400,
            .height = 520,
            .error_max_degrees = 45};
  e.findings = findings();
  e.video = {{.title = "quaternius-formal, Walk", .subject = kFormal, .clip = "Walk"},
             {.title = "quaternius-formal, Run", .subject = kFormal, .clip = "Run"},
             {.title = "fox, Run", .subject = kFox, .clip = "Run"},
             {.title = "cesium-man", .subject = kMan, .clip = "clip 0"}};
  return e;
}

}  // namespace skinlight::repro::tarini2014::characters
