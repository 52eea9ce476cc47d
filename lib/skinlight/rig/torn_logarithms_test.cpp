#include "skinlight/rig/torn_logarithms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/samples/procedural.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

double radians(double degrees) { return degrees * M_PI / 180; }

Mat4x3d turn_about_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {Vec3d(c, s, 0), Vec3d(-s, c, 0), Vec3d(0, 0, 1), Vec3d(0, 0, 0)};
}

// A tube on two bones, both turned about its axis.
TornLogarithms torn(double lower, double upper, double scale = 1) {
  static const ProceduralRig tube = cylinder({}, {.segments = 12});
  std::vector<Mat4x3d> M = {turn_about_z(lower), turn_about_z(upper)};
  for (Mat4x3d& m : M)
    for (int c = 0; c < 3; ++c) m[c] = m[c] * scale;
  return torn_logarithms(tube.mesh, make_pose(M));
}

TEST(TornLogarithms, AreThoseOnDifferentSidesOfHalfATurn) {
  EXPECT_EQ(torn(0, radians(170)).vertices, 0);
  EXPECT_EQ(torn(radians(160), radians(179)).vertices, 0);
  EXPECT_EQ(torn(radians(181), radians(200)).vertices, 0);
  EXPECT_EQ(torn(radians(-60), radians(100)).vertices, 0);
  const TornLogarithms across = torn(radians(170), radians(190));
  EXPECT_GT(across.vertices, 0);
  EXPECT_NEAR(across.apart, radians(340), 1e-9);
  EXPECT_EQ(across.first + across.second, 1);
  EXPECT_GT(torn(radians(-100), radians(100)).vertices, 0);  // the long way, 200 degrees
}

// Only what both bones move.
TEST(TornLogarithms, CountTheVerticesThatBlendThem) {
  const ProceduralRig tube = cylinder({}, {.segments = 12});
  int shared = 0;
  for (int v = 0; v < tube.mesh.vertex_count(); ++v) shared += tube.mesh.weights_of(v)[1] > 0;
  EXPECT_EQ(torn(radians(170), radians(190)).vertices, shared);
  EXPECT_LT(shared, tube.mesh.vertex_count());
}

// A pose as a whole, half a turn from rest, and a pose a hair's breadth before it.
TEST(TornLogarithms, ChangeWithATurnOfTheWholeCharacterByAnyAmount) {
  const double half = M_PI - radians(20);
  EXPECT_EQ(torn(half - 1e-5, half - 1e-5 + radians(20)).vertices, 0);
  EXPECT_GT(torn(half + 1e-5, half + 1e-5 + radians(20)).vertices, 0);
}

// The twist of half a turn itself, on which all methods turn over, is no matter of logarithms.
TEST(TornLogarithms, OfHalfATurnExactlyAreNot) {
  for (const double rounding : {-1e-7, 0., 1e-7}) EXPECT_EQ(torn(0, M_PI + rounding).vertices, 0);
}

TEST(TornLogarithms, AreOfTheBonesWithoutTheirScaleAndMirror) {
  for (const double scale : {100., -1., -3.}) {
    EXPECT_EQ(torn(radians(160), radians(179), scale).vertices, 0);
    EXPECT_GT(torn(radians(170), radians(190), scale).vertices, 0);
  }
}

TEST(TornLogarithms, AreTold) {
  const Warning w = torn_warning(torn(radians(170), radians(190)), "bones 0 and 1");
  EXPECT_EQ(w.element, "bones 0 and 1");
  EXPECT_THAT(w.reason, HasSubstr("340 degrees apart: log-matrix blending tears"));
  EXPECT_GT(w.count, 1);
}

}  // namespace
}  // namespace skinlight
