// The pictures that an experiment lists.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "repro/experiment.h"
#include "repro/measure.h"
#include "repro/runner/runner.h"
#include "repro/studio.h"

namespace skinlight::repro {

using Models = std::map<std::string, Character>;

// The experiment's shot as the model wants it; of its own rigs when `model` is null.
Shot shot_of(const Experiment& experiment, const ModelCase* model);

// Draws into `folder` what is there: pictures of models that are not among `models` are left out.
void draw_pictures(const Experiment& experiment, const Models& models, Studio& studio, int threads,
                   const Progress& progress, const std::filesystem::path& folder,
                   std::vector<Output>& outputs);

}  // namespace skinlight::repro
