#include "skinlight/samples/cuboid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-13;  // coordinates up to 10

double weight_of(const RiggedMesh& mesh, int v, int bone) {
  double sum = 0;
  for (int k = 0; k < mesh.slots; ++k)
    if (mesh.bones_of(v)[at(k)] == bone) sum += mesh.weights_of(v)[at(k)];
  return sum;
}

// 1 below the joint's blend, 0 above, for the share of everything above it.
double above(double z, double joint, double half) {
  const double x = std::fmin(std::fmax((z - joint + half) / (2 * half), 0), 1);
  return 3 * x * x - 2 * x * x * x;
}

TEST(Cuboid, HasTheCountsOfTable2) {
  const RiggedMesh mesh = cuboid().mesh;
  EXPECT_EQ(mesh.vertex_count(), 16800);
  EXPECT_EQ(mesh.faces.size(), 8400u);
  EXPECT_EQ(mesh.bone_count, 5);
  const RiggedMesh shared = cuboid({.shared = true}).mesh;
  EXPECT_EQ(shared.vertex_count(), 4 * 11 * 101 + 2 * 11 * 11);
  EXPECT_EQ(shared.faces.size(), 8400u);
  // Welded both are the same surface: hard edges stay open.
  EXPECT_EQ(Surface(mesh.faces, weld(mesh)).vertex_count(), shared.vertex_count());
}

TEST(Cuboid, IsClosedAndOutward) {
  for (const CuboidShape& shape : {CuboidShape{}, CuboidShape{.across = 3, .along = 7, .shared = true}}) {
    const RiggedMesh mesh = cuboid(shape).mesh;
    double volume = 0, area = 0;
    for (const Face& f : mesh.faces) {
      const Vec3d a = mesh.p0[at(f[0])], b = mesh.p0[at(f[1])], c = mesh.p0[at(f[2])];
      volume += dot(a, cross(b, c)) / 6;
      area += length(cross(b - a, c - a)) / 2;
      for (const int v : f) EXPECT_GT(dot(cross(b - a, c - a), mesh.n0[at(v)]), 0);
    }
    EXPECT_NEAR(volume, 10, 1e-9);
    EXPECT_NEAR(area, 42, 1e-9);
    validate(mesh);
  }
}

TEST(Cuboid, WeightsFollowTheirFormula) {
  for (const double half : {1.0, .6}) {
    const RiggedMesh mesh = cuboid({.across = 2, .half_blend = half}).mesh;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      const double z = mesh.p0[at(v)].z;
      for (int bone = 0; bone < 5; ++bone) {
        const double lower = bone == 0 ? 1 : above(z, 2 * bone, half);
        const double upper = bone == 4 ? 0 : above(z, 2 * bone + 2, half);
        EXPECT_NEAR(weight_of(mesh, v, bone), lower - upper, kRounding) << "z " << z << ", bone " << bone;
      }
    }
  }
}

TEST(Cuboid, GradientIsTheDerivativeOfTheWeights) {
  constexpr double kStep = 1e-5;
  constexpr double kDifference = 1e-8;  // third derivatives times step squared, rounding over the step
  const ProceduralRig rig = cuboid({.across = 1});
  int changing = 0;
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    const double z = rig.mesh.p0[at(v)].z;
    if (std::abs(std::remainder(z - 1, 2)) < 2 * kStep) continue;  // smoothstep bends there
    for (int k = 0; k < 2; ++k) {
      if (rig.mesh.weights_of(v)[at(k)] == 0) continue;
      const int bone = rig.mesh.bones_of(v)[at(k)];
      const auto weight = [&](double height) {
        return (bone == 0 ? 1 : above(height, 2 * bone, 1)) -
               (bone == 4 ? 0 : above(height, 2 * bone + 2, 1));
      };
      const double slope = (weight(z + kStep) - weight(z - kStep)) / (2 * kStep);
      EXPECT_LT(length(rig.gradient[at(2 * v + k)] - Vec3d(0, 0, slope)), kDifference);
      changing += slope != 0;
    }
  }
  EXPECT_GT(changing, 500);
}

TEST(Cuboid, PoseTwistsAtTheFirstJointAndBendsAtTheSecond) {
  const Pose pose = cuboid_pose(90, 60);
  const Vec3d p(.3, -.2, 3);
  EXPECT_LT(length(transform_point(pose.M[0], p) - p), kRounding);
  EXPECT_LT(length(transform_point(pose.M[1], p) - Vec3d(.2, .3, 3)), kRounding);
  // A point above the second joint: bent in the plane x = const first, then twisted.
  const Vec3d q(.1, 0, 6);
  const Vec3d bent(.1, -2 * std::sin(M_PI / 3), 4 + 2 * std::cos(M_PI / 3));
  for (int s = 2; s < 5; ++s)
    EXPECT_LT(length(transform_point(pose.M[at(s)], q) - Vec3d(-bent.y, bent.x, bent.z)), kRounding);
  // Joints stay together.
  const Vec3d first(0, 0, kCuboidTwistJoint), second(0, 0, kCuboidBendJoint);
  EXPECT_LT(length(transform_point(pose.M[0], first) - transform_point(pose.M[1], first)), kRounding);
  EXPECT_LT(length(transform_point(pose.M[1], second) - transform_point(pose.M[2], second)), kRounding);
}

TEST(Cuboid, ShapesOutOfBoundsAreNamed) {
  EXPECT_THROW(cuboid({.across = 0}), InputError);
  EXPECT_THROW(cuboid({.along = -1}), InputError);
  EXPECT_THROW(cuboid({.half_blend = 0}), InputError);
  EXPECT_THROW(cuboid({.half_blend = 1.1}), InputError);
  EXPECT_THROW(cuboid({.half_blend = NAN}), InputError);
}

}  // namespace
}  // namespace skinlight
