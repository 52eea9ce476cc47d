#include "skinlight/preprocess/centres/detail/bone_pair_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "skinlight/core/cpu.h"
#include "skinlight/core/random.h"
#include "skinlight/mesh/weld.h"
#include "skinlight/preprocess/centres/centre_sums.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kLargest = 1000;

std::vector<SumPairSources> kernels() {
  std::vector<SumPairSources> all = {sum_pair_sources};
  if (best_instruction_set() == InstructionSet::avx2) all.push_back(sum_pair_sources_avx2);
  return all;
}

// One source that leaves 2^-w_j^2 in every row.
double exp2_of_minus_square(SumPairSources kernel, double w_j) {
  const PairSource source{0, 1, 1, 0, 0, 0};
  RowBlock rows{};
  std::fill(std::begin(rows.w_j), std::end(rows.w_j), w_j);
  kernel(&source, 1, kLargest, rows);
  for (const double sum : rows.mass) EXPECT_EQ(sum, rows.mass[0]);
  return rows.mass[0];
}

// Relative, an ulp at 1. The last addition's rounding, of values down to .7, takes .35 of it, those of the
// terms below it together about as much; .95 of it measured.
constexpr double kExpError = 0x1p-52;

TEST(BonePairKernel, ExponentialIsWithinAnUlpOverItsRange) {
  Random random(31);
  for (const SumPairSources kernel : kernels()) {
    double worst = 0;
    for (int i = 0; i < 200000; ++i) {
      // All sizes of exponents, and dense where most are.
      const double y = i % 2 ? random.uniform(0, kLargest) : std::exp2(random.uniform(-60, 5)),
                   w = std::sqrt(y), square = w * w;
      const long double exact = std::exp2(-static_cast<long double>(std::min(square, kLargest)));
      worst =
          std::max(worst, static_cast<double>(std::fabs(exp2_of_minus_square(kernel, w) - exact) / exact));
    }
    EXPECT_LT(worst, kExpError);
    EXPECT_GT(worst, kExpError / 4);
    EXPECT_EQ(exp2_of_minus_square(kernel, 0), 1);
  }
}

// At most 2^-1000, for any weights over any sigma.
TEST(BonePairKernel, ExponentsEndAtTheLargest) {
  for (const SumPairSources kernel : kernels())
    for (const double w : {32., 1e3, 1e100, 1e200}) EXPECT_EQ(exp2_of_minus_square(kernel, w), 0x1p-1000);
}

std::vector<PairSource> random_sources(int count, Random& random) {
  std::vector<PairSource> sources;
  for (int i = 0; i < count; ++i)
    sources.push_back({random.uniform(0, 12), random.uniform(0, 12), random.uniform(0, 1),
                       random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
  return sources;
}

RowBlock random_rows(Random& random) {
  RowBlock rows{};
  for (int r = 0; r < kRowsPerBlock; ++r) {
    rows.w_j[r] = random.uniform(0, 1);
    rows.w_k[r] = random.uniform(0, 1);
  }
  return rows;
}

TEST(BonePairKernel, SumsWhatTheDirectLoopSums) {
  Random random(32);
  for (const int count : {0, 1, 2, 37}) {
    const std::vector<PairSource> sources = random_sources(count, random);
    const RowBlock wanted = random_rows(random);
    for (const SumPairSources kernel : kernels()) {
      RowBlock rows = wanted;
      kernel(sources.data(), count, kLargest, rows);
      for (int r = 0; r < kRowsPerBlock; ++r) {
        long double sum[4] = {};
        for (const PairSource& s : sources) {
          const long double d = static_cast<long double>(wanted.w_j[r]) * s.w_k -
                                static_cast<long double>(wanted.w_k[r]) * s.w_j,
                            similar = std::exp2(-d * d);
          sum[0] += similar * s.mass;
          sum[1] += similar * s.x;
          sum[2] += similar * s.y;
          sum[3] += similar * s.z;
        }
        // Differences of products of 12 are within 2e-15, their squares of up to 144 twice 12 times that:
        // of terms that are then below 2^-144. Large terms keep 15 digits.
        const double kRounding = 1e-14 * count;
        EXPECT_NEAR(rows.mass[r], static_cast<double>(sum[0]), kRounding);
        EXPECT_NEAR(rows.x[r], static_cast<double>(sum[1]), kRounding);
        EXPECT_NEAR(rows.y[r], static_cast<double>(sum[2]), kRounding);
        EXPECT_NEAR(rows.z[r], static_cast<double>(sum[3]), kRounding);
        EXPECT_EQ(rows.w_j[r], wanted.w_j[r]);
      }
    }
  }
}

using Bytes = std::array<unsigned char, sizeof(RowBlock)>;

TEST(BonePairKernel, GivesTheSameBytesOnEveryInstructionSet) {
  Random random(33);
  const std::vector<PairSource> sources = random_sources(1001, random);
  for (int i = 0; i < 20; ++i) {
    const RowBlock wanted = random_rows(random);
    RowBlock first = wanted;
    sum_pair_sources(sources.data(), 1001, kLargest, first);
    for (const SumPairSources kernel : kernels()) {
      RowBlock rows = wanted;
      kernel(sources.data(), 1001, kLargest, rows);
      EXPECT_TRUE(std::bit_cast<Bytes>(rows) == std::bit_cast<Bytes>(first));
    }
  }
}

using SumBytes = std::array<unsigned char, sizeof(CentreSum)>;

TEST(BonePairSums, AreTheSameBytesOnEveryInstructionSetAndThreadCount) {
  Random random(34);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(4, random), 12, 4, random);
  const WeightedSurface surface = weighted_surface(mesh, Surface(mesh.faces, weld(mesh)));
  const WeightedTriangles triangles = weighted_triangles(surface);
  const CentreTargets targets = centre_targets(surface);
  const std::vector<CentreSum> first =
      sum_by_bone_pairs(triangles, targets, {.threads = 1, .instructions = InstructionSet::baseline});
  for (const InstructionSet set : usable_instruction_sets())
    for (const int threads : {1, 2, 5}) {
      const std::vector<CentreSum> sums =
          sum_by_bone_pairs(triangles, targets, {.threads = threads, .instructions = set});
      ASSERT_EQ(sums.size(), first.size());
      for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_TRUE(std::bit_cast<SumBytes>(sums[i]) == std::bit_cast<SumBytes>(first[i])) << i;
    }
}

// More pairs of bones than the table starts with, and enough for their hashes to meet.
TEST(BonePairSums, AreTheNaiveOnesOfThousandsOfPairs) {
  Random random(35);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::sphere(3), 200, 6, random);
  const WeightedSurface surface = weighted_surface(mesh, Surface(mesh.faces, weld(mesh)));
  const WeightedTriangles triangles = weighted_triangles(surface);
  const CentreTargets targets = centre_targets(surface);
  std::set<std::pair<int, int>> pairs;
  for (const BonePair& pair : targets.pairs) pairs.insert({pair.j, pair.k});
  EXPECT_GT(pairs.size(), 2000u);
  const std::vector<CentreSum> sums = sum_by_bone_pairs(triangles, targets, {}),
                               naive = sum_naively(triangles, targets, {});
  for (std::size_t i = 0; i < naive.size(); ++i) {
    EXPECT_NEAR(sums[i].weight, naive[i].weight, 1e-13 * naive[i].weight);  // some 100 terms, all positive
    EXPECT_LE(length(sums[i].first - naive[i].first), 1e-13 * naive[i].weight);
  }
}

}  // namespace
}  // namespace skinlight
