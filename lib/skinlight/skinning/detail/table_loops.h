// The loops over blocks of the table's kernels, compiled once for any machine and once for AVX2.
#pragma once

#include "skinlight/core/cpu.h"
#include "skinlight/skinning/block_loop.h"

namespace skinlight {

// set: one of usable_instruction_sets(). All give the same bytes; double has one for any machine only.
template <class Real>
LoopOf<Real> table_loops(const KernelRow& kernel, InstructionSet set);
template <>
LoopOf<float> table_loops(const KernelRow& kernel, InstructionSet set);
template <>
LoopOf<double> table_loops(const KernelRow& kernel, InstructionSet set);

}  // namespace skinlight
