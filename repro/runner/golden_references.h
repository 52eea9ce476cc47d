// Golden references: what an experiment's normals, pictures and tables were when a person last looked at them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "repro/runner/runner.h"

namespace skinlight::repro {

// Angle between a captured normal and its reference. llvmpipe repeats its bytes on machines alike; other
// vector widths and CPUs round differently in the last bits of a float (6e-8 relative, some ten operations
// deep).
inline constexpr double kGoldenNormalRadians = 1e-5;
// References of the whole project, so that a clone stays small.
inline constexpr std::uintmax_t kGoldenBytes = 25u << 20;

struct GoldenMismatch {
  std::string file, reason;
};

// Experiments that have references: all but those that cannot run without models, which stay out of the
// repository.
bool has_golden(const Experiment& experiment);

// Compares a finished run in `run_folder` with golden/normals/<id>, golden/images/<id> and golden/tables/<id>, by the
// tolerances of golden/manifest.json. Where models are missing, of tables only the rows of metrics.csv that need
// none. A missing reference, one without an output, or an id without an entry is a mismatch. For each mismatch actual,
// expected, difference and numbers are left in `failures`/<id>/. Empty: all match.
std::vector<GoldenMismatch> check_golden(const Experiment& experiment,
                                         const std::filesystem::path& run_folder,
                                         const std::filesystem::path& golden,
                                         const std::filesystem::path& failures);

// Makes a finished run the reference and records renderer, command and tolerances in the manifest. Throws
// InputError when golden/ would grow beyond kGoldenBytes, or a model is missing.
void bless_golden(const Experiment& experiment, const std::filesystem::path& run_folder,
                  const std::filesystem::path& golden);

}  // namespace skinlight::repro
