// Which SIMD instructions this machine runs. What needs more than the compiler's baseline lies in a source of
// its own that skinlight_avx2_source() of lib/cmake/SkinlightRooms.cmake compiles for them. What it
// instantiates stands on a Pack of its own (pack.h), lest the linker take its copy of an inline function for
// everybody's; the tests own_instructions hold that.
#pragma once

#include <span>
#include <string_view>

namespace skinlight {

enum class InstructionSet {
  baseline,  // what the compiler was told to assume
  avx2,      // x86-64 with AVX2 and FMA, which come together
};

// Those that this machine runs, ascending; the baseline always.
std::span<const InstructionSet> usable_instruction_sets();

// The last of them.
InstructionSet best_instruction_set();

// "baseline", "avx2".
std::string_view name_of(InstructionSet set);

}  // namespace skinlight
