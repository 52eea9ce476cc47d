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

// The corners of the box from (2, 1, -1) to (6, 3, 5). Its extents are 4, 2 and 6.
std::vector<Vec3d> box_corners() {
  std::vector<Vec3d> corners;
  for (const double x : {2.0, 6.0})
    for (const double y : {1.0, 3.0})
      for (const double z : {-1.0, 5.0}) corners.emplace_back(x, y, z);
  return corners;
}

void expect_near(Vec3d actual, Vec3d expected) {
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(actual[c], expected[c], kRounding) << c;
}

// The tangent of half the field of view is 1/2. The face at the near side, half as wide as 2 and half as high as 1, fills
// the picture from the distance 2 / (its half width) or 1 / (its half height), whatever is more.
TEST(Camera, ABoxIsSeenFromWhereItsNearFaceFillsThePicture) {
  struct Case {
    double aspect, margin, half_width, distance;
  };
  for (const Case& c :
       {Case{1, 0, 0.5, 4}, Case{2, 0, 1, 2}, Case{4, 0, 2, 2}, Case{1, 0.2, 0.5, 5}, Case{4, 0.2, 2, 2.5}}) {
    View view{{0, 0, 3}, {0, 2, 0}, 2 * std::atan(0.5) * 180 / M_PI, c.margin};
    const Camera camera = frame(box_corners(), view, c.aspect);
    EXPECT_TRUE(camera.perspective);
    EXPECT_NEAR(camera.half_height, 0.5, kRounding);
    EXPECT_NEAR(camera.half_width, c.half_width, kRounding);
    expect_near(camera.right, {1, 0, 0});
    expect_near(camera.up, {0, 1, 0});
    expect_near(camera.back, {0, 0, 1});
    expect_near(camera.eye, {4, 2, 5 + c.distance});
    EXPECT_NEAR(camera.near, c.distance - 0.06, kRounding);
    EXPECT_NEAR(camera.far, c.distance + 6 + 0.06, kRounding);
    // From behind it is the other face, with right and left changed.
    view.towards_eye = {0, 0, -0.1};
    const Camera behind = frame(box_corners(), view, c.aspect);
    expect_near(behind.right, {-1, 0, 0});
    expect_near(behind.back, {0, 0, -1});
    expect_near(behind.eye, {4, 2, -1 - c.distance});
    EXPECT_NEAR(behind.near, c.distance - 0.06, kRounding);
    EXPECT_NEAR(behind.far, c.distance + 6 + 0.06, kRounding);
  }
}

// Where the field of view is so wide that the face would be nearer than a twentieth of the size, 6.
TEST(Camera, AWideViewKeepsItsDistance) {
  const View view{{0, 0, 1}, {0, 1, 0}, 2 * std::atan(20) * 180 / M_PI, 0};
  const Camera camera = frame(box_corners(), view, 1);
  EXPECT_NEAR(camera.eye.z, 5 + 0.3, kRounding);
  EXPECT_NEAR(camera.near, 0.3 - 0.06, kRounding);
}

// A wedge whose edge is at the left and near, so that eye and middle differ: (0, 0, 2), and (6, 0, -2) of the far side.
TEST(Camera, TheEyeIsWhereBothSidesTouch) {
  const std::vector<Vec3d> points{Vec3d(0, 0, 2), Vec3d(6, 0, -2)};
  const View view{{0, 0, 1}, {0, 1, 0}, 90, 0};
  const Camera camera = frame(points, view, 1);
  // At 45 degrees: x - 0 = z - 2 and 6 - x = z + 2.
  EXPECT_NEAR(camera.half_height, 1, kRounding);
  expect_near(camera.eye, {1, 0, 3});
  const Camera upright = frame(std::vector<Vec3d>{Vec3d(0, 0, 2), Vec3d(0, 6, -2)}, view, 1);
  expect_near(upright.eye, {0, 1, 3});
}

TEST(Camera, AnOrthographicPictureIsAsLargeAsTheBox) {
  struct Case {
    double aspect, margin, half_height;
  };
  for (const Case& c :
       {Case{1, 0, 2}, Case{4, 0, 1}, Case{0.5, 0, 4}, Case{1, 0.2, 2.5}, Case{4, 0.2, 1.25}}) {
    const Camera camera = frame(box_corners(), View{{0, 0, 3}, {0, 2, 0}, 0, c.margin}, c.aspect);
    EXPECT_FALSE(camera.perspective);
    EXPECT_NEAR(camera.half_height, c.half_height, kRounding);
    EXPECT_NEAR(camera.half_width, c.aspect * c.half_height, kRounding);
    expect_near(camera.eye, {4, 2, 11});
    EXPECT_NEAR(camera.near, 6 - 0.06, kRounding);
    EXPECT_NEAR(camera.far, 12 + 0.06, kRounding);
  }
  // A line towards the eye has neither width nor height.
  const Camera of_line =
      frame(std::vector<Vec3d>{Vec3d(3, 4, 0), Vec3d(3, 4, 8)}, View{{0, 0, 1}, {0, 1, 0}, 0, 0}, 1);
  EXPECT_NEAR(of_line.half_height, 0.004, kRounding);
  expect_near(of_line.eye, {3, 4, 16});
}

// A millionth of its largest coordinate, whatever its sign, or of 1.
TEST(Camera, TheSizeOfASinglePointFollowsItsCoordinates) {
  constexpr double kLost = 1e-9;  // of differences of coordinates of 1e5
  for (const double large : {-1e5, 1e5})
    for (int c = 0; c < 3; ++c) {
      Vec3d p(2, -3, 1);
      p[c] = large;
      const Camera camera = frame(std::vector<Vec3d>{p}, View{{0, 0, 1}, {0, 1, 0}, 0, 0}, 1);
      EXPECT_NEAR(camera.eye.z - p.z, 0.1, kLost);
      EXPECT_NEAR(camera.near, 0.099, kLost);
      EXPECT_NEAR(camera.far, 0.101, kLost);
      EXPECT_NEAR(camera.half_height, 0.5e-4, kLost);
      const Camera perspective = frame(std::vector<Vec3d>{p}, View{{0, 0, 1}, {0, 1, 0}, 90, 0}, 1);
      EXPECT_NEAR(perspective.eye.z - p.z, 0.005, kLost);
    }
  constexpr double kSmallLost = 1e-15;  // of coordinates of 1/4
  const Camera camera =
      frame(std::vector<Vec3d>{Vec3d(0.25, 0.25, 0.25)}, View{{0, 0, 1}, {0, 1, 0}, 0, 0}, 1);
  EXPECT_NEAR(camera.eye.z - 0.25, 1e-6, kSmallLost);
}

// glOrtho() and glFrustum(): the near side of what is seen is at -1, the far one at 1, the borders are at 1.
TEST(Camera, TheProjectionTakesWhatIsSeenToTheCube) {
  for (const double fov : {0.0, 40.0}) {
    const Camera camera = frame(box_corners(), View{{1, 2, -0.5}, {0.3, 1, 0}, fov, 0.1}, 1.7);
    for (const double distance : {camera.near, 0.5 * (camera.near + camera.far), camera.far}) {
      const double reach = camera.perspective ? distance : 1;
      const Vec3d middle = camera.eye - camera.back * distance;
      const Vec3d corner =
          middle + camera.right * (reach * camera.half_width) - camera.up * (reach * camera.half_height);
      EXPECT_NEAR(to_clip(camera, corner).x, 1, kRounding);
      EXPECT_NEAR(to_clip(camera, corner).y, -1, kRounding);
      if (distance == camera.near) {
        EXPECT_NEAR(to_clip(camera, corner).z, -1, kRounding);
      }
      if (distance == camera.far) {
        EXPECT_NEAR(to_clip(camera, corner).z, 1, kRounding);
      }
    }
    // Depth is linear where rays are parallel, and its inverse where they meet.
    const double n = camera.near, f = camera.far, d = 0.5 * (n + f);
    EXPECT_NEAR(to_clip(camera, camera.eye - camera.back * d).z,
                camera.perspective ? (f + n) / (f - n) - 2 * f * n / ((f - n) * d) : 0, kRounding);
  }
}

TEST(Camera, DirectionsBeyondAllNumbersAreAnError) {
  EXPECT_THROW(frame(box_corners(), View{{1e200, 0, 0}, {0, 1e200, 0}, 30, 0}, 1), InputError);
}

}  // namespace
}  // namespace skinlight
