// Scalars that round in other ways than the machine, against arithmetic in 113 bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "skinlight/core/contracted.h"
#include "skinlight/core/dual.h"
#include "skinlight/core/half.h"
#include "skinlight/core/interval.h"
#include "skinlight/core/low_precision.h"
#include "skinlight/core/operation_bits.h"
#include "skinlight/core/random.h"
#include "skinlight/core/stochastic.h"
#include "skinlight/core/vulkan_float.h"
#include "skinlight/core/wide.h"

namespace skinlight {
namespace {

constexpr int kRounds = 20'000;
constexpr float kSmallest = std::numeric_limits<float>::denorm_min(),
                kNormal = std::numeric_limits<float>::min();

// Any sign, any exponent from -range to range.
float any_float(Random& random, int range = 40) {
  const double mantissa = random.uniform(1, 2);
  const int exponent = random.below(2 * range + 1) - range;
  const double sign = random.below(2) == 0 ? 1 : -1;
  return static_cast<float>(sign * std::ldexp(mantissa, exponent));
}

// The sign of a - b.
int order(Wide a, Wide b) { return a < b ? -1 : a > b ? 1 : 0; }

// What an operation gives in 113 bits, between the floats that Exact finds: equal ones only where it is a float.
void expect_between(Exact e, Wide truth, const char* what) {
  const Neighbours n = neighbours(e);
  const int low = order(Wide(n.low), truth), high = order(truth, Wide(n.high));
  if (n.low == n.high) {
    EXPECT_EQ(low, 0) << what;
    return;
  }
  EXPECT_LT(low, 0) << what;
  EXPECT_LT(high, 0) << what;
  EXPECT_EQ(std::nextafter(n.low, std::numeric_limits<float>::infinity()), n.high) << what;
}

TEST(Exact, NeighboursEncloseTheResultOf113Bits) {
  Random random(1);
  for (int round = 0; round < kRounds; ++round) {
    const float a = any_float(random), b = any_float(random), positive = std::abs(a);
    const Wide A(a), B(b), P(positive);
    expect_between(exact_sum(a, b), A + B, "sum");
    expect_between(exact_product(a, b), A * B, "product");
    // 48 bits of the product and those between it and the summand have to fit into 113.
    const float d = any_float(random, 10), e = any_float(random, 10), f = any_float(random, 10);
    expect_between(exact_multiply_add(d, e, f), Wide(d) * Wide(e) + Wide(f), "multiply-add");
    expect_between(exact_quotient(a, b), A / B, "quotient");
    expect_between(exact_sqrt(positive), sqrt(P), "sqrt");
    expect_between(exact_inversesqrt(positive), inversesqrt(P), "inversesqrt");
  }
}

// What is left of it beside the nearest double: its sign, and more than half of its digits.
TEST(Exact, RestsAreThoseOf113Bits) {
  constexpr double kDigits = 0x1p-20;
  Random random(41);
  const auto expect = [](Exact e, Wide truth, const char* what) {
    const auto rest = static_cast<double>(truth - Wide(e.value));
    EXPECT_NEAR(e.rest, rest, kDigits * std::abs(rest) + 0x1p-100 * std::abs(e.value)) << what;
  };
  for (int round = 0; round < kRounds; ++round) {
    const float a = any_float(random), b = any_float(random), positive = std::abs(a);
    const Wide A(a), B(b), P(positive);
    expect(exact_sum(a, b), A + B, "sum");
    expect(exact_product(a, b), A * B, "product");
    expect(exact_quotient(a, b), A / B, "quotient");
    expect(exact_sqrt(positive), sqrt(P), "sqrt");
    expect(exact_inversesqrt(positive), inversesqrt(P), "inversesqrt");
  }
}

// Results that are floats, and those just beside one, beyond what a double tells apart.
TEST(Exact, NeighboursOfFloatsAreThemselves) {
  const auto expect = [](Exact e, float low, float high) {
    EXPECT_EQ(neighbours(e).low, low);
    EXPECT_EQ(neighbours(e).high, high);
  };
  const float above = std::nextafter(1.0f, 2.0f), below = std::nextafter(1.0f, 0.0f);
  expect(exact_sum(1, 2), 3, 3);
  expect(exact_sum(1, 1e-30f), 1, above);
  expect(exact_sum(1, -1e-30f), below, 1);
  expect(exact_sum(-1, 1e-30f), -1, -below);
  expect(exact_multiply_add(1e-20f, 1e-20f, 1), 1, above);
  expect(exact_sqrt(9), 3, 3);
  expect(exact_sqrt(0), 0, 0);
  expect(exact_inversesqrt(16), .25, .25);
  expect(exact_quotient(1, -4), -.25, -.25);
  expect(exact_product(kSmallest, .25f), 0, kSmallest);
  expect(exact_product(std::numeric_limits<float>::max(), 2), std::numeric_limits<float>::max(),
         std::numeric_limits<float>::infinity());
}

// Wide and DoubleDouble.

// sqrt(2) to 40 digits as a sum of three doubles (of its decimal expansion).
TEST(Wide, HasTheDigitsOfSqrt2) {
  const Wide root = sqrt(Wide(2));
  const double first = static_cast<double>(root), second = static_cast<double>(root - Wide(first));
  EXPECT_EQ(first, 1.4142135623730951);
  EXPECT_NEAR(second, -9.667293313452913e-17, 1e-31);
  EXPECT_LT(std::abs(static_cast<double>(root * root - Wide(2))), 1e-33);
  EXPECT_EQ(static_cast<double>(sqrt(Wide(0))), 0);
  EXPECT_TRUE(std::isnan(static_cast<double>(sqrt(Wide(-1)))));
}

TEST(Wide, RatiosOfIntegersAreExactBeyondDouble) {
  EXPECT_LT(std::abs(static_cast<double>(ratio<Wide>(1, 3) * Wide(3) - Wide(1))), 1e-33);
  EXPECT_LT(std::abs(static_cast<double>(ratio<DoubleDouble>(1, 3) * DoubleDouble(3) - DoubleDouble(1))),
            1e-31);
  EXPECT_LT(std::abs(static_cast<double>(ratio<Dual<Wide>>(1, 3).v * Wide(3) - Wide(1))), 1e-33);
  EXPECT_EQ(ratio<float>(1, 3), static_cast<float>(1.0 / 3));
  EXPECT_EQ(ratio<double>(-2, 7), -2.0 / 7);
  EXPECT_EQ(ratio<long double>(1, 3), 1.0L / 3);
}

// Relative error of an operation on pairs of doubles: 3 u^2 for the sum up to 10 u^2 for the quotient, u = 2^-53.
constexpr double kDoubleDouble = 0x1p-102;

TEST(DoubleDouble, OperationsAgreeWith113Bits) {
  Random random(2);
  const auto wide = [](DoubleDouble a) {
    const double high = static_cast<double>(a), low = static_cast<double>(a - DoubleDouble(high));
    return Wide(high) + Wide(low);
  };
  const auto expect = [&](DoubleDouble value, Wide truth, const char* what) {
    EXPECT_LT(std::abs(static_cast<double>((wide(value) - truth) / truth)), kDoubleDouble) << what;
  };
  for (int round = 0; round < kRounds; ++round) {
    const double x = any_float(random), x_low = random.uniform(-1, 1) * x * 0x1p-54;
    const double y = any_float(random), y_low = random.uniform(-1, 1) * y * 0x1p-54;
    const DoubleDouble a = DoubleDouble(x) + DoubleDouble(x_low), b = DoubleDouble(y) + DoubleDouble(y_low);
    const Wide A = wide(a), B = wide(b);
    expect(a + b, A + B, "sum");
    expect(a - b, A - B, "difference");
    expect(a * b, A * B, "product");
    expect(a / b, A / B, "quotient");
    expect(sqrt(a * a), sqrt(wide(a * a)), "sqrt");
    EXPECT_EQ(a < b, A < B);
    EXPECT_EQ(a > b, A > B);
  }
  EXPECT_TRUE(DoubleDouble(1) < DoubleDouble(1) + DoubleDouble(1e-30));
  EXPECT_EQ(static_cast<double>(sqrt(DoubleDouble(0))), 0);
}

// LowPrecision: with the bits of a float it is a float, with those of a half a half.

TEST(LowPrecision, Of24And8BitsIsFloatBitwise) {
  using L = LowPrecision<24, 8>;
  Random random(3);
  const auto expect = [](L value, float truth) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(value.value())),
              std::bit_cast<std::uint32_t>(truth));
  };
  for (int round = 0; round < kRounds; ++round) {
    const float a = any_float(random), b = any_float(random);
    const L x(a), y(b);
    expect(x + y, a + b);
    expect(x - y, a - b);
    expect(x * y, a * b);
    expect(x / y, a / b);
    expect(sqrt(x * x), std::sqrt(a * a));
    EXPECT_EQ(x < y, a < b);
  }
  expect(L(kNormal) * L(.3), kNormal * .3f);  // gradual underflow
  expect(L(kSmallest) * L(.5), 0);
  expect(L(3e38) * L(2), std::numeric_limits<float>::infinity());
}

TEST(LowPrecision, HalfRoundsLikeTheStorageFormat) {
  Random random(4);
  for (int round = 0; round < kRounds; ++round) {
    const double mantissa = random.uniform(-1, 1);
    const float a = static_cast<float>(std::ldexp(mantissa, random.below(46) - 28));
    EXPECT_EQ(Half(a).value(), rounded_to_half(a)) << a;
  }
  EXPECT_EQ(Half(65504.0).value(), 65504);
  EXPECT_TRUE(std::isinf(Half(65520.0).value()));
  EXPECT_EQ(Half(2049.0).value(), 2048);  // ties to even
  EXPECT_EQ(BFloat16(257.0).value(), 256);
  EXPECT_EQ(BFloat16(259.0).value(), 260);
  EXPECT_EQ(TensorFloat32(1e38).value(), static_cast<double>(std::ldexp(1204.0, 116)));
}

// Contracted.

TEST(Contracted, ProductsInSumsAreRoundedOnce) {
  Random random(5);
  for (int round = 0; round < kRounds; ++round) {
    const float a = any_float(random), b = any_float(random), c = any_float(random), d = any_float(random);
    const Contracted x(a), y(b), z(c), w(d);
    EXPECT_EQ((x * y + z).value(), std::fma(a, b, c));
    EXPECT_EQ((z + x * y).value(), std::fma(a, b, c));
    EXPECT_EQ((x * y - z).value(), std::fma(a, b, -c));
    EXPECT_EQ((z - x * y).value(), std::fma(-a, b, c));
    EXPECT_EQ((-(x * y) + z).value(), std::fma(-a, b, c));
    EXPECT_EQ((x * y + z * w).value(), std::fma(a, b, c * d));
    EXPECT_EQ((x * y).value(), a * b);
    EXPECT_EQ(((x + y) + z).value(), (a + b) + c);
    EXPECT_EQ((x / y + z).value(), a / b + c);
  }
}

// Stochastic.

// C++ leaves the order of evaluation of operands open: compilers that choose another must get the same digits.
template <class Scalar>
void expect_the_same_in_any_order() {
  Random random(6);
  for (int round = 0; round < kRounds; ++round) {
    const double first = any_float(random, 3), second = any_float(random, 3), third = any_float(random, 3);
    const Scalar a(first), b(second), c(std::abs(third));
    Scalar::seed(static_cast<std::uint64_t>(round));
    const Scalar product = a * b, root = sqrt(c), quotient = a / c, sum = b + c,
                 forwards = (product + root) * (quotient - sum);
    Scalar::seed(static_cast<std::uint64_t>(round));
    const Scalar last = b + c, third_ = a / c, difference = third_ - last, second_ = sqrt(c), first_ = a * b,
                 backwards = (first_ + second_) * difference;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(forwards.value()),
              std::bit_cast<std::uint32_t>(backwards.value()));
  }
}

TEST(Stochastic, RoundingsDoNotDependOnTheOrderOfEvaluation) { expect_the_same_in_any_order<Stochastic>(); }
TEST(VulkanFloat, RoundingsDoNotDependOnTheOrderOfEvaluation) { expect_the_same_in_any_order<VulkanFloat>(); }

// Pairs of operations whose operands differ in one bit, two operations on the same operands, and two seeds: coins agree in
// half of the cases, within 5 standard deviations.
TEST(OperationBits, CoinsOfSimilarOperationsHaveNothingInCommon) {
  Random random(25);
  constexpr int kCoins = 64;
  int equal[4][kCoins] = {};
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t seed = random.bits();
    const float x = any_float(random), y = any_float(random);
    const std::uint64_t bits = operation_bits(seed, Operation::sum, x, y);
    const std::uint64_t others[] = {operation_bits(seed, Operation::sum, next_up(x), y),
                                    operation_bits(seed, Operation::sum, y, x),
                                    operation_bits(seed, Operation::product, x, y),
                                    operation_bits(Random(seed).bits(), Operation::sum, x, y)};
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < kCoins; ++i) equal[k][i] += ((bits ^ others[k]) >> i & 1) == 0 ? 1 : 0;
  }
  for (const auto& pair : equal)
    for (const int n : pair) EXPECT_NEAR(n, kRounds / 2, 5 * std::sqrt(kRounds / 4.0));
}

TEST(Stochastic, RoundsToEitherNeighbourAndIsRightOnAverage) {
  constexpr int kDraws = 40'000;
  const float third = 1.0f / 3;  // above 1/3, by a third of a unit in the last place
  double up = 0;
  for (int i = 0; i < kDraws; ++i) {
    Stochastic::seed(static_cast<std::uint64_t>(i));
    const float v = (Stochastic(1) / Stochastic(3)).value();
    EXPECT_TRUE(v == third || v == next_down(third));
    up += v == third ? 1 : 0;
  }
  // 1/3 is 2/3 of the way from the float below to the one above; 5 standard deviations of the mean.
  EXPECT_NEAR(up / kDraws, 2.0 / 3, 5 * std::sqrt(2.0 / 9 / kDraws));
  EXPECT_EQ((Stochastic(1) + Stochastic(2)).value(), 3);
  EXPECT_EQ(sqrt(Stochastic(9)).value(), 3);
}

TEST(Stochastic, TheSameSeedGivesTheSameRoundings) {
  const auto run = [] {
    Stochastic::seed(7);
    Stochastic sum(0);
    for (int i = 1; i < 100; ++i) sum = sum + inversesqrt(Stochastic(i)) * Stochastic(.1);
    return sum.value();
  };
  EXPECT_EQ(run(), run());
}

// Interval.

TEST(Interval, EnclosesTheResultOf113BitsTightly) {
  Random random(8);
  const auto expect = [](const Interval& i, Wide truth, const char* what) {
    EXPECT_LE(order(Wide(i.low()), truth), 0) << what;
    EXPECT_LE(order(truth, Wide(i.high())), 0) << what;
    EXPECT_LE(i.high(), next_up(i.low())) << what;  // of exact inputs: neighbours at most
  };
  for (int round = 0; round < kRounds; ++round) {
    const float a = any_float(random), b = any_float(random), positive = std::abs(a);
    const Interval x(a), y(b), p(positive);
    const Wide A(a), B(b), P(positive);
    expect(x + y, A + B, "sum");
    expect(x - y, A - B, "difference");
    expect(x * y, A * B, "product");
    expect(x * x, A * A, "square");
    expect(x / y, A / B, "quotient");
    expect(sqrt(p), sqrt(P), "sqrt");
    expect(inversesqrt(p), inversesqrt(P), "inversesqrt");
  }
  expect(Interval(.1), Wide(.1), "constant");
  expect(ratio<Interval>(1, 3), ratio<Wide>(1, 3), "ratio");
}

// Every value of two intervals, sampled, gives a value inside the interval of the result.
TEST(Interval, OperationsOnIntervalsEncloseThoseOnTheirPoints) {
  Random random(9);
  for (int round = 0; round < kRounds; ++round) {
    const auto draw = [&] {
      const float one = static_cast<float>(random.uniform(-2, 2)),
                  other = static_cast<float>(random.uniform(-2, 2));
      return Interval(std::min(one, other), std::max(one, other));
    };
    const auto point = [&](const Interval& i) {
      return std::clamp(static_cast<float>(random.uniform(i.low(), i.high())), i.low(), i.high());
    };
    const Interval x = draw(), y = draw();
    const float a = point(x), b = point(y);
    const auto expect = [](const Interval& i, float v, const char* what) {
      EXPECT_LE(i.low(), v) << what;
      EXPECT_GE(i.high(), v) << what;
    };
    expect(x + y, a + b, "sum");
    expect(x - y, a - b, "difference");
    expect(-x, -a, "negative");
    expect(x * y, a * b, "product");
    expect(x * x, a * a, "square");
    expect(x / y, a / b, "quotient");
    if (a > 0) expect(sqrt(x), std::sqrt(a), "sqrt");
    if (a > 0) expect(inversesqrt(x), 1 / std::sqrt(a), "inversesqrt");
    expect(select(x < y, x, y), a < b ? a : b, "select");
    expect(select(x > Interval(.5) && y > x, x, y), a > .5f && b > a ? a : b, "and");
    expect(select(x > Interval(.5) || y > x, x, y), a > .5f || b > a ? a : b, "or");
  }
}

// The smallest of them has a sign that rounding may have taken away.
TEST(Interval, DivisorsThatReachZeroGiveEveryNumber) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Interval& b :
       {Interval(0, 1), Interval(-1, 0), Interval(-0.f, 1), Interval(-1, 1), Interval(0, 0)})
    for (const Interval& a : {Interval(1, 2), Interval(-2, -1), Interval(-1, 1)}) {
      EXPECT_EQ((a / b).low(), -infinity);
      EXPECT_EQ((a / b).high(), infinity);
    }
  EXPECT_EQ((Interval(1, 2) / Interval(kSmallest, 1)).low(), 1);
}

// Division within 2.5 units in the last place, inversesqrt within 2: what is exact has just that much around it.
TEST(VulkanInterval, HasTheRoomThatVulkanAllowsAroundExactResults) {
  const auto expect = [](const VulkanInterval& i, double value, double below, double above) {
    EXPECT_EQ(static_cast<double>(i.low()), value - below);
    EXPECT_EQ(static_cast<double>(i.high()), value + above);
  };
  // A unit of numbers from 1 to 2 is 2^-23; halves of one are floats below 1 only.
  expect(VulkanInterval(3.f, 3.f) / VulkanInterval(3.f, 3.f), 1, 2.5 * 0x1p-23, 3 * 0x1p-23);
  expect(VulkanInterval(4.5f, 4.5f) / VulkanInterval(3.f, 3.f), 1.5, 3 * 0x1p-23, 3 * 0x1p-23);
  expect(VulkanInterval(-4.5f, -4.5f) / VulkanInterval(3.f, 3.f), -1.5, 3 * 0x1p-23, 3 * 0x1p-23);
  expect(inversesqrt(VulkanInterval(1.f, 1.f)), 1, 2 * 0x1p-23, 2 * 0x1p-23);
  expect(inversesqrt(VulkanInterval(.25f, .25f)), 2, 2 * 0x1p-22, 2 * 0x1p-22);
  expect(VulkanInterval(1.f, 1.f) + VulkanInterval(2.f, 2.f), 3, 0, 0);
}

TEST(VulkanInterval, HoldsWhatVulkanFloatsDraw) {
  Random random(43);
  for (int round = 0; round < kRounds; ++round) {
    const float a = any_float(random, 20), b = any_float(random, 20), positive = std::abs(a);
    VulkanFloat::seed(random.bits());
    const auto expect = [](const VulkanInterval& i, const VulkanFloat& drawn, const char* what) {
      EXPECT_LE(i.low(), drawn.value()) << what;
      EXPECT_GE(i.high(), drawn.value()) << what;
    };
    const VulkanInterval x(a, a), y(b, b), p(positive, positive);
    const VulkanFloat X(a), Y(b), P(positive);
    expect(x + y, X + Y, "sum");
    expect(x - y, X - Y, "difference");
    expect(x * y, X * Y, "product");
    expect(x / y, X / Y, "quotient");
    expect(sqrt(p), sqrt(P), "sqrt");
    expect(inversesqrt(p), inversesqrt(P), "inversesqrt");
  }
}

TEST(Interval, ANumberTimesItselfIsNotNegative) {
  const Interval x(-1, 2), y(-1, 2);
  EXPECT_EQ((x * x).low(), 0);
  EXPECT_EQ((x * x).high(), 4);
  EXPECT_EQ((x * y).low(), -2);
  const Interval copy = x;
  EXPECT_EQ((copy * x).low(), 0);
  EXPECT_EQ((Interval(-3, -2) * Interval(-3, -2)).low(), 4);
}

TEST(Interval, UndecidedComparisonsGiveBothBranches) {
  const Interval r = select(Interval(0, 2) < Interval(1, 3), Interval(5.0), Interval(7.0));
  EXPECT_EQ(r.low(), 5);
  EXPECT_EQ(r.high(), 7);
  EXPECT_EQ(select(Interval(0, 1) < Interval(1.5, 3), Interval(5.0), Interval(7.0)).high(), 5);
  EXPECT_EQ(select(Interval(2, 3) < Interval(0, 2), Interval(5.0), Interval(7.0)).low(), 7);
}

TEST(Interval, DivisionByAnIntervalAroundZeroIsUnbounded) {
  EXPECT_FALSE((Interval(1.0) / Interval(-1, 1)).finite());
  EXPECT_FALSE((Interval(1.0) / Interval(0, 1)).finite());
  EXPECT_FALSE((Interval(3e38) * Interval(10.0)).finite());
  EXPECT_FALSE(inversesqrt(Interval(0, 1)).finite());
  EXPECT_EQ(inversesqrt(Interval(0, 1)).low(), 1);
}

// VulkanFloat.

// Every value seen under many seeds of one operation, none of them a miss.
template <class Operation>
std::pair<float, float> range(Operation operation) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (int i = 0; i < 4000; ++i) {
    VulkanFloat::seed(static_cast<std::uint64_t>(i));
    const float v = operation().value();
    EXPECT_FALSE(VulkanFloat::missed());
    low = std::min(low, v);
    high = std::max(high, v);
  }
  return {low, high};
}

TEST(VulkanFloat, DrawsWhatTheSpecificationAllowsAndNoMore) {
  Random random(10);
  for (int round = 0; round < 50; ++round) {
    const float a = static_cast<float>(random.uniform(1, 2)), b = static_cast<float>(random.uniform(1, 2));
    const VulkanFloat x(a), y(b);
    const auto within = [](std::pair<float, float> seen, double truth, double ulp, double at_least,
                           const char* what) {
      const float size = static_cast<float>(truth);
      const double unit = next_up(size) - size;
      EXPECT_LE(std::abs(seen.first - truth), ulp * unit * (1 + 1e-6)) << what;
      EXPECT_LE(std::abs(seen.second - truth), ulp * unit * (1 + 1e-6)) << what;
      EXPECT_GE(seen.second - seen.first, at_least * unit) << what;
    };
    const double p = a, q = b;
    within(range([&] { return x + y; }), p + q, 1, 0, "sum");
    within(range([&] { return x * y; }), p * q, 1, .5, "product");
    within(range([&] { return x / y; }), p / q, 2.5, 3, "division");
    within(range([&] { return inversesqrt(x); }), 1 / std::sqrt(p), 2, 2, "inversesqrt");
    within(range([&] { return sqrt(x); }), std::sqrt(p), 5, 3, "sqrt");
    // Fused: rounded once; not: the product's rounding is left over.
    const auto [low, high] = range([&] { return x * y - VulkanFloat(a * b); });
    const double rest = p * q - static_cast<double>(a * b),
                 unit = next_up(a * b) - static_cast<double>(a * b);
    EXPECT_LE(low, std::min(rest, 0.0) + 1e-12);
    EXPECT_GE(high, std::max(rest, 0.0) - 1e-12);
    EXPECT_LE(high - low, unit * (1 + 1e-6));
  }
}

TEST(VulkanFloat, DenormalsMayBecomeZeroAtInputAndOutput) {
  const auto [low, high] = range([] { return VulkanFloat(kNormal / 2) * VulkanFloat(1); });
  EXPECT_EQ(low, 0);
  EXPECT_EQ(high, kNormal / 2);
  // Flushed at input, though the result would be normal.
  EXPECT_EQ(range([] { return VulkanFloat(kNormal / 2) * VulkanFloat(4); }).first, 0);
}

TEST(VulkanFloat, WhatIsNotFiniteOnTheWayIsAMiss) {
  VulkanFloat::seed(12);
  EXPECT_EQ(select(true, VulkanFloat(1), VulkanFloat(1) / VulkanFloat(0)).value(), 1);
  EXPECT_TRUE(VulkanFloat::missed());
  VulkanFloat::seed(12);
  EXPECT_FALSE(VulkanFloat::missed());
  sqrt(VulkanFloat(0));  // 1 / inversesqrt(0)
  EXPECT_TRUE(VulkanFloat::missed());
}

}  // namespace
}  // namespace skinlight
