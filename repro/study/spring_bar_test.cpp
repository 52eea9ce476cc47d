// The bar of springs: it stays as it is where nothing moves it, and comes to rest where forces vanish.
#include "repro/study/spring_bar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "skinlight/core/random.h"
#include "skinlight/rig/turn.h"
#include "skinlight/samples/procedural.h"

namespace skinlight::repro {
namespace {

constexpr double kRounding = 1e-12;

TEST(SpringBar, IsAtRestInItsRestPose) {
  const SpringBar bar({.across = 3});
  const Pose still = make_pose({identity_transform<double>(), identity_transform<double>()});
  const SpringBar::Rest rest = bar.settle(still);
  EXPECT_EQ(rest.steps, 1);
  EXPECT_LT(bar.largest_force(rest.p), kRounding);
  EXPECT_NEAR(bar.volume(rest.p), 2 * 2 * 6, 1e-9);  // 2 by 2 by 6, from a thousand cells
}

TEST(SpringBar, GoesAlongWithARigidMotion) {
  const SpringBar bar({.across = 3});
  Mat4x3d whole = turn_about(Vec3d(1, 0, 0), Vec3d(0, 0.6, 0.8), 1.1);
  const SpringBar::Rest moved = bar.settle(make_pose({whole, whole}));
  for (std::size_t v = 0; v < moved.p.size(); ++v)
    EXPECT_LT(length(moved.p[v] - transform_point(whole, bar.rest()[v])), 1e-9);
}

TEST(SpringBar, ForcesVanishWhereATwistedBarSettlesAndNotWhereItStarts) {
  const SpringBar bar({.across = 3});
  const Pose twist = cylinder_twist(1.5);
  const SpringBar::Rest rest = bar.settle(twist);
  EXPECT_LT(bar.largest_force(rest.p),
            1e-5);  // it ends when no mass moves by 1e-7; up to 26 springs pull at one
  EXPECT_GT(bar.largest_force(bar.blended(twist)), 1e-2);
}

constexpr SpringBarShape kShort = {.half_length = 1.5, .half_blend = .9, .across = 4};

TEST(SpringBar, ItsMassesFillTheBar) {
  const SpringBar bar(kShort);
  ASSERT_EQ(bar.rest().size(), 5u * 5u * 7u);
  std::size_t v = 0;
  for (int z = 0; z < 7; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 5; ++x)
        EXPECT_LT(length(bar.rest()[v++] - Vec3d(-1 + .5 * x, -1 + .5 * y, -1.5 + .5 * z)), kRounding);
}

// 1 - (6 x^5 - 15 x^4 + 10 x^3) of bone 1, below.
TEST(SpringBar, StartsWhereLinearBlendingPutsIt) {
  const SpringBar bar(kShort);
  const Mat4x3d upper = turn_about({0, .5, 0}, {0, 1, 0}, .7),
                lower = turn_about({.1, 0, 1}, {1, 0, 0}, -1.1);
  const std::vector<Vec3d> p = bar.blended(make_pose({upper, lower}));
  ASSERT_EQ(p.size(), bar.rest().size());
  for (std::size_t v = 0; v < p.size(); ++v) {
    const Vec3d rest = bar.rest()[v];
    const double x = std::clamp((rest.z + .9) / 1.8, 0., 1.);
    const double w = 1 - (6 * std::pow(x, 5) - 15 * std::pow(x, 4) + 10 * std::pow(x, 3));
    EXPECT_LT(length(p[v] - (1 - w) * transform_point(upper, rest) - w * transform_point(lower, rest)),
              kRounding)
        << v;
  }
}

// A bar whose masses all went somewhere else.
std::vector<Vec3d> displaced(const SpringBar& bar) {
  Random random(21);
  std::vector<Vec3d> p = bar.rest();
  for (Vec3d& x : p) x += random.in_cube(.15);
  return p;
}

// Springs join what is not farther apart than a cell along each axis.
Vec3d force_on(std::size_t v, const std::vector<Vec3d>& rest, const std::vector<Vec3d>& p) {
  Vec3d force(0.0);
  for (std::size_t w = 0; w < p.size(); ++w) {
    const Vec3d apart = rest[w] - rest[v];
    if (w == v || std::max({std::abs(apart.x), std::abs(apart.y), std::abs(apart.z)}) > .6) continue;
    const double now = length(p[w] - p[v]);
    force += (p[w] - p[v]) * ((now - length(apart)) / now);
  }
  return force;
}

TEST(SpringBar, TheLargestForceIsOfAllSpringsAtAFreeMass) {
  const SpringBar bar(kShort);
  const std::vector<Vec3d> p = displaced(bar);
  double largest = 0, of_held = 0;
  for (std::size_t v = 0; v < p.size(); ++v) {
    double& those = std::abs(bar.rest()[v].z) < .9 ? largest : of_held;
    those = std::max(those, length(force_on(v, bar.rest(), p)));
  }
  EXPECT_NEAR(bar.largest_force(p), largest, kRounding);
  EXPECT_GT(std::abs(largest - of_held), 1e-3) << "too easy a test";
  EXPECT_EQ(bar.largest_force(bar.rest()), 0);
}

TEST(SpringBar, HeldMassesStayWhereTheirBonePutsThemAndForcesVanishAtAllOthers) {
  const SpringBar bar(kShort);
  const Mat4x3d upper = turn_about({0, 0, 0}, {0, 1, 0}, .4), lower = turn_about({0, 0, .2}, {1, 0, 0}, -.5);
  const SpringBar::Rest settled = bar.settle(make_pose({upper, lower}));
  double moved = 0;
  for (std::size_t v = 0; v < settled.p.size(); ++v) {
    const Vec3d rest = bar.rest()[v];
    if (std::abs(rest.z) < .9) {
      // 26 springs at most pull at a mass that moved by 1e-7 last.
      EXPECT_LT(length(force_on(v, bar.rest(), settled.p)), 1e-5);
      moved = std::max(moved, length(settled.p[v] - rest));
    } else {
      EXPECT_LT(length(settled.p[v] - transform_point(rest.z > 0 ? upper : lower, rest)), kRounding);
    }
  }
  EXPECT_GT(moved, .1);
  EXPECT_GT(settled.steps, 5);
  EXPECT_LT(settled.steps, 1000);
}

// By the divergence theorem over the outer squares, each in two triangles through the diagonal of the cells' tetrahedra:
// those from corner 0 to corner 6.
TEST(SpringBar, ItsVolumeIsTheOneWithinItsOuterFaces) {
  const SpringBar bar(kShort);
  const auto index = [](int x, int y, int z) { return static_cast<std::size_t>((z * 5 + y) * 5 + x); };
  const std::vector<Vec3d> p = displaced(bar);
  double six = 0;
  const auto square = [&](std::size_t from, std::size_t a, std::size_t to, std::size_t b) {
    six += dot(p[from], cross(p[a], p[to])) + dot(p[from], cross(p[to], p[b]));
  };
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      square(index(i, j, 0), index(i, j + 1, 0), index(i + 1, j + 1, 0), index(i + 1, j, 0));
      square(index(i, j, 6), index(i + 1, j, 6), index(i + 1, j + 1, 6), index(i, j + 1, 6));
    }
  for (int i = 0; i < 4; ++i)
    for (int z = 0; z < 6; ++z) {
      square(index(0, i, z), index(0, i, z + 1), index(0, i + 1, z + 1), index(0, i + 1, z));
      square(index(4, i, z), index(4, i + 1, z), index(4, i + 1, z + 1), index(4, i, z + 1));
      square(index(i, 0, z), index(i + 1, 0, z), index(i + 1, 0, z + 1), index(i, 0, z + 1));
      square(index(i, 4, z), index(i, 4, z + 1), index(i + 1, 4, z + 1), index(i + 1, 4, z));
    }
  EXPECT_NEAR(bar.volume(p), six / 6, 1e-11);
  EXPECT_NEAR(bar.volume(bar.rest()), 2 * 2 * 3, 1e-11);
}

}  // namespace
}  // namespace skinlight::repro
