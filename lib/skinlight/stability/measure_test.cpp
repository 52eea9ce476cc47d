#include "skinlight/stability/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "skinlight/core/cpu.h"
#include "skinlight/core/random.h"
#include "skinlight/stability/detail/errors.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {
namespace {

// Floats whose unit vectors are longer than they should be.
template <int millionths>
void run_longer(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  run_float(c, chosen, results);
  for (Result& r : results)
    for (Vec3d* v : {&r.t, &r.b, &r.n}) *v = *v * (1 + millionths * 1e-6);
}

TEST(Measure, VectorsThatAreNotOfLength1HaveNoDigits) {
  const Subject& subject = subject_from_name("lbs-deform");
  const Regime& regime = regime_from_name("near");
  const ScalarRow& right = scalar_from_name("float");
  const auto with = [&](auto run) {
    ScalarRow row = right;
    row.run = run;
    return row;
  };
  const ScalarRow same = with(run_longer<0>), longer = with(run_longer<1>), shorter = with(run_longer<-1>);
  std::vector<VertexCase> cases;
  for (int i = 0; i < 20; ++i) cases.push_back(draw(regime, i));
  const auto digits = [&](const ScalarRow& scalar, Quantity quantity) {
    return measure_cases({&subject, &regime, &scalar, quantity}, cases);
  };
  const std::vector<double> none(cases.size(), kMissDigits);
  for (const Quantity quantity : {Quantity::normal, Quantity::tangents}) {
    EXPECT_EQ(digits(same, quantity), digits(right, quantity));
    EXPECT_EQ(digits(longer, quantity), none);
    EXPECT_EQ(digits(shorter, quantity), none);
  }
  EXPECT_EQ(digits(longer, Quantity::position), digits(right, Quantity::position));
}

// Pairs of doubles are the same numbers whether a fused multiply-add is an instruction or a call.
TEST(Errors, AreTheSameBytesOnEveryInstructionSet) {
  if (best_instruction_set() != InstructionSet::avx2) GTEST_SKIP() << "one instruction set here";
  std::vector<Result> results(subjects().size());
  const std::vector<Asked> asked = {{&scalar_from_name("float"), results}};
  for (const Regime& regime : regimes())
    for (int i = 0; i < 5; ++i) {
      const VertexCase c = draw(regime, i);
      run_float(c, subjects(), results);
      std::vector<double> baseline(results.size() * kQuantityCount, -1), avx2 = baseline;
      errors_baseline(c, subjects(), asked, baseline);
      errors_avx2(c, subjects(), asked, avx2);
      for (std::size_t k = 0; k < baseline.size(); ++k)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(baseline[k]), std::bit_cast<std::uint64_t>(avx2[k]))
            << subjects()[k / kQuantityCount].name << " " << regime.name;
      EXPECT_GT(*std::max_element(avx2.begin(), avx2.end()), 0);
    }
}

// A float in a few places that no regime draws.
void make_wild(VertexCase& c, Random& random) {
  using Limits = std::numeric_limits<float>;
  constexpr float kWild[] = {
      0, -0.0f, Limits::denorm_min(), -Limits::min() / 2, Limits::max(), -Limits::infinity(), 7e4f, 1e-6f};
  for_each_float(c, {}, [&](float& x) {
    const bool here = random.below(300) == 0;
    const int which = random.below(std::size(kWild));
    if (here) x = kWild[which];
  });
}

TEST(Scalars, CasesAtOnceHaveTheBitsOfOneAfterTheOther) {
  if (best_instruction_set() != InstructionSet::avx2) GTEST_SKIP() << "one instruction set here";
  const std::size_t count = subjects().size();
  std::vector<Result> one(count), at_once(kCaseLanes * count);
  Random random(77);
  const auto bits = [](double x) {
    return std::bit_cast<std::uint64_t>(std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x);
  };
  int scalars_at_once = 0, misses = 0;
  for (const ScalarRow& scalar : scalars()) {
    if (!scalar.run_avx2) continue;
    ++scalars_at_once;
    for (const Regime& regime : regimes())
      for (const bool wild : {false, true}) {
        std::vector<VertexCase> cases;
        for (std::size_t i = 0; i < kCaseLanes; ++i) {
          cases.push_back(draw(regime, static_cast<int>(i)));
          if (wild) make_wild(cases.back(), random);
        }
        scalar.run_avx2(cases, subjects(), at_once);
        for (std::size_t i = 0; i < kCaseLanes; ++i) {
          scalar.run(cases[i], subjects(), one);
          for (std::size_t k = 0; k < count; ++k) {
            if (subjects()[k].rival) continue;
            const Result &expected = one[k], &found = at_once[i * count + k];
            const Vec3d Result::*vectors[] = {&Result::p, &Result::t, &Result::b, &Result::n};
            bool same = expected.miss == found.miss;
            for (const auto vector : vectors)
              for (int axis = 0; axis < 3; ++axis)
                same = same && bits((expected.*vector)[axis]) == bits((found.*vector)[axis]);
            EXPECT_TRUE(same) << subjects()[k].name << " " << regime.name << " " << scalar.name << " " << i;
            misses += expected.miss ? 1 : 0;
          }
        }
      }
  }
  EXPECT_EQ(scalars_at_once, 3);
  EXPECT_GT(misses, 0);
}

// Cases that cannot run at once, for they have different numbers of slots or are the last few.
TEST(Measure, CasesHaveTheDigitsThatTheyHaveAlone) {
  std::vector<VertexCase> cases;
  for (const char* name : {"near", "influences-16", "near"})
    for (int i = 0; i < 11; ++i) cases.push_back(draw(regime_from_name(name), i));
  for (const ScalarRow& scalar : scalars()) {
    const Cell cell = {&subject_from_name("lbs-deform+clamp"), &regime_from_name("near"), &scalar,
                       Quantity::normal};
    const std::vector<double> together = measure_cases(cell, cases);
    ASSERT_EQ(together.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i)
      EXPECT_EQ(measure_cases(cell, std::span(cases).subspan(i, 1)).front(), together[i])
          << scalar.name << " " << i;
  }
}

}  // namespace
}  // namespace skinlight::stability
