// Scalars with lanes that round in other ways than the machine: bit by bit those of one lane, as compiled for every machine
// and for AVX2.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "skinlight/core/contracted.h"
#include "skinlight/core/contracted_pack.h"
#include "skinlight/core/cpu.h"
#include "skinlight/core/low_precision.h"
#include "skinlight/core/low_precision_pack.h"
#include "skinlight/core/random.h"
#include "skinlight/core/vulkan_float.h"
#include "skinlight/core/vulkan_pack.h"
#include "testing/rounding_programs.h"

namespace skinlight {

// rounding_packs_avx2_test.cpp
void run_contracted_programs_avx2(testing::RoundingLanes& lanes);
void run_half_programs_avx2(testing::RoundingLanes& lanes);
void run_vulkan_programs_avx2(testing::RoundingLanes& lanes);

namespace {

using testing::kProgramLanes;
using testing::RoundingLanes;

constexpr int kDraws = 20'000;

// Any float at all, those that are special, those that halves can hold and those about 1: alike often.
float any_number(Random& random) {
  using Limits = std::numeric_limits<float>;
  constexpr float kLargestDenormal = 0x1.fffffcp-127f;
  constexpr float kSpecial[] = {0,
                                1,
                                Limits::denorm_min(),
                                kLargestDenormal,
                                Limits::min(),
                                Limits::max(),
                                Limits::infinity(),
                                Limits::quiet_NaN(),
                                65504,
                                65519,
                                65520,
                                0x1p-14f,
                                0x1.ffcp-15f,
                                0x1p-24f,
                                0x1p-25f,
                                0x1.8p-24f};
  const int kind = random.below(4), sign = random.below(2), special = random.below(std::size(kSpecial)),
            exponent = random.below(48);
  const std::uint64_t bits = random.bits();
  const double about_one = random.uniform(-2, 2);
  if (kind == 0) {
    const float v = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return std::isnan(v) ? Limits::quiet_NaN() : v;
  }
  if (kind == 1) return sign == 0 ? kSpecial[special] : -kSpecial[special];
  if (kind == 2) return static_cast<float>(std::ldexp(about_one, exponent - 28));
  return static_cast<float>(about_one);
}

// Every NaN is the same.
std::uint32_t bits_of(float v) {
  return std::bit_cast<std::uint32_t>(std::isnan(v) ? std::numeric_limits<float>::quiet_NaN() : v);
}

// lanes(of): what a pack makes of inputs. seed, missed: of the scalar.
template <class Scalar, class Lanes, class Seed, class Missed>
void expect_the_same_bits(Lanes run, Seed seed, Missed missed) {
  Random random(31);
  int differing = 0, finite = 0;
  for (int draw = 0; draw < kDraws / static_cast<int>(kProgramLanes); ++draw) {
    RoundingLanes lanes{};
    for (std::size_t l = 0; l < kProgramLanes; ++l) {
      for (auto& number : lanes.in) number[l] = any_number(random);
      lanes.seed[l] = random.bits();
    }
    run(lanes);
    for (std::size_t l = 0; l < kProgramLanes; ++l) {
      seed(lanes.seed[l]);
      const auto number = [&](int i) { return Scalar(static_cast<double>(lanes.in[i][l])); };
      std::size_t program = 0;
      testing::run_rounding_programs(number(0), number(1), number(2), number(3), [&](const Scalar& r) {
        const auto expected = static_cast<float>(r.value()), found = lanes.out[program][l];
        finite += std::isfinite(expected) ? 1 : 0;
        if (bits_of(expected) != bits_of(found) || missed() != lanes.missed[program][l])
          if (++differing < 10)
            ADD_FAILURE() << "program " << program << " of " << lanes.in[0][l] << " " << lanes.in[1][l] << " "
                          << lanes.in[2][l] << " " << lanes.in[3][l] << ": " << found << " for " << expected;
        ++program;
      });
      ASSERT_EQ(program, testing::kRoundingPrograms);
    }
  }
  EXPECT_EQ(differing, 0);
  EXPECT_GT(finite, kDraws * static_cast<int>(testing::kRoundingPrograms) / 2);
}

bool has_avx2() { return best_instruction_set() == InstructionSet::avx2; }
constexpr auto kNoSeed = [](const auto&) {};
constexpr auto kNoMiss = [](auto...) { return false; };

TEST(ContractedPack, HasTheBitsOfItsScalar) {
  expect_the_same_bits<Contracted>(
      [](RoundingLanes& lanes) { testing::run_programs_in_lanes<ContractedPack<>>(lanes, kNoSeed, kNoMiss); },
      kNoSeed, kNoMiss);
  if (has_avx2()) expect_the_same_bits<Contracted>(run_contracted_programs_avx2, kNoSeed, kNoMiss);
}

TEST(HalfPack, HasTheBitsOfItsScalar) {
  expect_the_same_bits<Half>(
      [](RoundingLanes& lanes) { testing::run_programs_in_lanes<HalfPack<>>(lanes, kNoSeed, kNoMiss); },
      kNoSeed, kNoMiss);
  if (has_avx2()) expect_the_same_bits<Half>(run_half_programs_avx2, kNoSeed, kNoMiss);
}

// Constants are doubles: those beside the middle between two halves, which a float does not tell from it, too.
TEST(HalfPack, RoundsConstantsOnce) {
  Random random(32);
  for (int draw = 0; draw < kDraws; ++draw) {
    const double steps = random.below(4096) + .5, beside = random.below(3) - 1;
    const int exponent = random.below(44) - 30, sign = random.below(2);
    const double value = std::ldexp(steps + beside * 0x1p-38, exponent) * (sign == 0 ? 1 : -1);
    float lanes[HalfPack<>::kLanes];
    HalfPack<>(value).store(lanes);
    ASSERT_EQ(bits_of(lanes[0]), bits_of(static_cast<float>(Half(value).value()))) << value;
  }
  for (const double value : {0.0, -0.0, 1e300, -1e300, 1e-300, -1e-300, 65519.999999999}) {
    float lanes[HalfPack<>::kLanes];
    HalfPack<>(value).store(lanes);
    EXPECT_EQ(bits_of(lanes[0]), bits_of(static_cast<float>(Half(value).value()))) << value;
  }
}

TEST(VulkanPack, HasTheBitsAndTheMissesOfItsScalarWithASeedForEachLane) {
  const auto expect = [](auto run) {
    expect_the_same_bits<VulkanFloat>(
        run, [](std::uint64_t seed) { VulkanFloat::seed(seed); }, [] { return VulkanFloat::missed(); });
  };
  expect([](RoundingLanes& lanes) {
    testing::run_programs_in_lanes<VulkanPack<>>(
        lanes, [](const auto& seeds) { VulkanPack<>::seed(seeds); },
        [](int lane) { return VulkanPack<>::missed(lane); });
  });
  if (has_avx2()) expect(run_vulkan_programs_avx2);
}

}  // namespace
}  // namespace skinlight
