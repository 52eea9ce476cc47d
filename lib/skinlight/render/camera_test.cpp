#include "skinlight/render/camera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/core/random.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-9;

Vec3d to_clip(const Camera& camera, Vec3d p) {
  const Vec3d e = transform_point(view_matrix(camera), p);
  const std::array<double, 16> m = projection_matrix(camera);
  const auto row = [&](std::size_t r) { return m[r] * e.x + m[4 + r] * e.y + m[8 + r] * e.z + m[12 + r]; };
  return Vec3d(row(0), row(1), row(2)) / row(3);
}

std::vector<Vec3d> random_points(Random& random) {
  const Vec3d centre = random.in_cube(50),
              size{random.uniform(0.1, 20), random.uniform(0.1, 20), random.uniform(0.1, 20)};
  std::vector<Vec3d> points;
  for (int i = 0; i < 60; ++i) {
    const Vec3d u = random.in_cube(1);
    points.push_back(centre + Vec3d(u.x * size.x, u.y * size.y, u.z * size.z));
  }
  return points;
}

TEST(Camera, AllPointsFitAndTouchTheMargin) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    View view;
    view.towards_eye = random.direction();
    view.up = random.direction();
    view.fov_degrees = trial % 3 == 0 ? 0 : random.uniform(5, 90);
    view.margin = random.uniform(0, 0.3);
    const std::vector<Vec3d> points = random_points(random);
    const Camera camera = frame(points, view, random.uniform(0.3, 3));
    double left = 0, right = 0, low = 0, high = 0;
    for (const Vec3d& p : points) {
      const Vec3d clip = to_clip(camera, p);
      EXPECT_LT(std::abs(clip.z), 1);
      left = std::max(left, -clip.x), right = std::max(right, clip.x);
      low = std::max(low, -clip.y), high = std::max(high, clip.y);
    }
    const double limit = 1 - view.margin;
    EXPECT_LE(std::max({left, right, low, high}), limit + kRounding);
    // As large as it can be: it touches both sides of one direction. In a wide field of view the near limit
    // may stop it.
    const double touched = std::max(std::min(left, right), std::min(low, high));
    if (view.fov_degrees < 60) {
      EXPECT_NEAR(touched, limit, kRounding) << trial;
    }
  }
}

TEST(Camera, AxesAreThoseOfTheView) {
  const std::vector<Vec3d> points{Vec3d(-1, -1, -1), Vec3d(1, 1, 1)};
  View view;
  view.towards_eye = Vec3d(0, -3, 0);
  view.up = Vec3d(0, 1, 2);
  for (const double fov : {0.0, 30.0}) {
    view.fov_degrees = fov;
    const Camera camera = frame(points, view, 1);
    EXPECT_GT(to_clip(camera, Vec3d(0, 0, 1)).y, 0.1);                                 // up
    EXPECT_GT(to_clip(camera, Vec3d(1, 0, 0)).x, 0.1);                                 // right, seen from -y
    EXPECT_GT(to_clip(camera, Vec3d(0, 1, 0)).z, to_clip(camera, Vec3d(0, -1, 0)).z);  // further away
  }
}

TEST(Camera, TheNearPointsAreLargerInPerspectiveOnly) {
  const std::vector<Vec3d> points{Vec3d(-1, -1, -1), Vec3d(1, 1, 1)};
  View view{{0, 0, 1}, {0, 1, 0}, 60, 0};
  const Camera perspective = frame(points, view, 1);
  EXPECT_GT(to_clip(perspective, Vec3d(1, 0, 1)).x, to_clip(perspective, Vec3d(1, 0, -1)).x + 0.1);
  view.fov_degrees = 0;
  const Camera orthographic = frame(points, view, 1);
  EXPECT_NEAR(to_clip(orthographic, Vec3d(1, 0, 1)).x, to_clip(orthographic, Vec3d(1, 0, -1)).x, kRounding);
}

TEST(Camera, FloatsFrameLikeDoubles) {
  const std::vector<Vec3d> exact{Vec3d(0, 0, 0), Vec3d(1, 2, 4), Vec3d(-1, 0.5, 3)};
  const std::vector<Vec3f> rounded(exact.begin(), exact.end());
  EXPECT_EQ(frame(exact, {}, 1.5).eye, frame(rounded, {}, 1.5).eye);
}

TEST(Camera, APointOrAFlatMeshIsSeenToo) {
  for (const Vec3d p : {Vec3d(0, 0, 0), Vec3d(1e5, -3, 2)}) {
    for (const double fov : {0.0, 30.0}) {
      View view;
      view.fov_degrees = fov;
      const Vec3d clip = to_clip(frame(std::vector<Vec3d>{p, p}, view, 1), p);
      EXPECT_TRUE(is_finite(clip));
      EXPECT_LT(std::max({std::abs(clip.x), std::abs(clip.y), std::abs(clip.z)}), 1.0);
    }
  }
}

TEST(Camera, WhatCannotBeSeenIsAnError) {
  const std::vector<Vec3d> points{Vec3d(0, 0, 0), Vec3d(1, 1, 1)};
  EXPECT_THROW(frame(std::vector<Vec3d>{}, {}, 1), InputError);
  EXPECT_THROW(frame(points, View{{0, 1, 0}, {0, 2, 0}, 30, 0}, 1), InputError);
  EXPECT_THROW(frame(points, View{{0, 0, 0}, {0, 2, 0}, 30, 0}, 1), InputError);
  const std::vector<Vec3d> broken{Vec3d(0, 0, 0), Vec3d(0, std::numeric_limits<double>::quiet_NaN(), 0)};
  try {
    frame(broken, {}, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "vertex 1: position is not finite");
  }
}

}  // namespace
}  // namespace skinlight
