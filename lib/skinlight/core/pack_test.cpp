// Packs of every width, bit by bit against one lane after the other, as compiled for every machine and for AVX2.
#include "skinlight/core/pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "skinlight/core/cpu.h"
#include "skinlight/core/random.h"
#include "testing/pack_programs.h"

namespace skinlight {

// rounding_packs_avx2_test.cpp
void run_pack_programs_avx2(int width, testing::PackLanes<float>& lanes);
void run_pack_programs_avx2(int width, testing::PackLanes<double>& lanes);

namespace {

using testing::kMostLanes;
using testing::kPackPoints;
using testing::PackLanes;

template <class Real>
std::uint64_t bits_of(Real x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}

// As the lanes of a pack, one after the other.
template <class Real>
void run_one_by_one(int count, PackLanes<Real>& lanes) {
  int below = 0;
  for (int l = 0; l < count; ++l) below += lanes.a[l] < lanes.b[l] + static_cast<Real>(1.5);
  for (int l = 0; l < count; ++l) {
    const Real a = lanes.a[l], b = lanes.b[l], tenth = static_cast<Real>(.1);
    const Real results[testing::kPackPrograms] = {a,
                                                  a + b,
                                                  a - b,
                                                  -a,
                                                  a * b,
                                                  a / b,
                                                  std::sqrt(a * a),
                                                  1 / std::sqrt(b * b),
                                                  a < b ? a : b,
                                                  a > b ? a : b,
                                                  a < b && a > tenth ? a : b,
                                                  a < b || a > tenth ? a : b,
                                                  -tenth,
                                                  static_cast<Real>(below == count)};
    for (int program = 0; program < testing::kPackPrograms; ++program)
      lanes.out[program][l] = results[program];
    const int place = lanes.at[l];
    for (int k = 0; k < 4; ++k) lanes.four[k][l] = lanes.rows[place][k];
    if (l < lanes.count) {
      lanes.points[place][0] = a;
      lanes.points[place][1] = b;
      lanes.points[place][2] = a * b;
    }
    using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
    const Bits sum = static_cast<Bits>((bits_of(a) << 3) + bits_of(b));
    std::memcpy(&lanes.sums[l], &sum, sizeof sum);
  }
}

template <class Real>
PackLanes<Real> any_lanes(Random& random, int width) {
  PackLanes<Real> lanes;
  const auto number = [&] { return static_cast<Real>(random.uniform(-2, 2)); };
  std::memset(&lanes, 0, sizeof lanes);
  for (int l = 0; l < kMostLanes; ++l) {
    lanes.a[l] = number();
    lanes.b[l] = number();
  }
  for (auto& row : lanes.rows)
    for (Real& x : row) x = number();
  for (auto& point : lanes.points)
    for (Real& x : point) x = number();
  int places[kPackPoints];
  for (int i = 0; i < kPackPoints; ++i) {
    places[i] = i;
    std::swap(places[i], places[random.below(i + 1)]);
  }
  for (int l = 0; l < kMostLanes; ++l) lanes.at[l] = places[l];
  // All lanes at once in every other round: packs have a shorter way for them.
  const int all = random.below(2), some = random.below(width + 1);
  lanes.count = all == 0 ? width : some;
  return lanes;
}

template <class Real>
void expect_the_lanes(const PackLanes<Real>& found, const PackLanes<Real>& expected, int width) {
  for (int l = 0; l < width; ++l) {
    for (int program = 0; program < testing::kPackPrograms; ++program)
      EXPECT_EQ(bits_of(found.out[program][l]), bits_of(expected.out[program][l]))
          << "program " << program << " lane " << l << " of " << width;
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ(bits_of(found.four[k][l]), bits_of(expected.four[k][l]))
          << k << " lane " << l << " of " << width;
    if (width > 1 || sizeof(Real) == 8) {
      EXPECT_EQ(bits_of(found.sums[l]), bits_of(expected.sums[l])) << "lane " << l << " of " << width;
    }
  }
  // And nothing behind the last lane.
  for (int l = width; l < kMostLanes; ++l)
    for (int program = 0; program < testing::kPackPrograms; ++program)
      EXPECT_EQ(bits_of(found.out[program][l]), 0u) << "behind " << width;
  for (int i = 0; i < kPackPoints; ++i)
    for (int c = 0; c < 3; ++c)
      EXPECT_EQ(bits_of(found.points[i][c]), bits_of(expected.points[i][c]))
          << "point " << i << " with " << expected.count << " of " << width;
}

template <class Real, class Run>
void expect_lanes_one_by_one(Run run) {
  Random random(7);
  for (int kind = 0; kind < 4; ++kind)
    for (int round = 0; round < 200; ++round) {
      const int width = testing::kPackWidths<Real>[kind];
      PackLanes<Real> found = any_lanes<Real>(random, width), expected = found;
      run(kind, found);
      run_one_by_one(width, expected);
      expect_the_lanes(found, expected, width);
      if (::testing::Test::HasFailure()) return;
    }
}

TEST(Pack, OfEveryWidthIsItsLanesOneByOne) {
  expect_lanes_one_by_one<float>(
      [](int width, auto& lanes) { testing::run_pack_programs<void>(width, lanes); });
  expect_lanes_one_by_one<double>(
      [](int width, auto& lanes) { testing::run_pack_programs<void>(width, lanes); });
}

TEST(Pack, OfEveryWidthInAvx2IsItsLanesOneByOne) {
  if (best_instruction_set() != InstructionSet::avx2) GTEST_SKIP() << "this machine has none";
  expect_lanes_one_by_one<float>([](int width, auto& lanes) { run_pack_programs_avx2(width, lanes); });
  expect_lanes_one_by_one<double>([](int width, auto& lanes) { run_pack_programs_avx2(width, lanes); });
}

// Zeros keep their sign, and what is no number chooses the other one.
TEST(Pack, ZerosAndNoNumbersAreThoseOfTheScalar) {
  using P = Pack<4>;
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinite = std::numeric_limits<float>::infinity();
  const float a[4] = {0.f, -0.f, nan, infinite}, b[4] = {-0.f, 0.f, 1, nan};
  float out[4];
  select(P::load(a) < P::load(b), P(1), P(-0.0)).store(out);
  for (const float x : out) EXPECT_EQ(bits_of(x), bits_of(-0.f));
  select(P::load(a) > P::load(b), P(1), P(0.0)).store(out);
  for (const float x : out) EXPECT_EQ(bits_of(x), bits_of(0.f));
  (-P::load(a)).store(out);
  EXPECT_EQ(bits_of(out[0]), bits_of(-0.f));
  EXPECT_EQ(bits_of(out[1]), bits_of(0.f));
}

}  // namespace
}  // namespace skinlight
