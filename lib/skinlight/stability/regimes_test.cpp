#include "skinlight/stability/regimes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

#include "skinlight/core/error.h"
#include "skinlight/stability/detail/angle_functions.h"

namespace skinlight::stability {
namespace {

// FNV-1a over the bits of every float.
std::uint64_t digest(const Regime& regime, int cases, CaseParts parts) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < cases; ++i) {
    const VertexCase c = draw(regime, i);
    for_each_float(c, parts,
                   [&](float x) { hash = (hash ^ std::bit_cast<std::uint32_t>(x)) * 0x100000001b3u; });
  }
  return hash;
}

TEST(Regimes, DrawTheSameFloatsOnEveryCompilerAndMachine) {
  std::uint64_t all = 0, without_frames = 0;
  for (const Regime& regime : regimes()) {
    all = all * 31 + digest(regime, 20, {});
    without_frames = without_frames * 31 + digest(regime, 20, {.frames = false});
  }
  EXPECT_EQ(without_frames, 0x876e76fd25d4b01fu);  // frames are drawn after all else
  EXPECT_EQ(all, 0x5c56dddfb8f50e90u);
}

TEST(Regimes, NamesAndSeedsAreDistinct) {
  std::set<std::string_view> names;
  std::set<std::uint64_t> seeds;
  for (const Regime& regime : regimes()) {
    EXPECT_TRUE(names.insert(regime.name).second) << regime.name;
    EXPECT_TRUE(seeds.insert(regime.seed).second) << regime.name;
  }
}

// Without rounding: in double, which holds multiples of one power of two.
TEST(Regimes, WeightsSumToOneAndFactorsToZeroExactly_Eq12) {
  for (const Regime& regime : regimes())
    for (int i = 0; i < 100; ++i) {
      const VertexCase c = draw(regime, i);
      double weight = 0, smooth = 0, alpha = 0, beta = 0;
      Vec3d gradient(0.0);
      for (int s = 0; s < c.slots; ++s) {
        weight += c.weight[s];
        smooth += c.smooth_weight[s];
        alpha += c.alpha[s];
        beta += c.beta[s];
        gradient += Vec3d(c.gradient[s]);
        EXPECT_LE(c.weight[s], c.weight[0]) << regime.name;
      }
      EXPECT_EQ(weight, 1) << regime.name;
      EXPECT_EQ(gradient, Vec3d(0.0)) << regime.name;
      if (regime.half) continue;  // slot 0 is rounded there
      EXPECT_EQ(smooth, 1) << regime.name;
      EXPECT_EQ(alpha, 0) << regime.name;
      EXPECT_EQ(beta, 0) << regime.name;
      for (const auto& offset : c.frame_offset) {
        double change = 0;
        for (int s = 0; s < c.slots; ++s) change += offset[s];
        EXPECT_EQ(change, 0) << regime.name;
      }
    }
}

// Matrices, dual quaternions and twists of a bone are one motion, and the rest frame is one.
TEST(Regimes, MotionsAgreeAndFramesAreOrthogonal) {
  for (const Regime& regime : regimes())
    for (int i = 0; i < 50; ++i) {
      const VertexCase c = draw(regime, i);
      EXPECT_NEAR(length(Vec3d(c.n)), 1, 1e-6) << regime.name;
      EXPECT_NEAR(dot(Vec3d(c.n), Vec3d(c.t)), 0, 1e-6) << regime.name;
      EXPECT_NEAR(dot(Vec3d(c.n), Vec3d(c.b)), 0, 1e-6) << regime.name;
      EXPECT_GT(dot(cross(Vec3d(c.t), Vec3d(c.b)), Vec3d(c.n)) * c.handedness, 0) << regime.name;
      for (int s = 0; s < c.slots; ++s) {
        const Vec3d v(c.motion[s].r[0], c.motion[s].r[1], c.motion[s].r[2]);
        const Vec3d d(c.motion[s].d[0], c.motion[s].d[1], c.motion[s].d[2]);
        const double r0 = c.motion[s].r[3], d0 = c.motion[s].d[3];
        EXPECT_NEAR(dot(v, v) + r0 * r0, 1, 1e-6) << regime.name;
        const Vec3d turn(c.turn[s]), shift(c.shift[s]), p = Vec3d(c.p) * static_cast<double>(c.scale);
        const double angle = length(turn), half = angle / 2;
        // The rotation of the twist is that of the quaternion, of either sign.
        const Vec3d axis = angle > 0 ? turn / angle : turn;
        const double side = std::cos(half) * r0 + std::sin(half) * dot(axis, v) < 0 ? -1 : 1;
        EXPECT_LT(length(axis * std::sin(half) - v * side), 1e-6) << regime.name;
        // Both move the vertex to the same place as the matrix does.
        const Vec3d moved = transform_point(Mat4x3d(c.bone[s]), Vec3d(c.p));
        const double size = 1 + length(moved);
        const Vec3d by_quaternion =
            p + cross(v, cross(v, p) + p * r0) * 2.0 + (d * r0 - v * d0 - cross(d, v)) * 2.0;
        EXPECT_LT(length(by_quaternion - moved) / size, 1e-5) << regime.name;
        const double a2 = angle * angle, b = angle > 1e-3 ? (1 - std::cos(angle)) / a2 : .5;
        const double k = angle > 1e-3 ? (angle - std::sin(angle)) / (a2 * angle) : 1.0 / 6;
        const auto turned = [&](Vec3d x) {
          return x + cross(turn, x) * (1 - a2 * k) + cross(turn, cross(turn, x)) * b;
        };
        const Vec3d u = cross(turn, shift), by_twist = turned(p) + shift + u * b + cross(turn, u) * k;
        EXPECT_LT(length(by_twist - moved) / size, 1e-5) << regime.name;
      }
    }
}

TEST(Regimes, AnUnknownNameIsAnsweredWithTheNearest) {
  try {
    regime_from_name("far1e4");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "regime 'far1e4': unknown; did you mean 'far-1e4'?");
  }
}

TEST(AngleFunctions, AreSineAndCosine) {
  for (double x = -3.2; x <= 3.2; x += .01) {
    EXPECT_NEAR(sine(x), std::sin(x), 1e-13);
    EXPECT_NEAR(cosine(x), std::cos(x), 1e-13);
  }
}

}  // namespace
}  // namespace skinlight::stability
