#include "skinlight/render/image_compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "skinlight/core/random.h"

namespace skinlight {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A picture with structure at every scale, in colours whose channels differ.
Image8 picture(int width, int height) {
  Image8 image(width, height, {0, 0, 0});
  Random random(3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.at(x, y)[0] = static_cast<std::uint8_t>(128 + 100 * std::sin(0.3 * x));
      image.at(x, y)[1] = static_cast<std::uint8_t>(128 + 100 * std::cos(0.2 * y));
      image.at(x, y)[2] = static_cast<std::uint8_t>(random.below(200));
    }
  }
  return image;
}

void spoil(Image8& image, int x, int y, int by) {
  image.at(x, y)[1] = static_cast<std::uint8_t>(image.at(x, y)[1] + by);
}

TEST(CompareImages, IdenticalPasses) {
  const ImageDifference d = compare_images(picture(64, 48), picture(64, 48));
  EXPECT_TRUE(d.pass);
  EXPECT_EQ(d.largest, 0);
  EXPECT_EQ(d.pixels, 0);
  EXPECT_EQ(d.reason, "");
}

TEST(CompareImages, ADifferenceWithinTheChannelTolerancePassesEverywhere) {
  Image8 actual = picture(64, 48);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) spoil(actual, x, y, kChannelTolerance);
  const ImageDifference d = compare_images(actual, picture(64, 48));
  EXPECT_TRUE(d.pass);
  EXPECT_EQ(d.largest, kChannelTolerance);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) spoil(actual, x, y, 1);
  EXPECT_FALSE(compare_images(actual, picture(64, 48)).pass);
}

TEST(CompareImages, OnePixelOffPassesInALargeImage) {
  Image8 actual = picture(64, 48);
  spoil(actual, 10, 20, 25);
  const ImageDifference d = compare_images(actual, picture(64, 48));
  EXPECT_TRUE(d.pass) << d.reason;
  EXPECT_EQ(d.pixels, 1);
  EXPECT_EQ(d.largest, 25);
  EXPECT_EQ(d.x, 10);
  EXPECT_EQ(d.y, 20);
}

TEST(CompareImages, OnePixelOffFailsInATinyImage) {
  Image8 actual = picture(16, 16);
  spoil(actual, 10, 2, 25);
  const ImageDifference d = compare_images(actual, picture(16, 16));
  EXPECT_FALSE(d.pass);
  EXPECT_THAT(
      d.reason,
      HasSubstr("1 pixels (0.391 %) differ by more than 2/255, at most 0.1 % may; worst 25/255 at (10, 2)"));
}

TEST(CompareImages, TheShareIsABoundThatMayBeReached) {
  Image8 actual = picture(100, 100);
  for (int i = 0; i < 10; ++i) spoil(actual, 3 * i, 7 * i, 40);
  EXPECT_TRUE(compare_images(actual, picture(100, 100)).pass);
  spoil(actual, 99, 99, 40);
  EXPECT_FALSE(compare_images(actual, picture(100, 100)).pass);
}

TEST(CompareImages, ShiftedByAPixelFails) {
  const Image8 expected = picture(64, 48);
  Image8 across = expected, down = expected;
  paste(expected, 1, 0, across);
  paste(expected, 0, 1, down);
  EXPECT_FALSE(compare_images(across, expected).pass);
  EXPECT_FALSE(compare_images(down, expected).pass);
}

TEST(CompareImages, BlankFails) {
  EXPECT_FALSE(compare_images(Image8(64, 48, {0, 0, 0}), picture(64, 48)).pass);
  EXPECT_FALSE(compare_images(Image8(64, 48, {255, 255, 255}), picture(64, 48)).pass);
}

TEST(CompareImages, SwappedChannelsFail) {
  Image8 actual = picture(64, 48);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) std::swap(actual.at(x, y)[0], actual.at(x, y)[2]);
  EXPECT_FALSE(compare_images(actual, picture(64, 48)).pass);
}

TEST(CompareImages, MirroredFails) {
  const Image8 expected = picture(64, 48);
  Image8 actual = expected;
  for (int y = 0; y < 48; ++y) paste(expected, 0, 0, actual);
  for (int y = 0; y < 48; ++y) std::copy(expected.at(0, y), expected.at(0, y) + 3 * 64, actual.at(0, 47 - y));
  EXPECT_FALSE(compare_images(actual, expected).pass);
}

// Every channel alone is compared, at its own place in pictures that are wider than high and the other way round.
TEST(CompareImages, EachChannelAloneIsJudgedAtItsTolerance) {
  constexpr int kSizes[][2] = {{50, 20}, {20, 50}};
  for (const auto& [width, height] : kSizes) {
    for (int c = 0; c < 3; ++c) {
      const Image8 expected(width, height, {100, 120, 140});
      Image8 within = expected, beyond = expected;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) within.at(x, y)[c] += kChannelTolerance;
      EXPECT_TRUE(compare_images(within, expected).pass) << width << " x " << height << ", channel " << c;
      // One pixel of 1000 may differ by more, a second may not.
      const int x = width - 3, y = height - 7;
      beyond.at(x, y)[c] -= kChannelTolerance + 1;
      EXPECT_TRUE(compare_images(beyond, expected).pass);
      beyond.at(1, 2)[c] += kChannelTolerance + 2;
      const ImageDifference d = compare_images(beyond, expected);
      EXPECT_FALSE(d.pass) << width << " x " << height << ", channel " << c;
      EXPECT_EQ(d.pixels, 2);
      EXPECT_EQ(d.largest, kChannelTolerance + 2);
      EXPECT_EQ(d.x, 1);
      EXPECT_EQ(d.y, 2);
      beyond.at(1, 2)[c] = expected.at(1, 2)[c];
      EXPECT_EQ(compare_images(beyond, expected).x, x);
      EXPECT_EQ(compare_images(beyond, expected).y, y);
    }
  }
}

TEST(CompareImages, ToleranceOfTheCallerCounts) {
  const Image8 expected(40, 10, {100, 100, 100});
  Image8 actual = expected;
  for (int i = 0; i < 4; ++i) actual.at(10 * i, i)[2] = 105;
  EXPECT_TRUE(compare_images(actual, expected, {5, 0}).pass);
  EXPECT_FALSE(compare_images(actual, expected, {4, 0}).pass);
  EXPECT_TRUE(compare_images(actual, expected, {4, 0.01}).pass);  // 4 of 400
  EXPECT_FALSE(compare_images(actual, expected, {4, 0.0099}).pass);
}

TEST(CompareImages, WrongSizeFailsWithBothSizes) {
  const ImageDifference d = compare_images(picture(48, 64), picture(64, 48));
  EXPECT_FALSE(d.pass);
  EXPECT_EQ(d.reason, "size 48 x 64, expected 64 x 48");
  EXPECT_EQ(compare_images(picture(4, 5), picture(4, 4)).reason, "size 4 x 5, expected 4 x 4");
  EXPECT_EQ(compare_images(picture(5, 4), picture(4, 4)).reason, "size 5 x 4, expected 4 x 4");
  EXPECT_FALSE(compare_images(Image8(), picture(4, 4)).pass);
  EXPECT_FALSE(compare_images(Image8(), Image8()).pass);
}

TEST(CompareImages, TheDifferencePictureMarksThePixels) {
  Image8 actual = picture(32, 32);
  spoil(actual, 5, 6, 2);
  spoil(actual, 7, 8, 30);
  const ImageDifference d = compare_images(actual, picture(32, 32));
  const auto at = [&](int x, int y) { return std::vector<int>(d.picture.at(x, y), d.picture.at(x, y) + 3); };
  EXPECT_THAT(at(5, 6), ElementsAre(255, 220, 60));
  EXPECT_THAT(at(7, 8), ElementsAre(220, 20, 20));
  EXPECT_EQ(at(9, 9)[0], at(9, 9)[1]);
  EXPECT_EQ(at(9, 9)[0], at(9, 9)[2]);
}

constexpr double kBound = 1e-4;

std::vector<Vec3f> random_normals(int count) {
  Random random(11);
  std::vector<Vec3f> normals;
  for (int i = 0; i < count; ++i) normals.emplace_back(random.direction());
  return normals;
}

// n turned by `radians` about an axis orthogonal to it.
Vec3f turned(Vec3f n, double radians) {
  const Vec3d v(n),
      side = normalize(std::abs(v.z) < 0.9 ? cross(v, Vec3d(0, 0, 1)) : cross(v, Vec3d(1, 0, 0)));
  return Vec3f(v * std::cos(radians) + side * std::sin(radians));
}

TEST(CompareNormals, IdenticalPasses) {
  const NormalDifference d = compare_normals(random_normals(100), random_normals(100), kBound);
  EXPECT_TRUE(d.pass);
  EXPECT_EQ(d.largest, 0);
}

TEST(CompareNormals, OneTurnedByTwiceTheBoundFailsByHalfOfItPasses) {
  std::vector<Vec3f> actual = random_normals(1000);
  actual[700] = turned(actual[700], 2 * kBound);
  const NormalDifference d = compare_normals(actual, random_normals(1000), kBound);
  EXPECT_FALSE(d.pass);
  EXPECT_EQ(d.worst, 700);
  EXPECT_EQ(d.above, 1);
  EXPECT_NEAR(d.largest, 2 * kBound, 1e-7);
  EXPECT_NEAR(d.rms, 2 * kBound / std::sqrt(1000), 1e-8);
  EXPECT_THAT(d.reason,
              HasSubstr("1 of 1000 normals are off by more than 0.0001 rad; worst 0.0002 rad at 700"));
  actual[700] = turned(random_normals(1000)[700], kBound / 2);
  EXPECT_TRUE(compare_normals(actual, random_normals(1000), kBound).pass);
}

// In any component, to either side, five per cent within the bound and beyond it.
TEST(CompareNormals, TheBoundIsSharpInEveryDirection) {
  const std::vector<Vec3f> axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    for (std::size_t towards = 0; towards < axes.size(); ++towards) {
      if (axis == towards) continue;
      for (const float side : {-1.0F, 1.0F}) {
        const auto tilted = [&](double by) {
          return std::vector<Vec3f>{axes[axis] + axes[towards] * (side * static_cast<float>(by))};
        };
        const std::vector<Vec3f> expected = {axes[axis]};
        EXPECT_TRUE(compare_normals(tilted(0.95 * kBound), expected, kBound).pass) << axis << towards << side;
        EXPECT_FALSE(compare_normals(tilted(1.05 * kBound), expected, kBound).pass)
            << axis << towards << side;
      }
    }
  }
}

TEST(CompareNormals, LengthDoesNotMatter) {
  std::vector<Vec3f> actual = random_normals(10);
  for (Vec3f& n : actual) n *= 3;
  EXPECT_TRUE(compare_normals(actual, random_normals(10), 1e-6).pass);
}

TEST(CompareNormals, OneFlippedFails) {
  std::vector<Vec3f> actual = random_normals(100);
  actual[3] = -actual[3];
  const NormalDifference d = compare_normals(actual, random_normals(100), kBound);
  EXPECT_FALSE(d.pass);
  EXPECT_NEAR(d.largest, M_PI, 1e-6);
}

TEST(CompareNormals, SwappedComponentsFail) {
  std::vector<Vec3f> actual = random_normals(100);
  for (Vec3f& n : actual) std::swap(n.x, n.y);
  EXPECT_FALSE(compare_normals(actual, random_normals(100), kBound).pass);
}

TEST(CompareNormals, NotFiniteFailsOnEitherSide) {
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    std::vector<Vec3f> spoiled = random_normals(10);
    spoiled[4].z = bad;
    // Not even a bound that everything meets lets it pass.
    const NormalDifference actual = compare_normals(spoiled, random_normals(10), 10);
    EXPECT_FALSE(actual.pass);
    EXPECT_EQ(actual.reason, "actual normal 4 is not finite");
    EXPECT_EQ(compare_normals(random_normals(10), spoiled, 10).reason, "expected normal 4 is not finite");
  }
}

TEST(CompareNormals, UncoveredEqualsUncoveredOnly) {
  std::vector<Vec3f> expected = random_normals(10), actual = expected;
  expected[2] = actual[2] = Vec3f(0.0f);
  EXPECT_TRUE(compare_normals(actual, expected, kBound).pass);
  actual[3] = Vec3f(0.0f);
  EXPECT_FALSE(compare_normals(actual, expected, kBound).pass);
}

TEST(CompareNormals, WrongCountFails) {
  EXPECT_EQ(compare_normals(random_normals(9), random_normals(10), kBound).reason, "9 normals, expected 10");
  EXPECT_FALSE(compare_normals({}, {}, kBound).pass);
}

// Of pixels that differ alike the first is named, row by row; a larger one later is.
TEST(CompareImages, OfEqualDifferencesTheFirstIsTheWorst) {
  const Image8 expected(12, 9, {100, 100, 100});
  Image8 actual = expected;
  for (const auto& [x, y] : {std::pair(7, 2), std::pair(3, 4), std::pair(9, 2), std::pair(11, 8)})
    actual.at(x, y)[2] = 120;
  ImageDifference d = compare_images(actual, expected);
  EXPECT_EQ(d.largest, 20);
  EXPECT_EQ(d.x, 7);
  EXPECT_EQ(d.y, 2);
  EXPECT_EQ(d.pixels, 4);
  EXPECT_EQ(d.share, 4 / 108.0);
  actual.at(10, 7)[0] = 79;
  d = compare_images(actual, expected);
  EXPECT_EQ(d.largest, 21);
  EXPECT_EQ(d.x, 10);
  EXPECT_EQ(d.y, 7);
  EXPECT_EQ(compare_images(expected, expected).x, -1);
}

// The mean of the channels, rounded down, a quarter of it over 191.
TEST(CompareImages, TheDifferencePictureIsPaleWherePicturesAreAlike) {
  for (const auto& [colour, pale] : {std::pair(Rgb8{30, 90, 180}, 216), std::pair(Rgb8{0, 0, 0}, 191),
                                     std::pair(Rgb8{255, 255, 255}, 254), std::pair(Rgb8{200, 7, 2}, 208)}) {
    const Image8 image(3, 2, colour);
    const ImageDifference d = compare_images(image, image);
    EXPECT_EQ(d.picture.width, 3);
    EXPECT_EQ(d.picture.height, 2);
    EXPECT_THAT(d.picture.rgb, testing::Each(pale));
  }
}

TEST(CompareNormals, OfEqualAnglesTheFirstIsTheWorst) {
  std::vector<Vec3f> actual = random_normals(20);
  const std::vector<Vec3f> expected = random_normals(20);
  // Where one side has no vector the angle is pi, whatever the other is.
  for (const std::size_t i : {4u, 9u, 15u}) actual[i] = Vec3f(0.0f);
  NormalDifference d = compare_normals(actual, expected, kBound);
  EXPECT_EQ(d.worst, 4);
  EXPECT_EQ(d.above, 3);
  EXPECT_EQ(d.largest, M_PI);
  EXPECT_NEAR(d.rms, M_PI * std::sqrt(3.0 / 20), 1e-6);
  EXPECT_TRUE(compare_normals(actual, expected, M_PI).pass);  // the bound may be reached
  // The first row is a place like any other.
  actual[0] = Vec3f(0.0f);
  EXPECT_EQ(compare_normals(actual, expected, kBound).worst, 0);
  EXPECT_EQ(compare_normals(expected, expected, kBound).worst, 0);
}

TEST(CompareNormals, RowsWithoutVectorsDoNotCount) {
  const std::vector<Vec3f> none(5, Vec3f(0.0f));
  NormalDifference d = compare_normals(none, none, kBound);
  EXPECT_TRUE(d.pass);
  EXPECT_EQ(d.worst, -1);
  EXPECT_EQ(d.rms, 0);
  std::vector<Vec3f> expected(4, Vec3f(0.0f));
  expected[2] = {1, 0, 0};
  std::vector<Vec3f> actual = expected;
  actual[2] = {0, 1, 0};
  d = compare_normals(actual, expected, kBound);
  EXPECT_NEAR(d.rms, M_PI / 2, 1e-6);
  EXPECT_EQ(d.worst, 2);
  EXPECT_EQ(d.reason, "1 of 1 normals are off by more than 0.0001 rad; worst 1.57 rad at 2");
}

}  // namespace
}  // namespace skinlight
