#include "skinlight/render/heat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/render/text.h"

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
  EXPECT_THROW(heat_map(ImageF(2, 3), ImageF(2, 2), 50), InputError);
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

// Linear sRGB to CIELAB, by the formulas and the matrix of the standards, the other way round than the colours are made.
std::array<double, 3> lab_of(std::array<float, 3> linear) {
  const double r = static_cast<double>(linear[0]), g = static_cast<double>(linear[1]),
               b = static_cast<double>(linear[2]);
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047),
               y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b),
               z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(HeatMap, ColoursLieOnThePathThroughLab) {
  constexpr double kPrintedDigits = 2e-3;  // of the matrices, seven each
  constexpr std::array<std::array<double, 3>, 5> kKnots{
      {{20, 30, -50}, {38, 55, -35}, {56, 55, 20}, {74, 22, 58}, {92, -8, 58}}};
  for (int step = 0; step <= 40; ++step) {
    const auto i = static_cast<std::size_t>(std::min(step / 10, 3));
    const double u = 0.1 * step - static_cast<double>(i);
    const std::array<double, 3> lab = lab_of(heat_colour(step / 40.0));
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(lab[c], (1 - u) * kKnots[i][c] + u * kKnots[i + 1][c], kPrintedDigits) << step << " " << c;
  }
  EXPECT_EQ(heat_colour(-0.3), heat_colour(0));
  EXPECT_EQ(heat_colour(1.7), heat_colour(1));
}

// As sRGB files have it [IEC 61966-2-1].
int encoded(double linear) {
  return static_cast<int>(
      std::lround(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055)));
}

// Wider than high, and the other way round: every pixel has the colour of its own normals.
TEST(HeatMap, EveryPixelIsColouredByItsOwnNormals) {
  constexpr int kSizes[][2] = {{7, 3}, {3, 7}};
  for (const auto& [width, height] : kSizes) {
    ImageF first(width, height), second(width, height);
    const auto degrees = [](int x, int y) { return 3.0 * x + 5 * y; };
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const ImageF one = normals({degrees(x, y)}), none = normals({0});
        std::copy_n(one.at(0, 0), 4, first.at(x, y));
        std::copy_n(none.at(0, 0), 4, second.at(x, y));
      }
    first.at(1, 2)[3] = second.at(2, 1)[3] = 0;
    const ImageF map = heat_map(first, second, 60);
    ASSERT_EQ(map.width, width);
    ASSERT_EQ(map.height, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const bool covered = !(x == 1 && y == 2) && !(x == 2 && y == 1);
        const std::array<float, 3> wanted = heat_colour(degrees(x, y) / 60);
        for (std::size_t c = 0; c < 3; ++c)
          EXPECT_NEAR(map.at(x, y)[c], covered ? wanted[c] : 0, 1e-5) << x << " " << y;
        EXPECT_EQ(map.at(x, y)[3], covered) << x << " " << y;
      }
  }
}

TEST(HeatMap, ANormalWithoutDirectionOnEitherSideIsMagenta) {
  const std::array<float, 3> magenta{1, 0, 1};
  ImageF zero = normals({30}), nan = normals({30});
  zero.at(0, 0)[0] = zero.at(0, 0)[2] = 0;
  nan.at(0, 0)[0] = std::nanf("");
  for (const ImageF& bad : {zero, nan}) {
    EXPECT_EQ(colour_at(heat_map(bad, normals({0}), 50), 0), magenta);
    EXPECT_EQ(colour_at(heat_map(normals({0}), bad, 50), 0), magenta);
  }
}

// A block of four pixels of which one is covered, by no error, on a grey of 80 % of the light.
TEST(HeatMap, ThePictureIsAveragedOnGrey) {
  ImageF first(4, 2), second(4, 2);
  for (ImageF* image : {&first, &second}) image->at(1, 1)[2] = image->at(1, 1)[3] = 1;
  const Image8 picture = heat_map_picture(first, second, 40, 2);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(picture.at(0, 0)[c], encoded(0.25 * static_cast<double>(heat_colour(0)[c]) + 0.75 * 0.8));
    EXPECT_EQ(picture.at(1, 0)[c], encoded(0.8));
  }
  // The legend is below, as it is alone.
  const Image8 legend = heat_legend(2, 40);
  EXPECT_TRUE(std::equal(legend.rgb.begin(), legend.rgb.end(), picture.at(0, 1),
                         picture.rgb.data() + picture.rgb.size()));
}

struct Tick {
  int x;
  const char* label;
};

// A legend as it is to be: white, a bar of 12 rows below 8, ticks of 5 rows below that, labels below these.
void expect_legend(int width, double max_degrees, int left, const std::vector<Tick>& ticks) {
  constexpr Rgb8 kInk{40, 40, 40};
  const Image8 legend = heat_legend(width, max_degrees);
  Image8 wanted(width, 44, {255, 255, 255});
  const int right = width - left;
  for (int x = left; x < right; ++x)
    for (int y = 8; y < 20; ++y)
      for (std::size_t c = 0; c < 3; ++c)
        wanted.at(x, y)[c] = static_cast<std::uint8_t>(encoded(static_cast<double>(
            heat_colour(static_cast<double>(x - left) / std::max(1, right - left - 1))[c])));
  for (const Tick& tick : ticks) {
    for (int y = 20; y < 25; ++y)
      if (tick.x >= 0 && tick.x < width) std::copy(kInk.begin(), kInk.end(), wanted.at(tick.x, y));
    draw_text(wanted, tick.label, static_cast<float>(tick.x) + 0.5f, 26, TextAlign::centre, 15, kInk);
  }
  ASSERT_EQ(legend.width, width);
  ASSERT_EQ(legend.height, 44);
  for (int y = 0; y < 44; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        EXPECT_EQ(legend.at(x, y)[c], wanted.at(x, y)[c]) << "width " << width << ", " << x << " " << y;
}

TEST(HeatMap, TheLegendIsABarOfAllColoursOverTicksAndLabels) {
  expect_legend(
      400, 40, 40,
      {{40, "0\u00b0"}, {120, "10\u00b0"}, {200, "20\u00b0"}, {279, "30\u00b0"}, {359, "\u2265 40\u00b0"}});
  // The border is 8 where a tenth of the width is less.
  expect_legend(
      79, 40, 8,
      {{8, "0\u00b0"}, {24, "10\u00b0"}, {39, "20\u00b0"}, {55, "30\u00b0"}, {70, "\u2265 40\u00b0"}});
  expect_legend(90, 1, 9,
                {{9, "0\u00b0"},
                 {23, "0.2\u00b0"},
                 {37, "0.4\u00b0"},
                 {52, "0.6\u00b0"},
                 {66, "0.8\u00b0"},
                 {80, "\u2265 1\u00b0"}});
}

// 17 pixels have room for one column of the bar; fewer have none, and ticks run backwards until they are cut off.
TEST(HeatMap, ALegendWithoutRoomForItsBarIsCutOff) {
  expect_legend(18, 40, 8,
                {{8, "0\u00b0"}, {8, "10\u00b0"}, {9, "20\u00b0"}, {9, "30\u00b0"}, {9, "\u2265 40\u00b0"}});
  expect_legend(17, 40, 8,
                {{8, "0\u00b0"}, {8, "10\u00b0"}, {8, "20\u00b0"}, {8, "30\u00b0"}, {8, "\u2265 40\u00b0"}});
  expect_legend(9, 40, 8,
                {{8, "0\u00b0"}, {6, "10\u00b0"}, {4, "20\u00b0"}, {2, "30\u00b0"}, {0, "\u2265 40\u00b0"}});
  expect_legend(8, 40, 8,
                {{8, "0\u00b0"}, {6, "10\u00b0"}, {3, "20\u00b0"}, {1, "30\u00b0"}, {-1, "\u2265 40\u00b0"}});
}

// Ticks at 1, 2 or 5 times a power of ten, five intervals at most; none is nearer to the last than half an interval.
TEST(HeatMap, TheLegendHasAtMostFiveIntervals) {
  struct Case {
    double maximum, step;
    int below;  // the maximum
  };
  for (const Case& c :
       {Case{5, 1, 5}, Case{10, 2, 5}, Case{25, 5, 5}, Case{50, 10, 5}, Case{0.5, 0.1, 5}, Case{6, 2, 3},
        Case{12, 5, 2}, Case{26, 10, 3}, Case{90, 20, 4}, Case{180, 50, 4}, Case{0.03, 0.01, 3}}) {
    const Image8 legend = heat_legend(1000, c.maximum);
    std::vector<int> ticks, wanted;
    for (int x = 0; x < 1000; ++x)
      if (legend.at(x, 22)[0] < 255) ticks.push_back(x);
    for (int i = 0; i < c.below; ++i)
      wanted.push_back(100 + static_cast<int>(std::lround(i * c.step / c.maximum * 799)));
    wanted.push_back(899);
    EXPECT_EQ(ticks, wanted) << c.maximum;
  }
}

}  // namespace
}  // namespace skinlight
