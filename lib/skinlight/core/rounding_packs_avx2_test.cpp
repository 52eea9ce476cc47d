// The programs of rounding_packs_test.cpp and pack_test.cpp over packs that are compiled for AVX2. No test is here: what a
// test framework defines for all sources would be compiled for AVX2 too.
#include "skinlight/core/contracted_pack.h"
#include "skinlight/core/low_precision_pack.h"
#include "skinlight/core/vulkan_pack.h"
#include "testing/pack_programs.h"
#include "testing/rounding_programs.h"

namespace skinlight {

namespace {
struct ProgramsHere;  // see core/pack.h
}

void run_contracted_programs_avx2(testing::RoundingLanes& lanes) {
  testing::run_programs_in_lanes<ContractedPack<ProgramsHere>>(
      lanes, [](const auto&) {}, [](int) { return false; });
}

void run_half_programs_avx2(testing::RoundingLanes& lanes) {
  testing::run_programs_in_lanes<HalfPack<ProgramsHere>>(
      lanes, [](const auto&) {}, [](int) { return false; });
}

void run_vulkan_programs_avx2(testing::RoundingLanes& lanes) {
  using Floats = VulkanPack<ProgramsHere>;
  testing::run_programs_in_lanes<Floats>(
      lanes, [](const auto& seeds) { Floats::seed(seeds); }, [](int lane) { return Floats::missed(lane); });
}

void run_pack_programs_avx2(int width, testing::PackLanes<float>& lanes) {
  testing::run_pack_programs<ProgramsHere>(width, lanes);
}

void run_pack_programs_avx2(int width, testing::PackLanes<double>& lanes) {
  testing::run_pack_programs<ProgramsHere>(width, lanes);
}

}  // namespace skinlight
