#include "skinlight/rig/morph.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "skinlight/core/random.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;  // sums of a few products of numbers below 10

std::string element_of_error(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& e) {
    return e.element();
  }
  return "accepted";
}

MorphChannel random_channel(Random& random, Interpolation interpolation) {
  MorphChannel channel{1, 3, interpolation, {.5, 1.25, 3}, {}};
  for (int i = 0; i < (interpolation == Interpolation::cubic_spline ? 27 : 9); ++i)
    channel.values.push_back(random.uniform(-2, 2));
  return channel;
}

std::vector<double> weights_at(const MorphChannel& channel, double time) {
  return morph_weights_at(std::array{.1, .2, .3, .4, .5}, {"smile", 3, {}, {channel}}, time);
}

TEST(MorphWeights, OnlyTheChannelsTargetsAreAnimated) {
  Random random(1);
  const MorphChannel channel = random_channel(random, Interpolation::linear);
  const std::vector<double> w = weights_at(channel, 2);
  const double u = (2 - 1.25) / (3 - 1.25);
  ASSERT_EQ(w.size(), 5u);
  EXPECT_EQ(w[0], .1);
  EXPECT_EQ(w[4], .5);
  for (std::size_t m = 0; m < 3; ++m)
    EXPECT_NEAR(w[1 + m], channel.values[3 + m] * (1 - u) + channel.values[6 + m] * u, kRounding);
}

TEST(MorphWeights, StepsHoldAndTimesOutsideHoldTheEnds) {
  Random random(2);
  for (const Interpolation kind : {Interpolation::step, Interpolation::linear, Interpolation::cubic_spline}) {
    const MorphChannel channel = random_channel(random, kind);
    const std::size_t width = kind == Interpolation::cubic_spline ? 9 : 3,
                      value = kind == Interpolation::cubic_spline ? 3 : 0;
    for (std::size_t m = 0; m < 3; ++m) {
      EXPECT_EQ(weights_at(channel, 0)[1 + m], channel.values[value + m]);
      EXPECT_EQ(weights_at(channel, 9)[1 + m], channel.values[2 * width + value + m]);
      EXPECT_NEAR(weights_at(channel, 1.25)[1 + m], channel.values[width + value + m], kRounding);
      if (kind == Interpolation::step) {
        EXPECT_EQ(weights_at(channel, 2.9)[1 + m], channel.values[width + m]);
      }
    }
  }
}

// The one cubic with the keys' values and the tangents as derivatives per second, by finite differences.
TEST(MorphWeights, SplinesHaveTheTangentsOfTheirKeys) {
  Random random(3);
  const MorphChannel channel = random_channel(random, Interpolation::cubic_spline);
  constexpr double kStep = 1e-6, kDifferences = 1e-4;
  for (std::size_t m = 0; m < 3; ++m) {
    const double leave = channel.values[9 + 6 + m], arrive = channel.values[18 + 0 + m];
    const auto w = [&](double time) { return weights_at(channel, time)[1 + m]; };
    EXPECT_NEAR((w(1.25 + kStep) - w(1.25)) / kStep, leave, kDifferences);
    EXPECT_NEAR((w(3) - w(3 - kStep)) / kStep, arrive, kDifferences);
    // A cubic's fourth differences vanish.
    EXPECT_NEAR(w(1.3) - 4 * w(1.7) + 6 * w(2.1) - 4 * w(2.5) + w(2.9), 0, kRounding);
  }
}

TEST(MorphWeights, UnusableChannelsAreNamed) {
  Random random(4);
  const MorphChannel good = random_channel(random, Interpolation::linear);
  const auto error = [](const MorphChannel& channel) {
    return element_of_error([&] { weights_at(channel, 1); });
  };
  EXPECT_EQ(error(good), "accepted");
  for (const auto& [first, count] : {std::pair{-1, 3}, {3, 3}, {1, 0}, {5, 3}}) {
    MorphChannel bad = good;
    bad.first = first;
    bad.count = count;
    EXPECT_EQ(error(bad), "clip smile morph channel 0");
  }
  MorphChannel bad = good;
  bad.values.pop_back();
  EXPECT_EQ(error(bad), "clip smile morph channel 0");
  bad = good;
  bad.interpolation = Interpolation::cubic_spline;
  EXPECT_EQ(error(bad), "clip smile morph channel 0");
  bad = {1, 3, Interpolation::linear, {}, {}};
  EXPECT_EQ(error(bad), "clip smile morph channel 0");
  EXPECT_EQ(element_of_error([&] { weights_at(good, std::nan("")); }), "clip smile");
}

TEST(ValidateMorphs, NamesWhatIsWrong) {
  RiggedMesh mesh;
  mesh.p0.assign(4, Vec3d(0.0));
  const MorphTarget good{"smile", {1, 3}, {Vec3d(1, 0, 0), Vec3d(0, 1, 0)}, {}, {}};
  const auto error = [&](const std::function<void(MorphTarget&)>& change) {
    MorphTarget morph = good;
    change(morph);
    return element_of_error([&] { validate(mesh, std::array{good, morph}); });
  };
  EXPECT_EQ(error([](MorphTarget&) {}), "accepted");
  const std::string named = "morph target 1 (smile)";
  EXPECT_EQ(error([](MorphTarget& m) { m.vertex[1] = 4; }), named);
  EXPECT_EQ(error([](MorphTarget& m) { m.vertex[0] = -1; }), named);
  EXPECT_EQ(error([](MorphTarget& m) { m.vertex[1] = 1; }), named);
  EXPECT_EQ(error([](MorphTarget& m) { m.dp.pop_back(); }), named);
  EXPECT_EQ(error([](MorphTarget& m) { m.dp[1].y = std::nan(""); }), named);
  EXPECT_EQ(error([](MorphTarget& m) { m.dn.assign(1, Vec3d(0.0)); }), named);
  EXPECT_EQ(error([](MorphTarget& m) { m.dt.assign(2, Vec3d(INFINITY)); }), named);
}

}  // namespace
}  // namespace skinlight
