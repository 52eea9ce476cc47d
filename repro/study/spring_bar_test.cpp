// The bar of springs: it stays as it is where nothing moves it, and comes to rest where forces vanish.
#include "repro/study/spring_bar.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace skinlight::repro
