#include "skinlight/render/flip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "skinlight/core/error.h"

namespace skinlight {
namespace {

using testing::Each;

// The authors' program computes in single precision, and white there differs in the fifth digit.
constexpr double kAuthorsPrecision = 5e-5;

constexpr std::array kDistances{30.0, 67.0, 134.0};  // pixels per degree

// A picture of structure at every scale, in colours whose channels differ.
Image8 pattern(int width, int height) {
  Image8 image(width, height, {0, 0, 0});
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::array values{7 * x + 3 * y, x * y, 5 * y + x / 3};
      for (std::size_t c = 0; c < 3; ++c) image.at(x, y)[c] = static_cast<std::uint8_t>(values[c] % 256);
    }
  return image;
}

Image8 with_square(Image8 image, int left, int top, int side, Rgb8 colour) {
  for (int y = top; y < top + side; ++y)
    for (int x = left; x < left + side; ++x) std::copy(colour.begin(), colour.end(), image.at(x, y));
  return image;
}

Image8 red_inverted(Image8 image) {
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    image.rgb[i] = static_cast<std::uint8_t>(255 - image.rgb[i]);
  return image;
}

Image8 with_line(Image8 image, int column, std::uint8_t value) {
  for (int y = 0; y < image.height; ++y) std::fill_n(image.at(column, y), 3, value);
  return image;
}

Image8 rolled(const Image8& image) {
  Image8 result = image;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) std::copy_n(image.at((x + 1) % image.width, y), 3, result.at(x, y));
  return result;
}

Image8 transposed(const Image8& image) {
  Image8 result(image.height, image.width, {0, 0, 0});
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) std::copy_n(image.at(x, y), 3, result.at(y, x));
  return result;
}

Image8 mirrored(const Image8& image) {
  Image8 result = image;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) std::copy_n(image.at(image.width - 1 - x, y), 3, result.at(x, y));
  return result;
}

TEST(Flip, PicturesThatAreAlikeDoNotDiffer) {
  for (const double distance : kDistances) {
    const FlipDifference d = flip(pattern(41, 23), pattern(41, 23), distance);
    EXPECT_EQ(d.width, 41);
    EXPECT_EQ(d.height, 23);
    EXPECT_THAT(d.map, Each(0.0f));
    EXPECT_EQ(d.map.size(), 41u * 23u);
    EXPECT_EQ(d.mean, 0);
    EXPECT_EQ(d.weighted_median, 0);
  }
}

// Values of the authors' program (github.com/NVlabs/flip, v1.7, the C++ version) for the same pictures; the
// weighted median is that of its maps.
TEST(Flip, EqualsTheProgramOfItsAuthors) {
  struct Printed {
    double distance, mean, weighted_median;
  };
  const Image8 p = pattern(96, 64), plain(96, 64, {200, 180, 160});
  const auto expect = [](const Image8& a, const Image8& b, std::array<Printed, 3> printed) {
    for (const Printed& at : printed) {
      const FlipDifference d = flip(a, b, at.distance);
      EXPECT_NEAR(d.mean, at.mean, kAuthorsPrecision) << at.distance;
      EXPECT_NEAR(d.weighted_median, at.weighted_median, kAuthorsPrecision) << at.distance;
    }
  };
  expect(p, red_inverted(p),
         {{{67, 0.659607, 0.809584}, {30, 0.679427, 0.840823}, {134, 0.621425, 0.750134}}});
  expect(p, with_square(p, 30, 20, 20, {128, 128, 128}),
         {{{67, 0.046779, 0.488717}, {30, 0.054323, 0.743383}, {134, 0.049776, 0.381829}}});
  expect(plain, with_line(plain, 48, 20),
         {{{67, 0.024335, 0.380434}, {30, 0.021134, 0.348028}, {134, 0.027770, 0.159945}}});
  expect(p, rolled(p), {{{67, 0.291312, 0.359921}, {30, 0.491821, 0.590919}, {134, 0.187865, 0.228533}}});
  expect(Image8(1, 1, {10, 200, 30}), Image8(1, 1, {40, 100, 90}),
         {{{67, 0.965157, 0.965157}, {30, 0.965153, 0.965153}, {134, 0.965160, 0.965160}}});
}

// Filters leave a plain picture as it is, so that the difference is that of two colours, whose CIELAB values
// are in every table.
TEST(Flip, OfPlainColoursFollowsFromTheirLabValues) {
  struct Colour {
    Rgb8 rgb;
    double L, a, b;
  };
  const Colour black{{0, 0, 0}, 0, 0, 0}, white{{255, 255, 255}, 100, 0, 0},
      grey{{119, 119, 119}, 50.034, 0, 0}, red{{255, 0, 0}, 53.2408, 80.0925, 67.2032},
      green{{0, 255, 0}, 87.7347, -86.1827, 83.1793}, blue{{0, 0, 255}, 32.2970, 79.1875, -107.8602};
  const auto distance = [](const Colour& p, const Colour& q) {
    return std::pow(std::abs(p.L - q.L) + std::hypot(p.L * p.a - q.L * q.a, p.L * p.b - q.L * q.b) / 100,
                    0.7);
  };
  const double largest = distance(green, blue);
  const auto expected = [&](const Colour& p, const Colour& q) {
    const double share = distance(p, q) / largest;
    return share < 0.4 ? 0.95 * share / 0.4 : 0.95 + 0.05 * (share - 0.4) / 0.6;
  };
  constexpr double kPrintedDigits = 2e-4;  // of the table, and its white
  for (const Colour& p : {black, white, grey, red, green, blue})
    for (const Colour& q : {black, white, grey, red, green, blue})
      for (const double pixels_per_degree : kDistances) {
        const FlipDifference d = flip(Image8(3, 2, p.rgb), Image8(3, 2, q.rgb), pixels_per_degree);
        EXPECT_NEAR(d.mean, expected(p, q), kPrintedDigits);
        EXPECT_NEAR(d.weighted_median, expected(p, q), kPrintedDigits);
      }
  EXPECT_NEAR(flip(Image8(1, 1, green.rgb), Image8(1, 1, blue.rgb)).mean, 1, 1e-6);
  EXPECT_NEAR(flip(Image8(1, 1, black.rgb), Image8(1, 1, white.rgb)).mean, 0.9674, 5e-5);
}

TEST(Flip, OfEverySingleChannelIsSeen) {
  for (std::size_t c = 0; c < 3; ++c) {
    Rgb8 other{100, 100, 100};
    other[c] = 160;
    const Image8 plain(40, 30, {100, 100, 100});
    const FlipDifference d = flip(plain, with_square(plain, 10, 8, 12, other));
    EXPECT_GT(d.map[static_cast<std::size_t>(40 * 14 + 16)], 0.2) << c;
    EXPECT_EQ(d.map[static_cast<std::size_t>(40 * 29 + 39)], 0) << c;
  }
}

TEST(Flip, IsSymmetricInItsPicturesAndInSpace) {
  const Image8 a = pattern(37, 22), b = with_square(rolled(a), 5, 9, 7, {250, 30, 90});
  const FlipDifference d = flip(a, b);
  EXPECT_EQ(flip(b, a).map, d.map);
  const FlipDifference t = flip(transposed(a), transposed(b)), m = flip(mirrored(a), mirrored(b));
  ASSERT_EQ(t.width, 22);
  for (int y = 0; y < 22; ++y)
    for (int x = 0; x < 37; ++x) {
      const float here = d.map[static_cast<std::size_t>(37 * y + x)];
      EXPECT_NEAR(t.map[static_cast<std::size_t>(22 * x + y)], here, 1e-6);
      EXPECT_NEAR(m.map[static_cast<std::size_t>(37 * y + 36 - x)], here, 1e-6);
    }
}

// Light in a chequered pattern averages to a plain grey in the eye when it is far enough away.
TEST(Flip, WhatIsTooFineToBeSeenFades) {
  Image8 chequered(40, 40, {255, 255, 255});
  for (int y = 0; y < 40; ++y)
    for (int x = y % 2; x < 40; x += 2) std::fill_n(chequered.at(x, y), 3, 0);
  const Image8 plain(40, 40, {188, 188, 188});  // half of the light
  std::vector<float> middles;
  for (const double distance : {10.0, 30.0, 67.0, 134.0})
    middles.push_back(flip(chequered, plain, distance).map[static_cast<std::size_t>(40 * 20 + 20)]);
  EXPECT_GT(middles[0], 0.9);
  EXPECT_LT(middles[1], 0.5 * middles[0]);
  EXPECT_LT(middles[2], 0.02);
  EXPECT_LT(middles[3], 0.02);
}

// Why the mean is no judge of what is seen.
TEST(Flip, ABlotchOutweighsAFaintVeilByTheWeightedMedianOnly) {
  const Image8 plain(160, 120, {140, 130, 120});
  const FlipDifference veil = flip(plain, Image8(160, 120, {142, 132, 122})),
                       blotch = flip(plain, with_square(plain, 70, 50, 10, {220, 210, 200}));
  EXPECT_LT(blotch.mean, veil.mean);
  EXPECT_GT(blotch.weighted_median, 10 * veil.weighted_median);
}

TEST(Flip, WeightedMedianSplitsTheSumOfTheValues) {
  const auto of = [](std::vector<float> values) { return weighted_median(values); };
  EXPECT_EQ(of({}), 0);
  EXPECT_EQ(of({0, 0, 0}), 0);
  EXPECT_EQ(of({0.25f}), 0.25);
  EXPECT_EQ(of({0.5f, 0, 0, 0.25f, 0, 0.25f}), 0.25);     // half of the sum, exactly
  EXPECT_EQ(of({0.125f, 0.125f, 0.5f, 0.125f, 0}), 0.5);  // one value weighs more than the rest
  EXPECT_EQ(of({0.25f, 0.75f, 0.5f, 0.5f}), 0.5);
}

TEST(Flip, PicturesThatCannotBeComparedAreAnError) {
  const auto error_of = [](const Image8& a, const Image8& b, double distance) -> std::string {
    try {
      flip(a, b, distance);
    } catch (const InputError& error) {
      return error.what();
    }
    return "compared";
  };
  const Image8 a(4, 3, {1, 2, 3});
  EXPECT_EQ(error_of(a, a, 67), "compared");
  EXPECT_EQ(error_of(a, Image8(3, 4, {1, 2, 3}), 67),
            "pictures of 4 x 3 and 3 x 4 pixels: FLIP compares two of one size, of at least one pixel");
  EXPECT_EQ(error_of(a, Image8(4, 2, {1, 2, 3}), 67),
            "pictures of 4 x 3 and 4 x 2 pixels: FLIP compares two of one size, of at least one pixel");
  EXPECT_EQ(error_of(a, Image8(5, 3, {1, 2, 3}), 67),
            "pictures of 4 x 3 and 5 x 3 pixels: FLIP compares two of one size, of at least one pixel");
  EXPECT_EQ(error_of(Image8(), Image8(), 67),
            "pictures of 0 x 0 and 0 x 0 pixels: FLIP compares two of one size, of at least one pixel");
  for (const double distance : {0.0, -67.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(error_of(a, a, distance), "pixels per degree: must be positive");
}

}  // namespace
}  // namespace skinlight
