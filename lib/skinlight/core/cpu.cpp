#include "skinlight/core/cpu.h"

namespace skinlight {

namespace {

constexpr InstructionSet kSets[] = {InstructionSet::baseline, InstructionSet::avx2};

bool runs_avx2() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx2") != 0 &&
         __builtin_cpu_supports("fma") != 0;  // asks the operating system too
#else
  return false;
#endif
}

}  // namespace

std::span<const InstructionSet> usable_instruction_sets() {
  static const std::size_t count = runs_avx2() ? 2 : 1;
  return {kSets, count};
}

InstructionSet best_instruction_set() { return usable_instruction_sets().back(); }

std::string_view name_of(InstructionSet set) { return set == InstructionSet::avx2 ? "avx2" : "baseline"; }

}  // namespace skinlight
