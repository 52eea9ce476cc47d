// The operations of kernels one after the other: written down once, as they run over a scalar that records, and then run over
// any other scalar without being compiled for it (replay.h). Kernels branch on no number, for lanes could not follow: the
// operations are the same for all cases of as many slots.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "skinlight/stability/scalars.h"

namespace skinlight::stability {

enum class TapeCode : std::uint8_t {
  sum,
  difference,
  product,
  quotient,
  root,
  inverse_root,
  less,    // a mask
  both,    // of masks
  choice,  // by the mask c: a, else b
  stage,   // a: a Stage begins
  done,    // the subject `to` has its result: a, the first of its numbers in KernelTape::results
};

// The numbers of a result: p, t, b, n.
inline constexpr int kResultNumbers = 12;

// to, a, b, c: numbers of registers, of masks where the code says so.
struct TapeStep {
  TapeCode code;
  int to, a, b, c;
};

// Registers hold the inputs first, then the constants, then what the steps make.
struct KernelTape {
  int subjects = 0, inputs = 0, registers = 0, masks = 0;
  std::vector<double> constants;
  std::vector<TapeStep> steps;
  std::vector<int> results;  // registers, kResultNumbers a subject
};

// The kernels of subjects, rivals left out, over cases of so many slots: 4, 8 or 16.
KernelTape kernel_tape(std::span<const Subject> chosen, int slots);

// What the inputs of a tape are in a case: its own floats, then what each guard is given, then the signs that make normals
// point outwards. Put to[0], to[stride] ...
void put_tape_inputs(const VertexCase& c, float* to, std::size_t stride);

// Of every number of slots.
class KernelTapes {
 public:
  explicit KernelTapes(std::span<const Subject> chosen)
      : tapes_{kernel_tape(chosen, 4), kernel_tape(chosen, 8), kernel_tape(chosen, 16)} {}
  const KernelTape& of(const VertexCase& c) const { return tapes_[c.slots == 4 ? 0 : c.slots == 8 ? 1 : 2]; }

 private:
  std::array<KernelTape, 3> tapes_;
};

}  // namespace skinlight::stability
