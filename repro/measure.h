// From an experiment's rigs, poses, methods and models to numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "repro/experiment.h"

namespace skinlight::repro {

// What the method skins the character with.
SkinData data_of(const Character& character, const MethodCase& method);

using Progress = std::function<void(const std::string& step)>;

// Every rig in every pose with every method against the analytic, the transported and the recomputed truth of
// its skinning, and the recomputed truth itself as method "recomputed" against the analytic one (of the first
// method's skinning).
void measure_rigs(const Experiment& experiment, int threads, const Progress& progress, Results& results);

// Every clip of a model, prepared as it is, with every method against the transported and the recomputed
// truth.
std::vector<ClipError> measure_clips(const Character& model, const Experiment& experiment,
                                     const Progress& progress);

// Rows of metrics.csv, family "model"; the pose is the clip; resolution counts bisections.
void add_clips(const std::string& model, int resolution, const Experiment& experiment,
               const std::vector<ClipError>& clips, Results& results);

// The model with the rest normals that the recomputed truth has of it, in place of authored ones: what is left
// against that truth is then error and not taste.
Model with_recomputed_normals(const Character& model);

struct WorstFrame {
  std::size_t clip = 0;  // index
  double time = 0;       // seconds
};

// Where the standard normals have their largest mean error against the transported truth. clips must not be
// empty.
WorstFrame worst_frame(const std::vector<ClipError>& clips);

}  // namespace skinlight::repro
