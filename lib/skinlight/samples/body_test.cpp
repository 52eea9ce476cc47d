#include "skinlight/samples/body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skinlight/core/random.h"

namespace skinlight {
namespace {

// Weight of a bone anywhere in space, written again: softmax of log-Gaussians.
double weight_at(Vec3d p, int bone) {
  const Vec3d place[4] = {{.5, 0, -2.25}, {-.5, .5, -.75}, {.5, -.5, .75}, {-.5, 0, 2.25}};
  double sum = 0;
  for (const Vec3d& other : place) {
    const Vec3d a = p - place[bone], b = p - other;
    sum += std::exp((dot(a, a) - dot(b, b)) / (2 * 2.3 * 2.3));
  }
  return 1 / sum;
}

constexpr double kRounding = 1e-14;

TEST(Body, WeightsFollowTheirFormulaAndSumToOne) {
  const RiggedMesh mesh = body({.segments = 24}).mesh;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto w = mesh.weights_of(v);
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, kRounding);
    EXPECT_TRUE(std::is_sorted(w.rbegin(), w.rend()));
    for (std::size_t s = 0; s < 4; ++s)
      EXPECT_NEAR(w[s], weight_at(mesh.p0[static_cast<std::size_t>(v)], mesh.bones_of(v)[s]), kRounding);
  }
}

TEST(Body, GradientIsTheDerivativeOfTheWeights) {
  constexpr double kStep = 1e-5, kDifferences = 1e-9;  // second-order differences of curvature near 1
  const ProceduralRig rig = body({.segments = 24});
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    const int v = random.below(rig.mesh.vertex_count());
    const Vec3d p = rig.mesh.p0[static_cast<std::size_t>(v)], along = random.direction();
    for (std::size_t s = 0; s < 4; ++s) {
      const int bone = rig.mesh.bones_of(v)[s];
      const double slope =
          (weight_at(p + along * kStep, bone) - weight_at(p - along * kStep, bone)) / (2 * kStep);
      EXPECT_NEAR(dot(rig.gradient[4 * static_cast<std::size_t>(v) + s], along), slope, kDifferences);
    }
  }
}

// Numerics, section 7: the rig of the cancellation study.
TEST(Body, LargestDeformFactorIsThatOfTheStudy) {
  const ProceduralRig rig = body({.segments = 64});
  double largest = 0;
  for (std::size_t i = 0; i < rig.gradient.size(); ++i)
    for (const Vec3d& along : {rig.mesh.t0[i / 4], rig.mesh.b0[i / 4]})
      largest = std::max(largest, std::abs(dot(rig.gradient[i], along)));
  EXPECT_NEAR(largest, .112, .001);
}

TEST(Body, BonesKeepTheirPlacesBeforeTheyMoveTogether) {
  const Vec3d place[4] = {{.5, 0, -2.25}, {-.5, .5, -.75}, {.5, -.5, .75}, {-.5, 0, 2.25}};
  const Pose pose = body_pose({100, -50, 7});
  ASSERT_EQ(pose.M.size(), 4u);
  EXPECT_NEAR(pose.scale, 1, kRounding);
  for (std::size_t s = 0; s < 4; ++s) {
    EXPECT_LT(length(transform_point(pose.M[s], place[s]) - (place[s] + Vec3d(100, -50, 7))), 1e-13);
    EXPECT_NEAR(determinant(Mat3d(pose.M[s])), 1, kRounding);
    EXPECT_GT(length(pose.M[s][0] - Vec3d(1, 0, 0)) + length(pose.M[s][1] - Vec3d(0, 1, 0)), .2);
  }
}

}  // namespace
}  // namespace skinlight
