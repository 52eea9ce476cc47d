// Wide numbers against 200 bits.
#include "skinlight/core/wide.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "skinlight/core/random.h"

namespace skinlight {
namespace {

using Bits200 = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<200, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

constexpr int kRounds = 5'000;

// Exact: three doubles hold all digits of both.
template <class S>
Bits200 exactly(S a) {
  Bits200 sum = 0;
  for (int i = 0; i < 3; ++i) {
    const auto next = static_cast<double>(a);
    sum += Bits200(next);
    a = a - S(next);
  }
  return sum;
}

// Of either sign, with every digit that S has.
template <class S>
S any_number(Random& random) {
  const double high = random.uniform(1, 2), low = random.uniform(-1, 1), lowest = random.uniform(-1, 1);
  const int exponent = random.below(81) - 40, sign = random.below(2);
  const S a = S(high) + S(low * 0x1p-54) + S(lowest * 0x1p-108);
  return a * S(std::ldexp(sign == 0 ? 1 : -1, exponent));
}

template <class S>
struct Bounds;  // of relative errors
template <>
struct Bounds<Wide> {  // half a unit in the last place; a whole one for roots; their inverses round once more
  static constexpr double kSum = 0x1p-113, kProduct = 0x1p-113, kQuotient = 0x1p-113, kRoot = 0x1p-112,
                          kInverseRoot = 0x1.8p-112;
};
template <>
struct Bounds<DoubleDouble> {
  // In squares of what a double rounds by [Joldes, Muller, Popescu 2017], and a little for their cubes. A quotient of three
  // digits: 3 for the product of the divisor and the first, whose error the others take in, 1 for the sum of the three.
  static constexpr double kSquare = 0x1.0000001p-106;
  static constexpr double kSum = 3 * kSquare, kProduct = 5 * kSquare, kQuotient = 4 * kSquare,
                          kRoot = 3.125 * kSquare, kInverseRoot = kQuotient + kRoot;
};

template <class S>
class WideNumber : public testing::Test {};
using BothKinds = testing::Types<Wide, DoubleDouble>;
TYPED_TEST_SUITE(WideNumber, BothKinds);

TYPED_TEST(WideNumber, OperationsRoundThoseOf200Bits) {
  using S = TypeParam;
  Random random(1);
  const auto expect = [](S value, const Bits200& truth, double bound, const char* what) {
    EXPECT_LE(static_cast<double>(abs((exactly(value) - truth) / truth)), bound) << what;
  };
  for (int round = 0; round < kRounds; ++round) {
    const S a = any_number<S>(random), b = any_number<S>(random), square = a * a;
    const Bits200 A = exactly(a), B = exactly(b), Square = exactly(square);
    expect(a + b, A + B, Bounds<S>::kSum, "sum");
    expect(a - b, A - B, Bounds<S>::kSum, "difference");
    expect(a * b, A * B, Bounds<S>::kProduct, "product");
    expect(a / b, A / B, Bounds<S>::kQuotient, "quotient");
    expect(sqrt(square), sqrt(Square), Bounds<S>::kRoot, "root");
    expect(inversesqrt(square), 1 / sqrt(Square), Bounds<S>::kInverseRoot, "inverse root");
    EXPECT_EQ(exactly(-a), -A);
    EXPECT_EQ(a < b, A < B);
    EXPECT_EQ(a > b, A > B);
    EXPECT_FALSE(a < a);
    EXPECT_FALSE(a > a);
    EXPECT_EQ(exactly(select(a < b, a, b)), A < B ? A : B);
  }
}

// Numbers whose first doubles are the same differ in what is behind them.
TYPED_TEST(WideNumber, OrderGoesOnBehindTheFirstDouble) {
  using S = TypeParam;
  const S one(1), above = one + S(0x1p-100), below = one - S(0x1p-100);
  EXPECT_TRUE(below < one && one < above && below < above);
  EXPECT_TRUE(above > one && one > below && above > below);
  EXPECT_FALSE(one < below || above < one || above < below);
  EXPECT_FALSE(below > one || one > above || below > above);
}

TYPED_TEST(WideNumber, RootsOutsideTheirRangeAreThoseOfDoubles) {
  using S = TypeParam;
  EXPECT_EQ(static_cast<double>(sqrt(S(0))), 0);
  EXPECT_TRUE(std::isnan(static_cast<double>(sqrt(S(-1)))));
  EXPECT_EQ(static_cast<double>(sqrt(S(9))), 3);
}

}  // namespace
}  // namespace skinlight
