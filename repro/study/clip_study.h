// What the experiments of this folder do with real models.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "repro/experiment.h"
#include "repro/measure.h"
#include "repro/runner/model_catalogue.h"

namespace skinlight::repro {

// Every animated model of repro/models.json that anyone can fetch.
inline constexpr const char* kAnimatedModels[] = {
    "fox",          "quaternius-formal", "cesium-man",    "quaternius-wolf", "trex",
    "velociraptor", "quaternius-cactus", "rigged-simple", "godot-enemy"};

// A way to get normals: what skinning reads, and its name in metrics.csv.
struct NormalSource {
  std::string method;
  SkinData data;
  SkinOptions options;
};

// These poses with every source, against the transported and the recomputed truth of its skinning, as one row each of
// metrics.csv.
void measure_poses(const std::string& name, const std::string& pose_name, const Character& model,
                   std::span<const Pose> poses, std::span<const NormalSource> sources, Results& results);

// The same of these clips, each by itself. `frames` of each, evenly from its first to its last second.
void measure_clips(const std::string& name, const Character& model, std::span<const Clip> clips, int frames,
                   std::span<const NormalSource> sources, Results& results);

// Mean errors of two methods, divided: for each clip of each model that was measured.
struct ClipRatio {
  std::string model, clip;
  double ratio;
};
std::vector<ClipRatio> clip_ratios(const Results& results, const std::string& over, const std::string& under,
                                   Truth truth);

// The geometric mean of mean_error() ratios (study/frames.h) over the models.
double typical_ratio(const Results& results, std::span<const char* const> models, const std::string& over,
                     const std::string& under, Truth truth);

}  // namespace skinlight::repro
