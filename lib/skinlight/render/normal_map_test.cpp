#include "skinlight/render/normal_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/core/random.h"
#include "skinlight/render/context.h"
#include "skinlight/render/offscreen.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

constexpr double kBufferTolerance =
    1e-4;                            // RGBA32F on llvmpipe; its texture filter has 8 bits between texels
constexpr double kByte = 1.0 / 255;  // half a step of a component: 2 / 255 / 2

// A square of half side 1 in any plane: corners at centre +- right +- up, seen as u to the right and v
// upwards.
struct Patch {
  std::vector<Face> faces = {{0, 1, 2}, {2, 1, 3}};
  std::vector<Vec3f> p, n, t, b;
  std::vector<Vec2d> uv;

  Patch(Vec3d normal, Vec3d tangent, Vec3d bitangent, bool mirrored) {
    for (const double y : {-1.0, 1.0})
      for (const double x : {-1.0, 1.0}) {
        p.emplace_back(Vec3d(x, y, 0));
        uv.emplace_back((mirrored ? -x : x) * 0.5 + 0.5, y * 0.5 + 0.5);
      }
    n.assign(4, Vec3f(normal));
    t.assign(4, Vec3f(tangent));
    b.assign(4, Vec3f(bitangent));
  }
  PosedMesh view(const Image8& map) const { return {faces, p, n, {t, b, uv, &map}}; }
};

// The vector that a texel stands for, b0 along rising v; its length is 1 but for rounding.
Vec3d normal_of_texel(const Image8& map, int x, int y) {
  const std::uint8_t* texel = map.at(x, y);
  return Vec3d(texel[0], 255 - texel[1], texel[2]) * (2.0 / 255) - Vec3d(1.0);
}

Image8 plain(Vec3d normal) {
  return make_normal_map(2, 2, [normal](Vec2d) { return normal; });
}

class NormalMap : public testing::Test {
 protected:
  // The normal in the middle of quadrant (right, up) of the picture of a patch.
  Vec3d seen(const PosedMesh& mesh, bool right = false, bool up = false) {
    constexpr int kSide = 64;
    const std::vector<Vec3d> corners{Vec3d(-1, -1, -1), Vec3d(1, 1, 1)};
    const ImageF image =
        renderer_.normals(mesh, frame(corners, View{{0, 0, 1}, {0, 1, 0}, 0, 0}, 1), kSide, kSide);
    const float* pixel = image.at(right ? 48 : 16, up ? 16 : 48);
    EXPECT_EQ(pixel[3], 1);
    return {pixel[0], pixel[1], pixel[2]};
  }

  std::unique_ptr<Context> context_ = create_context(Renderer::llvmpipe);
  OffscreenRenderer renderer_{*context_};
};

TEST(NormalMapTexels, HoldTheNormalToHalfAByte) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const Vec3d n = random.direction();
    const Vec3d stored = normal_of_texel(plain(n), 1, 1);
    for (int c = 0; c < 3; ++c) EXPECT_LE(std::abs(stored[c] - n[c]), kByte + 1e-12);
  }
}

TEST(NormalMapTexels, VRunsDownTheRows) {
  const Image8 map = make_normal_map(4, 2, [](Vec2d uv) { return normalize(Vec3d(uv.x, uv.y, 1)); });
  EXPECT_GT(normal_of_texel(map, 3, 0).x, normal_of_texel(map, 0, 0).x);
  EXPECT_GT(normal_of_texel(map, 0, 1).y, normal_of_texel(map, 0, 0).y);
}

TEST(NormalMapTexels, AreAskedForAtTheirMiddles) {
  std::vector<Vec2d> asked;
  const Image8 map = make_normal_map(4, 2, [&](Vec2d uv) {
    asked.push_back(uv);
    return Vec3d(0, 0, 1);
  });
  EXPECT_EQ(map.width, 4);
  EXPECT_EQ(map.height, 2);
  const std::vector<Vec2d> middles = {{0.125, 0.25}, {0.375, 0.25}, {0.625, 0.25}, {0.875, 0.25},
                                      {0.125, 0.75}, {0.375, 0.75}, {0.625, 0.75}, {0.875, 0.75}};
  EXPECT_EQ(asked, middles);
}

// What is not of length 1 is cut off at the ends of the bytes.
TEST(NormalMapTexels, EndWhereBytesEnd) {
  const auto texel = [](Vec3d n) {
    const Image8 map = plain(n);
    return std::vector<int>(map.at(0, 0), map.at(0, 0) + 3);
  };
  EXPECT_EQ(texel({-1, 1, 1}), (std::vector<int>{0, 0, 255}));
  EXPECT_EQ(texel({-3, -3, 3}), (std::vector<int>{0, 255, 255}));
  EXPECT_EQ(texel({0, 0, 0.2}), (std::vector<int>{128, 128, 153}));
}

// Rows of nine bytes, which are no multiple of two or four.
TEST_F(NormalMap, RowsOfAnyWidthAreRead) {
  const auto normal_at = [](int x, int y) { return normalize(Vec3d(0.3 * x - 0.2, 0.25 * y - 0.3, 1)); };
  const Image8 map = make_normal_map(
      3, 3, [&](Vec2d uv) { return normal_at(static_cast<int>(3 * uv.x), static_cast<int>(3 * uv.y)); });
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) {
      Patch patch({0, 0, 1}, {1, 0, 0}, {0, 1, 0}, false);
      for (Vec2d& uv : patch.uv) uv = Vec2d((x + 0.5) / 3, (y + 0.5) / 3);
      const Vec3d wanted = normalize(normal_of_texel(map, x, y));
      EXPECT_LT(length(seen(patch.view(map)) - wanted), kBufferTolerance) << x << " " << y;
    }
}

// glTF 2.0, section 3.9.3: green [0 to 255] maps to Y [-1 to 1], and Y points upwards in the texture; the first row of
// a picture is at v = 0. So on a patch whose v runs down, green leans up.
TEST_F(NormalMap, GreenLeansUpThePictureWhereVRunsDown) {
  const Image8 map(2, 2, {128, 255, 128});
  const Patch patch({0, 0, 1}, {1, 0, 0}, {0, -1, 0}, false);
  EXPECT_GT(seen(patch.view(map)).y, .99);
}

// Random orthonormal frames of either handedness: the buffer holds t m.x + b m.y + n m.z.
TEST_F(NormalMap, AFlatPatchShowsTheNormalsOfItsMap) {
  Random random(11);
  for (int i = 0; i < 40; ++i) {
    const Vec3d n = random.direction(), t = normalize(cross(n, random.direction()));
    const Vec3d b = cross(n, t) * (i % 2 == 0 ? 1.0 : -1.0);
    Vec3d m = random.direction();
    m.z = std::abs(m.z);
    const Image8 map = plain(m);
    const Vec3d stored = normal_of_texel(map, 0, 0);
    const Vec3d expected = normalize(t * stored.x + b * stored.y + n * stored.z);
    EXPECT_LT(length(seen(Patch(n, t, b, false).view(map)) - expected), kBufferTolerance);
  }
}

TEST_F(NormalMap, EachTexelIsWhereItsUvIs) {
  const Image8 map = make_normal_map(16, 16, [](Vec2d uv) {
    return normalize(Vec3d(uv.x < 0.5 ? -0.5 : 0.5, uv.y < 0.5 ? -0.25 : 0.25, 1));
  });
  const Patch patch({0, 0, 1}, {1, 0, 0}, {0, 1, 0}, false);
  for (const bool right : {false, true})
    for (const bool up : {false, true}) {
      const Vec3d n = seen(patch.view(map), right, up);
      EXPECT_EQ(n.x > 0, right);
      EXPECT_EQ(n.y > 0, up);
    }
}

TEST_F(NormalMap, RepeatsOutsideTheUnitSquare) {
  const Image8 map =
      make_normal_map(16, 16, [](Vec2d uv) { return normalize(Vec3d(uv.x < 0.5 ? -0.5 : 0.5, 0.2, 1)); });
  Patch patch({0, 0, 1}, {1, 0, 0}, {0, 1, 0}, false);
  const Vec3d before = seen(patch.view(map), true, true);
  for (Vec2d& uv : patch.uv) uv = uv + Vec2d(-3, 5);
  EXPECT_LT(length(seen(patch.view(map), true, true) - before), kBufferTolerance);
}

// The same bump, once under uv that run to the right and once under mirrored ones, whose map holds the bump
// in the mirror: both must look alike.
TEST_F(NormalMap, MirroredUvLightAlike) {
  Random random(13);
  for (int i = 0; i < 20; ++i) {
    Vec3d m = random.direction();
    m.z = std::abs(m.z);
    // Tangents follow u, so the mirrored patch is left-handed: t = -x, b = y, n = z.
    const Vec3d straight = seen(Patch({0, 0, 1}, {1, 0, 0}, {0, 1, 0}, false).view(plain(m)));
    const Vec3d mirrored = seen(Patch({0, 0, 1}, {-1, 0, 0}, {0, 1, 0}, true).view(plain({-m.x, m.y, m.z})));
    EXPECT_LT(length(straight - mirrored), 2 * kByte);  // -m.x may round to another byte
    EXPECT_NEAR(straight.y, m.y, 2 * kByte);
  }
}

// As skinning leaves frames: sheared and not unit. The normal is kept, t is projected, b gives the side only.
TEST_F(NormalMap, ShearedFramesAreMadeOrthonormalAroundTheNormal) {
  const Image8 map = plain(normalize(Vec3d(0.4, 0.3, 1)));
  for (const double side : {1.0, -1.0}) {
    const Vec3d upright = seen(Patch({0, 0, 1}, {1, 0, 0}, Vec3d(0, side, 0), false).view(map));
    const Vec3d sheared =
        seen(Patch({0, 0, 3}, {0.5, 0, 0.8}, Vec3d(0.6, 0.2 * side, -0.4), false).view(map));
    EXPECT_LT(length(upright - sheared), kBufferTolerance);
  }
}

TEST_F(NormalMap, AFrameWithoutDirectionIsNotNan) {
  const Image8 map = plain({0.6, 0, 0.8});
  for (const Patch& patch :
       {Patch({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, false), Patch({0, 0, 1}, {0, 0, 1}, {0, 0, 0}, false)}) {
    const Vec3d n = seen(patch.view(map));
    EXPECT_TRUE(is_finite(n));
  }
}

TEST_F(NormalMap, ThePictureShowsTheRelief) {
  const Patch patch({0, 0, 1}, {1, 0, 0}, {0, 1, 0}, false);
  const auto grey = [&](Vec3d m) {
    const Image8 map = plain(m);
    const std::vector<Vec3d> corners{Vec3d(-1, -1, -1), Vec3d(1, 1, 1)};
    return renderer_.shaded(patch.view(map), frame(corners, View{{0, 0, 1}, {0, 1, 0}, 0, 0}, 1), {32, 32, 1})
        .at(16, 16)[1];
  };
  // The key light comes from the upper left.
  EXPECT_GT(grey(normalize(Vec3d(-0.5, 0.4, 1))), grey(normalize(Vec3d(0.5, -0.4, 1))) + 40);
}

TEST_F(NormalMap, WhatDoesNotFitTogetherIsAnError) {
  const Image8 map = plain({0, 0, 1});
  const auto error_of = [&](const PosedMesh& mesh) -> std::string {
    try {
      seen(mesh);
    } catch (const InputError& error) {
      return error.what();
    }
    return "drawn";
  };
  Patch patch({0, 0, 1}, {1, 0, 0}, {0, 1, 0}, false);
  EXPECT_EQ(error_of(patch.view(map)), "drawn");
  for (const Image8& empty : {Image8(0, 0, {0, 0, 0}), Image8(2, 0, {0, 0, 0}), Image8(0, 2, {0, 0, 0})})
    EXPECT_THAT(error_of(patch.view(empty)), HasSubstr("normal map: is empty"));
  patch.uv.pop_back();
  EXPECT_EQ(error_of(patch.view(map)), "uv: has 3 entries, the mesh needs 4");
  patch.b.pop_back();
  EXPECT_EQ(error_of(patch.view(map)), "bitangents: has 3 entries, the mesh needs 4");
  patch.t.pop_back();
  EXPECT_EQ(error_of(patch.view(map)), "tangents: has 3 entries, the mesh needs 4");
}

}  // namespace
}  // namespace skinlight
