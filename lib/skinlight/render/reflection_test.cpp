#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"
#include "skinlight/render/context.h"
#include "skinlight/render/flip.h"
#include "skinlight/render/image_compare.h"
#include "skinlight/render/offscreen.h"

namespace skinlight {
namespace {

constexpr int kSide = 240;
constexpr double kHalf = 1.1;  // of what the camera sees

// A unit sphere with exact normals.
struct Sphere {
  std::vector<Face> faces;
  std::vector<Vec3f> p, n;

  explicit Sphere(int segments = 256) {
    const int rings = segments / 2;
    for (int j = 0; j <= rings; ++j)
      for (int i = 0; i <= segments; ++i) {
        const double theta = M_PI * j / rings, phi = 2 * M_PI * i / segments;
        p.emplace_back(
            Vec3d(std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)));
        if (i == segments || j == rings) continue;
        const int a = j * (segments + 1) + i, b = a + segments + 1;
        faces.push_back({a, a + 1, b});
        faces.push_back({b, a + 1, b + 1});
      }
    n = p;
  }
  PosedMesh view() const { return {faces, p, n}; }
  // Every normal turned about the axis z, towards the eye.
  void tilt(double degrees) {
    const auto c = static_cast<float>(std::cos(degrees / kDegrees)),
               s = static_cast<float>(std::sin(degrees / kDegrees));
    for (Vec3f& v : n) v = {v.x, c * v.y - s * v.z, s * v.y + c * v.z};
  }
};

// Looks along -z.
Camera front() {
  const std::vector<Vec3d> corners{Vec3d(-kHalf, -kHalf, -kHalf), Vec3d(kHalf, kHalf, kHalf)};
  return frame(corners, View{{0, 0, 1}, {0, 1, 0}, 0, 0}, 1);
}

double middle(int pixel) { return kHalf * ((2 * pixel + 1.0) / kSide - 1); }

class Reflections : public testing::Test {
 protected:
  std::unique_ptr<Context> context_ = create_context(Renderer::llvmpipe);
  OffscreenRenderer renderer_{*context_};
};

// A sphere under parallel rays: n = (x, y, z) reflects (0, 0, 1) to 2 z n - (0, 0, 1).
TEST_F(Reflections, StripesOfASphereLieWhereTheReflectedAngleSays) {
  for (const Vec3d axis : {Vec3d(0, 1, 0), Vec3d(3, 0, 0), Vec3d(1, 2, -1)})
    for (const double width : {30.0, 12.0}) {
      const Image8 picture = renderer_.reflection(Sphere().view(), front(), {kSide, kSide, 1}, {axis, width});
      int light = 0, dark = 0;
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
          const double X = middle(x), Y = -middle(y), r2 = X * X + Y * Y;
          if (r2 > 0.8) continue;
          const double z = std::sqrt(1 - r2);
          const Vec3d reflected = 2 * z * Vec3d(X, Y, z) - Vec3d(0, 0, 1);
          const double stripes = kDegrees * angle_between(reflected, axis) / width;
          if (std::abs(stripes - std::round(stripes)) < 0.2) continue;  // near an edge
          const bool expected = static_cast<int>(stripes) % 2 == 0;
          EXPECT_EQ(picture.at(x, y)[0] > 200, expected) << x << " " << y;
          EXPECT_EQ(picture.at(x, y)[0] < 80, !expected) << x << " " << y;
          (expected ? light : dark) += 1;
        }
      EXPECT_GT(light, 3000);
      EXPECT_GT(dark, 3000);
    }
}

double red_light(const Image8& image, int x, int y) {
  const double encoded = image.at(x, y)[0] / 255.0;
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

// One sample per pixel with smooth edges against the mean of 64 samples.
TEST_F(Reflections, EdgesAreSmoothWithoutSupersampling) {
  const Reflection stripes{{1, 2, -1}, 30};
  const Image8 once = renderer_.reflection(Sphere().view(), front(), {kSide, kSide, 1}, stripes),
               often = renderer_.reflection(Sphere().view(), front(), {kSide, kSide, 8}, stripes);
  int between = 0, far_off = 0, inside = 0;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      if (std::hypot(middle(x), middle(y)) > 0.9) continue;
      ++inside;
      between += red_light(once, x, y) > 0.1 && red_light(once, x, y) < 0.85;
      far_off += std::abs(red_light(once, x, y) - red_light(often, x, y)) > 0.1;
    }
  EXPECT_GT(between, inside / 100);
  EXPECT_LT(far_off, inside / 1000);
}

TEST_F(Reflections, StripesTooNarrowToBeSeenAreAnEvenMixture) {
  const Image8 picture = renderer_.reflection(Sphere().view(), front(), {kSide, kSide, 1}, {{0, 1, 0}, 0.02});
  for (int y = kSide / 4; y < 3 * kSide / 4; y += 7)
    for (int x = kSide / 4; x < 3 * kSide / 4; x += 7)
      EXPECT_NEAR(red_light(picture, x, y), 0.5 * (0.95 + 0.015), 0.03);
}

TEST_F(Reflections, TheLengthOfTheAxisDoesNotMatter) {
  const auto drawn = [&](double length) {
    return renderer_.reflection(Sphere(32).view(), front(), {40, 30, 1}, {Vec3d(0.6, 0.8, 0) * length, 20})
        .rgb;
  };
  for (const double length : {0.25, 8.0}) EXPECT_EQ(drawn(length), drawn(1)) << length;
}

// Why there are lines of reflection: the pooled difference that a person sees when all normals tilt by a degree.
TEST_F(Reflections, ATiltOfOneDegreeIsSeenInStripesAndNotInClay) {
  Sphere tilted;
  tilted.tilt(1);
  const PictureSize size{kSide, kSide, 3};
  const double in_stripes = flip(renderer_.reflection(Sphere().view(), front(), size),
                                 renderer_.reflection(tilted.view(), front(), size))
                                .weighted_median,
               in_clay = flip(renderer_.shaded(Sphere().view(), front(), size),
                              renderer_.shaded(tilted.view(), front(), size))
                             .weighted_median;
  EXPECT_GT(in_stripes, 0.4);
  EXPECT_LT(in_clay, 0.04);
}

TEST_F(Reflections, StripesWithoutAxisOrWidthAreAnError) {
  const auto error_of = [&](const Reflection& stripes) -> std::string {
    try {
      renderer_.reflection(Sphere(8).view(), front(), {8, 8, 1}, stripes);
    } catch (const InputError& error) {
      return error.what();
    }
    return "drawn";
  };
  EXPECT_EQ(error_of({}), "drawn");
  EXPECT_EQ(error_of({{0, 0, 0}, 30}), "lines of reflection: their axis has no direction");
  EXPECT_EQ(error_of({{std::nan(""), 0, 1}, 30}), "lines of reflection: their axis has no direction");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of({{0, infinity, 0}, 30}), "lines of reflection: their axis has no direction");
  for (const double width : {0.0, -30.0, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(error_of({{0, 1, 0}, width}), "lines of reflection: the width of a stripe must be positive");
}

}  // namespace
}  // namespace skinlight
