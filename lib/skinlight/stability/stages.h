// What comes before and after the kernels, in double: the stages of preprocessing, and the statistics of errors. They have
// cells of the record as kernels have, stage/input/double, with regimes of their own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skinlight/stability/measure.h"

namespace skinlight::stability {

// A one-ring or its like as it is hard for a stage.
struct StageInput {
  Regime regime;      // name, label and seed
  double height = 1;  // of triangles over their length; of angles, their size
  double distance = 0, size = 1;
};

struct StageRow {
  Subject subject;         // its name alone says something
  std::string_view label;  // for people
  // Digits of the worst of what it gives for a case.
  double (*digits)(const StageInput& input, std::uint64_t seed);
};

std::span<const StageRow> stages();
std::span<const StageInput> stage_inputs();
const ScalarRow& stage_scalar();

// Digits of stages go further than those of kernels.
inline constexpr double kMostStageDigits = 17;

// As cells() and measure(), of the stages in the selection.
std::vector<Cell> stage_cells(const Selection& selection);
std::vector<double> measure_stage(const Cell& cell, int cases, int threads);

}  // namespace skinlight::stability
