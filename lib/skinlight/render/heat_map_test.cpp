#include "skinlight/render/heat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/error.h"

namespace skinlight {
namespace {

using testing::Each;
using testing::FloatNear;
using testing::Pointwise;

double lightness(std::array<float, 3> linear) {
  const double Y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return 116 * std::cbrt(Y) - 16;
}

// A row of normals turned by `degrees` from z towards x.
ImageF normals(std::initializer_list<double> degrees) {
  ImageF image(static_cast<int>(degrees.size()), 1);
  int x = 0;
  for (const double d : degrees) {
    float* pixel = image.at(x++, 0);
    pixel[0] = static_cast<float>(std::sin(d * M_PI / 180));
    pixel[2] = static_cast<float>(std::cos(d * M_PI / 180));
    pixel[3] = 1;
  }
  return image;
}

std::array<float, 3> colour_at(const ImageF& image, int x) {
  return {image.at(x, 0)[0], image.at(x, 0)[1], image.at(x, 0)[2]};
}

TEST(HeatMap, LightnessRisesEvenly) {
  for (double t = 0; t < 1; t += 0.05)
    EXPECT_NEAR(lightness(heat_colour(t + 0.05)) - lightness(heat_colour(t)), 72 * 0.05, 0.5) << t;
}

TEST(HeatMap, ColoursTheAngleBetweenTheNormals) {
  const ImageF map = heat_map(normals({0, 10, 55, 90}), normals({0, 0, 30, 0}), 50);
  EXPECT_THAT(colour_at(map, 0), Pointwise(FloatNear(1e-5f), heat_colour(0)));
  EXPECT_THAT(colour_at(map, 1), Pointwise(FloatNear(1e-5f), heat_colour(0.2)));
  EXPECT_THAT(colour_at(map, 2), Pointwise(FloatNear(1e-5f), heat_colour(0.5)));
  EXPECT_THAT(colour_at(map, 3), Pointwise(FloatNear(1e-5f), heat_colour(1)));
}

TEST(HeatMap, LeavesUncoveredPixelsEmptyAndMarksUndefinedNormals) {
  ImageF first = normals({0, 0, 0, 0}), second = normals({40, 40, 40, 40});
  first.at(0, 0)[3] = 0;
  second.at(1, 0)[3] = 0;
  first.at(2, 0)[1] = std::nanf("");
  second.at(3, 0)[0] = second.at(3, 0)[2] = 0;
  const ImageF map = heat_map(first, second, 50);
  EXPECT_THAT(std::vector<float>(map.at(0, 0), map.at(2, 0)), Each(0.0f));
  for (int x : {2, 3}) EXPECT_EQ(colour_at(map, x), (std::array<float, 3>{1, 0, 1}));
}

TEST(HeatMap, BuffersOfDifferentSizeAreAnError) {
  EXPECT_THROW(heat_map(normals({0}), normals({0, 0}), 50), InputError);
}

TEST(HeatMap, ThePictureHasALegendBelow) {
  ImageF first(40, 20), second(40, 20);
  const Image8 picture = heat_map_picture(first, second, 40, 2);
  EXPECT_EQ(picture.width, 20);
  EXPECT_EQ(picture.height, 10 + heat_legend(20, 40).height);
}

TEST(HeatMap, TheLegendRunsFromNoErrorToTheMaximum) {
  const Image8 legend = heat_legend(400, 40);
  const auto expect_colour = [&](int x, double t) {
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_EQ(legend.at(x, 12)[c], srgb_from_linear(heat_colour(t)[c])) << x;
  };
  expect_colour(40, 0);
  expect_colour(359, 1);
  // Ticks at 0, 10, 20, 30 and 40 degrees below the bar.
  std::vector<int> ticks;
  for (int x = 0; x < 400; ++x)
    if (legend.at(x, 22)[0] < 255) ticks.push_back(x);
  EXPECT_THAT(ticks, testing::ElementsAre(40, 120, 200, 279, 359));
}

}  // namespace
}  // namespace skinlight
