// Which SIMD instructions this machine runs. What needs more than the compiler's baseline lies in a source of
// its own that skinlight_avx2_source() of lib/cmake/SkinlightRooms.cmake compiles for them; everything in it
// has internal linkage and calls no inline function of a header, lest the linker take its copy of one for
// everybody's.
#pragma once

#include <span>

namespace skinlight {

enum class InstructionSet {
  baseline,  // what the compiler was told to assume
  avx2,      // x86-64 with AVX2
};

// Those that this machine runs, ascending; the baseline always.
std::span<const InstructionSet> usable_instruction_sets();

// The last of them.
InstructionSet best_instruction_set();

}  // namespace skinlight
