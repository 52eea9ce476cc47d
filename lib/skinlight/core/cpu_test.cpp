#include "skinlight/core/cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace skinlight {
namespace {

TEST(Cpu, RunsTheBaselineAndTakesTheLastOfWhatItRuns) {
  const auto sets = usable_instruction_sets();
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(sets.front(), InstructionSet::baseline);
  EXPECT_TRUE(std::is_sorted(sets.begin(), sets.end()));
  EXPECT_EQ(best_instruction_set(), sets.back());
}

// The kernel says what the processor has.
TEST(Cpu, HasAvx2WhereTheKernelSaysSo) {
  std::ifstream file("/proc/cpuinfo");
  if (!file) GTEST_SKIP() << "no /proc/cpuinfo";
  bool listed = false;
  for (std::string word; file >> word;) listed = listed || word == "avx2";
  EXPECT_EQ(best_instruction_set() == InstructionSet::avx2, listed);
}

}  // namespace
}  // namespace skinlight
