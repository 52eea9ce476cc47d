// Digits of kernels in regimes and scalars.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "skinlight/stability/regimes.h"
#include "skinlight/stability/scalars.h"
#include "skinlight/stability/subjects.h"

namespace skinlight::stability {

inline constexpr int kCases = 2000;  // of a cell
inline constexpr int kWorst = 10;    // inputs of a cell that are kept

// A kernel's result in a regime and a scalar. Its id, "lbs-deform:tangents/near/float", is its name in the record.
struct Cell {
  const Subject* subject;
  const Regime* regime;
  const ScalarRow* scalar;
  Quantity quantity;
  std::string id() const;
};

struct CellDigits {
  Cell cell;
  double p50 = 0;  // the median
  double p01 = 0;  // what 99 % of the cases exceed
  // In scalars that are random: what so many cases do not exceed that chance alone would not make them more than 1 %, by
  // three standard deviations; else p01.
  double p01_beyond_chance = 0;
  std::vector<int> worst;  // cases, the worst first
  std::vector<double> worst_digits;
};

// Empty lists mean all.
struct Selection {
  std::vector<const Subject*> subjects;
  std::vector<const Regime*> regimes;
  std::vector<const ScalarRow*> scalars;
  bool quantities = true;  // also of tangents and positions
};

// All cells of the selection, by subject, then regime, scalar, quantity. Rivals exist in float alone; the positions of
// guarded kernels are those of unguarded ones.
std::vector<Cell> cells(const Selection& selection);

// regimes_done: called after each regime with how many of how many are done.
std::vector<CellDigits> measure(const Selection& selection, int cases = kCases, int threads = 0,
                                const std::function<void(int, int)>& regimes_done = {});

// The digits of a cell on these cases instead of its regime's, in their order.
std::vector<double> measure_cases(const Cell& cell, std::span<const VertexCase> cases);

}  // namespace skinlight::stability
