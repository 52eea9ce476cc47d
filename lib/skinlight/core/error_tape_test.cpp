// What a tape guarantees, against every way to round a few operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "skinlight/core/interval.h"
#include "skinlight/core/random.h"

namespace skinlight {
namespace {

constexpr int kRounds = 300;

// A float that rounds its n-th operation down or up as the n-th bit of `choice` says: with all choices, every way to round.
class Chosen {
 public:
  static inline unsigned choice = 0;
  static inline int done = 0;

  explicit Chosen(double value) : value_(static_cast<float>(value)) {}
  float value() const { return value_; }

  friend Chosen operator+(Chosen a, Chosen b) { return rounded(exact_sum(a.value_, b.value_)); }
  friend Chosen operator-(Chosen a, Chosen b) { return rounded(exact_sum(a.value_, -b.value_)); }
  friend Chosen operator-(Chosen a) { return Chosen(-a.value_); }
  friend Chosen operator*(Chosen a, Chosen b) { return rounded(exact_product(a.value_, b.value_)); }
  friend Chosen operator/(Chosen a, Chosen b) { return rounded(exact_quotient(a.value_, b.value_)); }
  friend Chosen sqrt(Chosen a) { return rounded(exact_sqrt(a.value_)); }
  friend Chosen inversesqrt(Chosen a) { return rounded(exact_inversesqrt(a.value_)); }
  friend bool operator<(Chosen a, Chosen b) { return a.value_ < b.value_; }
  friend Chosen select(bool c, Chosen a, Chosen b) { return c ? a : b; }

 private:
  static Chosen rounded(Exact e) {
    const Neighbours n = neighbours(e);
    return Chosen((choice >> done++) & 1 ? n.high : n.low);
  }
  float value_;
};

// How wide the interval is, what the tape leaves of it, and how far all ways to round go, all in units of what they go to.
struct Extent {
  double interval, tape, reached;
};

// run(a, b, c) of intervals that are numbers, on a tape, against the same with every way to round and in doubles.
template <class Run>
Extent extent_of(Run run, double a, double b, double c) {
  const Interval x(a), y(b), z(c);
  ErrorTape tape = Interval::recorded();
  const Interval plain = run(x, y, z), narrowed = plain.narrowed(tape);
  const double exact = run(a, b, c);
  EXPECT_LE(narrowed.low(), exact);
  EXPECT_GE(narrowed.high(), exact);
  float low = std::numeric_limits<float>::infinity(), high = -low;
  Chosen::choice = 0;
  do {
    Chosen::done = 0;
    const float found = run(Chosen(a), Chosen(b), Chosen(c)).value();
    low = std::min(low, found);
    high = std::max(high, found);
  } while (++Chosen::choice < 1u << Chosen::done);
  EXPECT_LE(narrowed.low(), low);
  EXPECT_GE(narrowed.high(), high);
  const auto apart = [](float from, float to) { return static_cast<double>(to) - from; };
  return {apart(plain.low(), plain.high()), apart(narrowed.low(), narrowed.high()), apart(low, high)};
}

double inversesqrt(double x) { return 1 / std::sqrt(x); }
double select(bool c, double a, double b) { return c ? a : b; }

// The most, over random numbers, that the tape leaves to what is reached, and that the interval does.
struct Ratios {
  double tape, interval;
};

template <class Run>
Ratios ratios_of(Run run) {
  Random random(3);
  std::vector<double> tape, interval;
  for (int round = 0; round < kRounds; ++round) {
    const double a = static_cast<float>(random.uniform(.5, 2)), b = static_cast<float>(random.uniform(.5, 2)),
                 c = static_cast<float>(random.uniform(.5, 2));
    const Extent e = extent_of(run, a, b, c);
    if (!(e.reached > 0)) continue;
    tape.push_back(e.tape / e.reached);
    interval.push_back(e.interval / e.reached);
  }
  EXPECT_GT(tape.size(), static_cast<std::size_t>(kRounds / 2));
  const auto median = [](std::vector<double>& of) {
    std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
    return of[of.size() / 2];
  };
  return {median(tape), median(interval)};
}

// One float on either side stands for its rounding outwards, and the error of a number counts by the largest of its size: that
// is up to 4 where what is reached is one or two floats wide.
constexpr double kTight = 4;

TEST(ErrorTape, HoldsEveryWayToRoundAndLittleMore) {
  const auto expect_tight = [](const char* what, auto run) {
    SCOPED_TRACE(what);
    EXPECT_LT(ratios_of(run).tape, kTight);
  };
  expect_tight("sum", [](auto a, auto b, auto c) { return a * b + b * c; });
  expect_tight("difference", [](auto a, auto b, auto c) { return a * b - b * c; });
  expect_tight("negative", [](auto a, auto b, auto c) { return -(a * b) + b * c; });
  expect_tight("product", [](auto a, auto b, auto c) { return (a + b) * (b * c); });
  expect_tight("square", [](auto a, auto b, auto c) {
    auto x = a * b - c * c;
    return x * x;
  });
  expect_tight("quotient", [](auto a, auto b, auto c) { return (a * b) / (b + c); });
  expect_tight("quotient by a negative", [](auto a, auto b, auto c) { return (a * b) / -(b + c); });
  expect_tight("root", [](auto a, auto b, auto c) { return sqrt(a * b + c); });
  expect_tight("inverse root", [](auto a, auto b, auto c) { return inversesqrt(a * b + c); });
}

// What is used again counts once: an interval takes the uses for different numbers.
TEST(ErrorTape, IsCloserThanIntervalsWhereErrorsCancel) {
  const auto expect_closer = [](const char* what, double times, auto run) {
    SCOPED_TRACE(what);
    const Ratios r = ratios_of([&](auto a, auto b, auto c) {
      auto x = a / b;
      x = x * a * c / b * a / c;  // six roundings
      return run(x, c);
    });
    EXPECT_LT(r.tape, kTight);
    EXPECT_GE(r.interval, times * r.tape);
  };
  expect_closer("x - x", 2, [](auto x, auto c) { return (x + c) - x; });
  expect_closer("(x + y) (x - y)", 3, [](auto x, auto c) { return (x + c) * (x - c) - x * x; });
  expect_closer("x over what is longer", 1.2, [](auto x, auto c) { return x * x / (x * x + c); });
  expect_closer("a number over its root twice", 1.4,
                [](auto x, auto) { return x * inversesqrt(x) * inversesqrt(x); });
  expect_closer("x + -x", 2, [](auto x, auto c) { return (c + x) + -x; });
  expect_closer("errors of a root", 1, [](auto x, auto) { return sqrt(x); });
  expect_closer("errors of an inverse root", 1, [](auto x, auto) { return inversesqrt(x); });
  expect_closer("errors of a divisor", 1, [](auto x, auto c) { return c / x; });
  expect_closer("errors of the square of a negative", 1, [](auto x, auto) { return -x * -x; });
}

TEST(ErrorTape, HoldsBothBranchesOfAnUndecidedComparison) {
  Random random(4);
  int undecided = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double a = static_cast<float>(random.uniform(.5, 2)), b = static_cast<float>(random.uniform(.5, 2)),
                 c = static_cast<float>(a * b);
    const auto run = [](auto x, auto y, auto z) {
      auto product = x * y;
      return select(product < z, product + y, z - y) * x;
    };
    undecided += extent_of(run, a, b, c).reached > .1 ? 1 : 0;
  }
  EXPECT_GT(undecided, kRounds / 4);
}

// Its derivative is nearly infinite there, but it moves by no more than it is wide.
TEST(ErrorTape, KnowsARootNextToZeroByItsInterval) {
  const Interval one(1.0), third = one / Interval(3.0);
  ErrorTape tape = Interval::recorded();
  const Interval nothing = one - (third + third + third), root = sqrt(nothing * nothing + Interval(1e-20));
  ASSERT_LT(nothing.low(), 0);
  Interval x = Interval(64.0) / Interval(3.0);
  x = x * x / x * x / x;
  const Interval plain = (x + root) - x, narrowed = plain.narrowed(tape);
  const double rounding = 3 * (next_up(x.high()) - x.high());  // of the sum, the difference and outwards
  EXPECT_LT(narrowed.high() - narrowed.low(), root.high() + 2 * rounding);
  EXPECT_GT(plain.high() - plain.low(), root.high() + 4 * rounding);
  EXPECT_LE(narrowed.low(), 0);
  EXPECT_GE(narrowed.high(), root.high());
}

// What was there before is not on the tape: it may be anywhere in its interval.
TEST(ErrorTape, TakesWhatWasThereBeforeForUnknown) {
  const Interval x(1, 2), y(3, 4);
  ErrorTape tape = Interval::recorded();
  const Interval sum = (x + y).narrowed(tape), product = (x * y).narrowed(tape), same = x.narrowed(tape);
  EXPECT_LE(sum.low(), 4);
  EXPECT_GE(sum.high(), 6);
  EXPECT_LE(product.low(), 3);
  EXPECT_GE(product.high(), 8);
  EXPECT_EQ(same.low(), 1);
  EXPECT_EQ(same.high(), 2);
  const Interval root = sqrt(y).narrowed(tape), inverse = inversesqrt(y).narrowed(tape);
  EXPECT_LE(root.low(), std::sqrt(3.0));
  EXPECT_GE(root.high(), 2);
  EXPECT_LE(inverse.low(), .5);
  EXPECT_GE(inverse.high(), 1 / std::sqrt(3.0));
  const Interval unknown = Interval(1, 2).narrowed(tape);
  EXPECT_EQ(unknown.low(), 1);
  EXPECT_EQ(unknown.high(), 2);
}

// By hand: 1 is off by 1, 2 moves with it by -2 to 5 and 3 with that by -3 to 1, which is -15 to 6 in all.
TEST(ErrorTape, MultipliesDerivativesOfAnySign) {
  ErrorTape tape(0);
  tape.add({-1, 1});
  tape.add({});
  tape.explain_last(2, 0, {1, {-2, 5}}, {});
  tape.add({});
  tape.explain_last(3, .5, {2, {-3, 1}}, {});
  for (int again = 0; again < 2; ++again) {  // nothing of the first time stays
    EXPECT_NEAR(tape.bounds(3).low, 3 - 15.5, 1e-6);
    EXPECT_NEAR(tape.bounds(3).high, 3 + 15.5, 1e-6);
    EXPECT_NEAR(tape.bounds(2).high, 2 + 5, 1e-6);
  }
}

TEST(ErrorTape, IsAsWideAsTheIntervalWhereThatIsUnbounded) {
  const Interval x(-1, 1), y(3.0);
  ErrorTape tape = Interval::recorded();
  EXPECT_FALSE((y / x + y).narrowed(tape).finite());
  EXPECT_FALSE((inversesqrt(Interval(0, 1)) * x).narrowed(tape).finite());
}

TEST(ErrorTape, EndsWithItsScopeAndIsTheOnlyOne) {
  EXPECT_EQ(ErrorTape::recording(), nullptr);
  {
    ErrorTape tape = Interval::recorded();
    EXPECT_EQ(ErrorTape::recording(), &tape);
    EXPECT_THROW(Interval::recorded(), std::logic_error);
    EXPECT_EQ(ErrorTape::recording(), &tape);
  }
  EXPECT_EQ(ErrorTape::recording(), nullptr);
}

}  // namespace
}  // namespace skinlight
