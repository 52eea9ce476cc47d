#include "skinlight/samples/tail.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-13;

constexpr TailShape kShapes[] = {{}, {.base_radius = .5, .tip_radius = .8, .length = 4, .bones = 3}};
const Tessellation kFine{.segments = 40, .jitter = .2, .random_diagonals = true};

// The largest of all spheres between the two at the ends that reach p: the hull is where that is 0.
double signed_distance(const TailShape& shape, Vec3d p, Vec3d& centre) {
  double nearest = INFINITY;
  constexpr int kSteps = 200000;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = static_cast<double>(i) / kSteps;
    const Vec3d c(0, 0, shape.length * x);
    const double d = length(p - c) - (shape.base_radius + (shape.tip_radius - shape.base_radius) * x);
    if (d < nearest) {
      nearest = d;
      centre = c;
    }
  }
  return nearest;
}

TEST(Tail, IsTheHullOfItsSpheresWithExactNormals) {
  for (const TailShape& shape : kShapes) {
    const RiggedMesh mesh = tail(shape, kFine).mesh;
    for (int v = 0; v < mesh.vertex_count(); v += 97) {
      Vec3d centre(0.0);
      EXPECT_NEAR(signed_distance(shape, mesh.p0[at(v)], centre), 0, 1e-9);
      EXPECT_LT(length(normalize(mesh.p0[at(v)] - centre) - mesh.n0[at(v)]), 1e-4);  // the steps' length
    }
  }
}

TEST(Tail, WeldsToAClosedOutwardSurface) {
  for (const TailShape& shape : kShapes) {
    const RiggedMesh mesh = tail(shape, {.segments = 48}).mesh;
    const Surface surface(mesh.faces, weld(mesh));
    EXPECT_EQ(surface.non_manifold_faces(), 0);
    for (int v = 0; v < surface.vertex_count(); ++v) EXPECT_FALSE(surface.on_boundary(v));
    double volume = 0;
    for (const Face& f : mesh.faces)
      volume += dot(mesh.p0[at(f[0])], cross(mesh.p0[at(f[1])], mesh.p0[at(f[2])])) / 6;
    // A frustum between the circles where the cone touches the spheres, and a cap of each sphere.
    const double a = shape.base_radius, b = shape.tip_radius, l = shape.length, sine = (a - b) / l,
                 cosine = std::sqrt(1 - sine * sine);
    const auto cap = [](double r, double height) { return M_PI * height * height * (r - height / 3); };
    const double frustum = M_PI * (l + (b - a) * sine) / 3 * cosine * cosine * (a * a + a * b + b * b);
    EXPECT_NEAR(volume, frustum + cap(a, a * (1 + sine)) + cap(b, b * (1 - sine)), .02 * volume);
  }
}

TEST(Tail, WeightsPassFromBoneToBoneWithExactGradients) {
  constexpr double kStep = 1e-6, kDifference = 1e-8;
  for (const TailShape& shape : kShapes) {
    const ProceduralRig rig = tail(shape, {.segments = 24});
    const double bone_length = shape.length / shape.bones;
    // Of everything above joint s.
    const auto above = [&](int s, double z) {
      const double x = std::fmin(std::fmax((z - bone_length * s) / bone_length + .5, 0), 1);
      return s <= 0 ? 1 : s >= shape.bones ? 0 : 3 * x * x - 2 * x * x * x;
    };
    std::set<int> bones;
    for (int v = 0; v < rig.mesh.vertex_count(); ++v)
      for (int k = 0; k < 2; ++k) {
        const double w = rig.mesh.weights_of(v)[at(k)], z = rig.mesh.p0[at(v)].z;
        const int s = rig.mesh.bones_of(v)[at(k)];
        if (w == 0) continue;
        bones.insert(s);
        const auto weight = [&](double height) { return above(s, height) - above(s + 1, height); };
        EXPECT_NEAR(w, weight(z), kRounding);
        EXPECT_NEAR(rig.gradient[at(2 * v + k)].z, (weight(z + kStep) - weight(z - kStep)) / (2 * kStep),
                    1e-5);
        EXPECT_LT(std::hypot(rig.gradient[at(2 * v + k)].x, rig.gradient[at(2 * v + k)].y), kDifference);
      }
    EXPECT_EQ(static_cast<int>(bones.size()), shape.bones);
  }
}

TEST(Tail, PoseBendsEveryJoint) {
  const TailShape shape{.length = 6, .bones = 3};
  const Pose pose = tail_pose(shape, 90);
  // Up, then towards -y, then down.
  EXPECT_LT(length(transform_point(pose.M[0], Vec3d(0, 0, 2)) - Vec3d(0, 0, 2)), kRounding);
  EXPECT_LT(length(transform_point(pose.M[1], Vec3d(0, 0, 4)) - Vec3d(0, -2, 2)), kRounding);
  EXPECT_LT(length(transform_point(pose.M[2], Vec3d(.5, 0, 6)) - Vec3d(.5, -2, 0)), kRounding);
}

TEST(Tail, ShapesOutOfBoundsAreErrors) {
  EXPECT_THROW(tail({.base_radius = 0}, {}), InputError);
  EXPECT_THROW(tail({.tip_radius = -1}, {}), InputError);
  EXPECT_THROW(tail({.base_radius = 2, .tip_radius = 1, .length = 1}, {}), InputError);
  EXPECT_THROW(tail({.length = NAN}, {}), InputError);
  EXPECT_THROW(tail({.bones = 1}, {}), InputError);
  EXPECT_THROW(tail({}, {.segments = 3}), InputError);
}

}  // namespace
}  // namespace skinlight
