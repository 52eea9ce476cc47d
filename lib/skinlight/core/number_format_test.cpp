#include "skinlight/core/number_format.h"

#include <gtest/gtest.h>

#include "skinlight/core/random.h"

namespace skinlight {
namespace {

// Half a step of each format at the size of the number, the format's own definition.
double half_step(NumberFormat format, double x, double largest) {
  switch (format) {
    case NumberFormat::f32:
      return std::ldexp(std::abs(x), -24);
    case NumberFormat::f16:
      return std::max(std::ldexp(std::abs(x), -11), std::ldexp(largest, -38));  // subnormal halves
    case NumberFormat::snorm16:
      return .5 * largest / 32767;
    case NumberFormat::snorm8:
      return .5 * largest / 127;
  }
  return 0;
}

TEST(NumberFormat, RoundsToTheNearestAtAnyScale) {
  Random random(1);
  for (const NumberFormatRow& f : kNumberFormats)
    for (const double largest : {1e-6, .3, 1.0, 7.0, 5e8}) {
      const double scale = storage_scale(f.format, largest);
      double worst = 0;
      for (int i = 0; i < 2000; ++i) {
        const double mantissa = random.uniform(-1, 1),
                     x = largest * mantissa * std::pow(10, random.uniform(-6, 0));
        const double share = std::abs(as_stored(f.format, x, scale) - x) / half_step(f.format, x, largest);
        worst = std::max(worst, share);
        EXPECT_EQ(as_stored(f.format, as_stored(f.format, x, scale), scale), as_stored(f.format, x, scale));
      }
      EXPECT_LE(worst, 1 + 1e-9) << f.name << " " << largest;  // of double arithmetic
      EXPECT_GT(worst, .9) << f.name << " " << largest;
      EXPECT_EQ(as_stored(f.format, 0, scale), 0);
      EXPECT_NEAR(as_stored(f.format, -largest, scale), -largest, half_step(f.format, largest, largest));
    }
}

TEST(NumberFormat, EveryRowStandsAtTheNumberOfItsFormat) {
  for (std::size_t i = 0; i < kNumberFormats.size(); ++i) {
    EXPECT_EQ(kNumberFormats[i].format, static_cast<NumberFormat>(i));
    EXPECT_FALSE(kNumberFormats[i].name.empty()) << i;
  }
}

TEST(NumberFormat, NothingLeavesTheRange) {
  for (const NumberFormat format : {NumberFormat::snorm16, NumberFormat::snorm8}) {
    EXPECT_EQ(storage_code(format, 2.5, 1), row(format).largest_code);
    EXPECT_EQ(storage_code(format, -2.5, 1), -row(format).largest_code);
    EXPECT_EQ(storage_scale(format, 0), 1);
  }
  EXPECT_LT(as_stored(NumberFormat::f16, 1e30, storage_scale(NumberFormat::f16, 1e30)), 2e30);
}

}  // namespace
}  // namespace skinlight
