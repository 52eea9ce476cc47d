#include "skinlight/core/half.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "skinlight/core/random.h"

namespace skinlight {
namespace {

constexpr unsigned kInfinity = 0x7c00;

// The halves from 0 to the largest finite one, built without bit fields: 1024 subnormal multiples of 2^-24,
// then 30 octaves of 1024 values, each octave's spacing twice the last one's.
std::vector<double> all_positive() {
  std::vector<double> values;
  double spacing = 1.0 / 16777216, value = 0;
  for (int octave = 0; octave < 31; ++octave) {
    for (int i = 0; i < 1024; ++i, value += spacing) values.push_back(value);
    if (octave > 0) spacing *= 2;
  }
  return values;
}

TEST(Half, EveryFiniteHalfHasItsValue_Ieee754) {
  const std::vector<double> values = all_positive();
  ASSERT_EQ(values.size(), kInfinity);
  EXPECT_EQ(values.back(), 65504);
  for (unsigned bits = 0; bits < kInfinity; ++bits) {
    EXPECT_EQ(double_from_half(static_cast<std::uint16_t>(bits)), values[bits]) << bits;
    const double negative = double_from_half(static_cast<std::uint16_t>(bits | 0x8000));
    EXPECT_EQ(negative, -values[bits]);
    EXPECT_TRUE(std::signbit(negative));
  }
}

TEST(Half, All65536GoThroughDoubleUnchanged) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = double_from_half(half);
    const bool nan = (bits & 0x7fff) > kInfinity;
    ASSERT_EQ(std::isnan(value), nan) << bits;
    EXPECT_EQ(std::isinf(value), (bits & 0x7fff) == kInfinity) << bits;
    if (nan) {
      EXPECT_TRUE(std::isnan(rounded_to_half(value)));
    } else {
      EXPECT_EQ(half_from(value), half) << bits;
    }
  }
}

// Between two neighbours: below the middle down, above it up, in the middle to the even one.
TEST(Half, RoundsToTheNearestTiesToEven) {
  const std::vector<double> values = all_positive();
  for (unsigned bits = 0; bits + 1 < kInfinity; ++bits) {
    const double low = values[bits], high = values[bits + 1], middle = (low + high) / 2;
    EXPECT_EQ(rounded_to_half(std::nextafter(middle, low)), low);
    EXPECT_EQ(rounded_to_half(std::nextafter(middle, high)), high);
    EXPECT_EQ(rounded_to_half(middle), bits % 2 == 0 ? low : high) << bits;
    EXPECT_EQ(rounded_to_half(-middle), bits % 2 == 0 ? -low : -high) << bits;
  }
}

TEST(Half, EndsAtItsLargestValue) {
  EXPECT_EQ(rounded_to_half(65519.99), 65504);
  EXPECT_TRUE(std::isinf(rounded_to_half(65520)));
  EXPECT_EQ(rounded_to_half(-1e300), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(half_from(std::ldexp(1.0, -25)), 0);  // the tie between 0 and the smallest one
  EXPECT_EQ(half_from(std::numeric_limits<double>::denorm_min()), 0);
}

TEST(Half, RelativeErrorIsAtMostTwoToMinusEleven) {
  Random random(1);
  for (int round = 0; round < 100000; ++round) {
    const double mantissa = random.uniform(-1, 1), x = std::ldexp(mantissa, random.below(28) - 12);
    EXPECT_LE(std::abs(rounded_to_half(x) - x), std::max(std::abs(x) * 0x1p-11, 0x1p-25));
  }
}

}  // namespace
}  // namespace skinlight
