#include "skinlight/stability/measure.h"

#include <gtest/gtest.h>

#include "skinlight/stability/detail/digits.h"
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

}  // namespace
}  // namespace skinlight::stability
