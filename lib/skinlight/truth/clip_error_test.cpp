#include "skinlight/truth/clip_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/error.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/rig/procedural.h"
#include "skinlight/truth/truth.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-10;  // degrees, means over thousands of angles
constexpr NormalMode kModes[] = {NormalMode::standard, NormalMode::deform};
constexpr std::size_t kStandard = 0, kDeform = 1;  // in kModes

// A tube whose lower bone bends by up to 1.2 radians about x: most at half time, back to rest at the end.
struct Bending {
  RiggedMesh mesh = cylinder({}, {.segments = 24, .jitter = .2, .random_diagonals = true}).mesh;
  Surface surface{mesh.faces, weld(mesh)};
  DeformFactors factors = deform_factors(mesh, surface);
  Skeleton skeleton;
  Clip clip;

  Bending() {
    skeleton.nodes.resize(2);
    skeleton.bone_node = {0, 1};
    skeleton.inverse_bind.assign(2, identity_transform<double>());
    const double s = std::sin(.6), c = std::cos(.6);
    clip = {"bend",
            2,
            {{1, Path::rotation, Interpolation::linear, {0, 1, 2}, {0, 0, 0, 1, s, 0, 0, c, 0, 0, 0, 1}}}};
  }
  // kModes in their order.
  ClipError measure(int frames, GuardOptions guard = {}) const {
    std::vector<SkinOptions> ways;
    for (const NormalMode mode : kModes) ways.push_back({.mode = mode, .guard = guard});
    return clip_error(mesh, surface, factors, skeleton, clip, frames, ways);
  }
};

TEST(ClipErrors, PoolTheFramesAlikeAndTheVerticesByDeformedArea) {
  const Bending b;
  constexpr int kFrames = 5;
  const ClipError measured = b.measure(kFrames);
  ASSERT_EQ(measured.times.size(), 5u);
  for (const std::size_t way : {kStandard, kDeform})
    for (const Truth truth : {Truth::transported, Truth::recomputed}) {
      double mean = 0, square = 0, largest = 0, worst_mean = 0;
      int worst_frame = 0, flips = 0;
      for (int frame = 0; frame < kFrames; ++frame) {
        EXPECT_NEAR(measured.times[static_cast<std::size_t>(frame)], frame * .5, kRounding);
        const Pose pose = pose_at(b.skeleton, b.clip, frame * .5);
        const auto posed = skin<double>(b.mesh, b.factors, pose, {.mode = kModes[way]});
        const std::vector<Vec3d> expected =
            truth == Truth::transported
                ? transported_normals(b.mesh, b.surface, posed.p, blended_linear(b.mesh, pose), 1)
                : recomputed_normals(b.surface, posed.p, 1);
        const NormalError e =
            angular_error(posed.n, expected, vertex_areas(b.surface, posed.p), "deformed area");
        mean += e.mean / kFrames;
        square += e.rms * e.rms / kFrames;
        largest = std::max(largest, e.max);
        flips += e.flips;
        if (e.mean > worst_mean) {
          worst_mean = e.mean;
          worst_frame = frame;
        }
      }
      const ClipModeError& actual = measured.of(way, truth);
      EXPECT_EQ(actual.options.mode, kModes[way]);
      EXPECT_NEAR(actual.error.mean, mean, kRounding);
      EXPECT_NEAR(actual.error.rms, std::sqrt(square), kRounding);
      EXPECT_NEAR(actual.error.max, largest, kRounding);
      EXPECT_EQ(actual.error.flips, flips);
      EXPECT_EQ(actual.worst_frame, worst_frame);
      EXPECT_EQ(worst_frame, 2);  // half time
      EXPECT_NEAR(actual.worst_mean, worst_mean, kRounding);
      EXPECT_GE(actual.error.worst_vertex, 0);
      EXPECT_LT(actual.error.worst_vertex, b.mesh.vertex_count());
    }
}

TEST(ClipErrors, DeformFactorsBeatTheStandardNormals) {
  const ClipError e = Bending().measure(5);
  const auto mean = [&](std::size_t way, Truth truth) { return e.of(way, truth).error.mean; };
  EXPECT_LT(mean(kDeform, Truth::transported), .5 * mean(kStandard, Truth::transported));
  // On a mesh as coarse as this the recomputed normals are off by two degrees themselves.
  EXPECT_LT(mean(kDeform, Truth::recomputed), .8 * mean(kStandard, Truth::recomputed));
}

TEST(ClipErrors, TheGuardReachesTheSkinning) {
  const Bending b;
  const auto mean = [&](GuardOptions guard) {
    return b.measure(3, guard).of(kDeform, Truth::transported).error.mean;
  };
  EXPECT_GT(mean({Guard::clamp, .05}), mean({}));
}

TEST(ClipErrors, OneFrameIsTheFirst) {
  const ClipError e = Bending().measure(1);
  EXPECT_EQ(e.times, std::vector<double>{0});
  EXPECT_LT(e.of(kDeform, Truth::transported).error.max, 1e-5);  // at rest
}

TEST(ClipErrors, UnusableQuestionsAreErrors) {
  const Bending b;
  EXPECT_THROW(b.measure(0), InputError);
  EXPECT_THROW(b.measure(-1), InputError);
}

// Bones that collapse leave nothing to weigh by: named, not divided by zero.
TEST(ClipErrors, FrameWithoutAreaIsNamed) {
  Bending b;
  b.clip.channels = {{0, Path::scale, Interpolation::linear, {0, 1}, {1, 1, 1, 0, 0, 0}},
                     {1, Path::scale, Interpolation::linear, {0, 1}, {1, 1, 1, 0, 0, 0}}};
  b.clip.duration = 1;
  try {
    b.measure(2);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), "frame 1");
  }
}

TEST(PosedTruths, HoldThePositionsTheTruthsAndTheAreas) {
  const Bending b;
  const Pose pose = pose_at(b.skeleton, b.clip, 1);
  const PosedTruth truth = posed_truth(b.mesh, b.surface, b.factors, pose);
  const auto posed = skin<double>(b.mesh, b.factors, pose);
  for (std::size_t v = 0; v < truth.p.size(); ++v) EXPECT_LT(length(truth.p[v] - posed.p[v]), 1e-12);
  EXPECT_EQ(truth.areas, vertex_areas(b.surface, truth.p));
  EXPECT_EQ(truth.normals(Truth::recomputed).data(), truth.recomputed.data());
  EXPECT_EQ(truth.normals(Truth::transported).data(), truth.transported.data());
  EXPECT_EQ(name(Truth::analytic), "analytic");
  EXPECT_EQ(name(Truth::transported), "transported");
  EXPECT_EQ(name(Truth::recomputed), "recomputed");
}

}  // namespace
}  // namespace skinlight
