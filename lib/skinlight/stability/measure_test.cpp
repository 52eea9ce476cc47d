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
