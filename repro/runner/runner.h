// Runs experiments into folders: out/<id>/{run.json, metrics.csv, *.png, *.npy}.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "repro/experiment.h"
#include "repro/measure.h"
#include "repro/runner/judgement.h"
#include "repro/runner/model_catalogue.h"
#include "repro/studio.h"

namespace skinlight::repro {

struct RunOptions {
  std::filesystem::path out = "out";
  int threads = 0;  // 0: all cores
  bool video = false;
};

struct Output {
  std::string file, kind, caption;  // kind: image, normals, table, video, frames
  std::string model = {};           // the model it shows: no golden reference
};

struct RunReport {
  std::string not_run;  // why the experiment could not run (a model is missing); empty when it did
  std::string note;     // for people: what else they should know; may be empty
  std::vector<std::string> left_out;  // models that are missing, with the way to get them; the rest did run
  std::vector<Judgement> judgements;  // of every claim, in their order
  std::vector<Output> outputs;

  bool failed() const;
};

// Runs one experiment; its folder is replaced as a whole when everything has been written. Where a model is
// missing, an experiment with rigs of its own leaves out the model's claims and pictures, one without does
// not run; run.json says so either way. With SKINLIGHT_REQUIRE_MODELS=1 a missing model is an InputError.
RunReport run(const Experiment& experiment, Studio& studio, const RunOptions& options,
              const Progress& progress);

}  // namespace skinlight::repro
