#include "skinlight/render/offscreen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"
#include "skinlight/render/context.h"
#include "skinlight/render/detail/gl_draw.h"
#include "skinlight/render/image_compare.h"

namespace skinlight {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

struct Mesh {
  std::vector<Face> faces;
  std::vector<Vec3f> p, n;
  PosedMesh view() const { return {faces, p, n}; }
};

// A unit sphere with exact normals.
Mesh sphere(int segments) {
  Mesh mesh;
  const int rings = segments / 2;
  for (int j = 0; j <= rings; ++j) {
    for (int i = 0; i <= segments; ++i) {
      const double theta = M_PI * j / rings, phi = 2 * M_PI * i / segments;
      mesh.p.emplace_back(
          Vec3d(std::sin(theta) * std::cos(phi), std::cos(theta), std::sin(theta) * std::sin(phi)));
      if (i == segments || j == rings) continue;
      const int a = j * (segments + 1) + i, b = a + segments + 1;
      mesh.faces.push_back({a, a + 1, b});
      mesh.faces.push_back({b, a + 1, b + 1});
    }
  }
  mesh.n = mesh.p;
  return mesh;
}

// A square of half side 1 in the plane z, facing +z, with its normals turned to `normal`.
Mesh square(float centre_x, float centre_y, float z, Vec3f normal) {
  Mesh mesh;
  for (const float y : {-1.0f, 1.0f})
    for (const float x : {-1.0f, 1.0f}) mesh.p.emplace_back(centre_x + x, centre_y + y, z);
  mesh.faces = {{0, 1, 2}, {2, 1, 3}};
  mesh.n.assign(4, normal);
  return mesh;
}

Mesh join(const Mesh& a, const Mesh& b) {
  Mesh all = a;
  const int first = static_cast<int>(a.p.size());
  all.p.insert(all.p.end(), b.p.begin(), b.p.end());
  all.n.insert(all.n.end(), b.n.begin(), b.n.end());
  for (const Face& f : b.faces) all.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  return all;
}

// Looks along -z at the square [-half, half]^2.
Camera front(double half) {
  const std::vector<Vec3d> corners{Vec3d(-half, -half, -half), Vec3d(half, half, half)};
  return frame(corners, View{{0, 0, 1}, {0, 1, 0}, 0, 0}, 1);
}

std::vector<float> pixel(const ImageF& image, int x, int y) { return {image.at(x, y), image.at(x, y) + 4}; }

class Offscreen : public testing::Test {
 protected:
  std::unique_ptr<Context> context_ = create_context(Renderer::llvmpipe);
  OffscreenRenderer renderer_{*context_};
};

TEST_F(Offscreen, NormalsOfASphereAreItsPositions) {
  constexpr int kSide = 101;
  const ImageF image = renderer_.normals(sphere(192).view(), front(1.1), kSide, kSide);
  int covered = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const double X = 1.1 * ((2 * x + 1.0) / kSide - 1), Y = -1.1 * ((2 * y + 1.0) / kSide - 1),
                   r2 = X * X + Y * Y;
      if (r2 > 1.01) {
        EXPECT_THAT(pixel(image, x, y), Each(0.0f));
      }
      if (r2 > 0.9) continue;
      const float* n = image.at(x, y);
      EXPECT_EQ(n[3], 1);
      EXPECT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-6);
      // The facets lie below the sphere by up to (pi / 192)^2 / 2 = 1.3e-4, magnified by the slope.
      EXPECT_LT(angle_between(Vec3d(n[0], n[1], n[2]), Vec3d(X, Y, std::sqrt(1 - r2))), 1e-3);
      ++covered;
    }
  }
  EXPECT_GT(covered, kSide * kSide / 2);
}

TEST_F(Offscreen, PicturesAreUpright) {
  // Two units to the right of the centre and one up.
  const ImageF image = renderer_.normals(square(2, 1, 0, Vec3f(0, 0, 1)).view(), front(4), 80, 80);
  EXPECT_THAT(pixel(image, 60, 30), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(pixel(image, 20, 30), Each(0.0f));
  EXPECT_THAT(pixel(image, 60, 50), Each(0.0f));
  long covered = 0;
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 80; ++x) covered += image.at(x, y)[3] == 1;
  EXPECT_EQ(covered, 20 * 20);
}

TEST_F(Offscreen, TheNearerSurfaceHidesTheOther) {
  const Mesh far = square(0, 0, -0.5f, Vec3f(1, 0, 0)), near = square(0.5f, 0, 0.5f, Vec3f(0, 1, 0));
  for (const Mesh& both : {join(near, far), join(far, near)}) {
    const ImageF image = renderer_.normals(both.view(), front(2), 40, 40);
    EXPECT_THAT(pixel(image, 25, 20), ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(pixel(image, 12, 20), ElementsAre(1, 0, 0, 1));
  }
}

TEST_F(Offscreen, WrongNormalsStayWrong) {
  Mesh mesh = sphere(32);
  const Camera camera = front(1.1);
  const ImageF right = renderer_.normals(mesh.view(), camera, 64, 64);
  const Image8 right_picture = renderer_.shaded(mesh.view(), camera, {64, 64, 2});
  for (Vec3f& n : mesh.n) n = -n;
  const ImageF wrong = renderer_.normals(mesh.view(), camera, 64, 64);
  for (int c = 0; c < 3; ++c) EXPECT_FLOAT_EQ(wrong.at(32, 32)[c], -right.at(32, 32)[c]);
  EXPECT_FALSE(compare_images(renderer_.shaded(mesh.view(), camera, {64, 64, 2}), right_picture).pass);
}

TEST_F(Offscreen, BackFacesAreDrawn) {
  Mesh mesh = square(0, 0, 0, Vec3f(0, 0, 1));
  for (Face& f : mesh.faces) std::swap(f[0], f[1]);
  EXPECT_THAT(pixel(renderer_.normals(mesh.view(), front(1), 9, 9), 4, 4), ElementsAre(0, 0, 1, 1));
}

TEST_F(Offscreen, NormalsNeedNotBeUnitVectorsAndNoneIsNotNan) {
  EXPECT_THAT(pixel(renderer_.normals(square(0, 0, 0, Vec3f(0, 0, 7)).view(), front(1), 9, 9), 4, 4),
              ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(pixel(renderer_.normals(square(0, 0, 0, Vec3f(0, 0, 0)).view(), front(1), 9, 9), 4, 4),
              ElementsAre(0, 0, 0, 1));
}

TEST_F(Offscreen, TheKeyLightComesFromTheUpperLeft) {
  const Image8 picture = renderer_.shaded(sphere(96).view(), front(1.1), {120, 120, 2});
  int brightest = -1, bx = 0, by = 0;
  for (int y = 20; y < 100; ++y) {
    for (int x = 20; x < 100; ++x) {
      if (std::hypot(x - 59.5, y - 59.5) > 45) continue;
      if (picture.at(x, y)[1] > brightest) brightest = picture.at(x, y)[1], bx = x, by = y;
    }
  }
  EXPECT_LT(bx, 55);
  EXPECT_LT(by, 55);
  EXPECT_GT(brightest, 200);
  EXPECT_LT(brightest, 255);  // not burnt out
  EXPECT_GT(brightest, picture.at(75, 95)[1] + 80);
}

TEST_F(Offscreen, TheLightsMoveWithTheCamera) {
  const Mesh mesh = sphere(192);
  const auto seen_from = [&](Vec3d direction) {
    return renderer_.shaded(
        mesh.view(), frame(std::span<const Vec3f>(mesh.p), View{direction, {0.3, 1, 0.2}, 20, 0.05}, 1),
        {80, 80, 3});
  };
  // A sphere looks alike from everywhere, but for the facets of its outline.
  const ImageTolerance outline{.channel = 4, .share = 0.02};
  for (const Vec3d direction : {Vec3d(1, 0, 0), Vec3d(-1, 0.4, -1), Vec3d(0, -1, 0.2)}) {
    const ImageDifference d = compare_images(seen_from(direction), seen_from({0, 0, 1}), outline);
    EXPECT_TRUE(d.pass) << d.reason;
  }
}

TEST_F(Offscreen, TheEyeOfAHighlightIsNearInPerspectiveOnly) {
  // How many shades a flat square shows.
  const auto shades = [&](double fov_degrees) {
    const Mesh mesh = square(0, 0, 0, Vec3f(0, 0, 1));
    const View view{{0, 0, 1}, {0, 1, 0}, fov_degrees, 0.1};
    const Image8 picture =
        renderer_.shaded(mesh.view(), frame(std::span<const Vec3f>(mesh.p), view, 1), {80, 80, 1});
    std::vector<int> values;
    for (int x = 20; x < 60; ++x) values.push_back(picture.at(x, 40)[0]);
    std::sort(values.begin(), values.end());
    return std::unique(values.begin(), values.end()) - values.begin();
  };
  EXPECT_EQ(shades(0), 1);
  EXPECT_GT(shades(60), 5);
}

TEST_F(Offscreen, SupersamplingSoftensEdges) {
  const auto levels = [&](int supersampling) {
    Mesh mesh = square(0, 0, 0, Vec3f(0, 0, 1));
    for (Vec3f& p : mesh.p) p = Vec3f(p.x * 0.8f - p.y * 0.4f, p.x * 0.4f + p.y * 0.8f, 0);  // turned
    const Image8 picture = renderer_.shaded(mesh.view(), front(2), {60, 60, supersampling});
    std::vector<int> values;
    for (int x = 0; x < 60; ++x) values.push_back(picture.at(x, 30)[0]);
    std::sort(values.begin(), values.end());
    return std::unique(values.begin(), values.end()) - values.begin();
  };
  EXPECT_EQ(levels(1), 2);
  EXPECT_GT(levels(4), 2);
}

// Light grey, 92 % of the light at the top and 72 % at the bottom, and of each pixel as much as is not covered.
TEST(Develop, PicturesLieOnAGreyThatDarkensDownwards) {
  constexpr int kWidth = 3, kHeight = 5, kTimes = 2;
  ImageF drawn(kTimes * kWidth, kTimes * kHeight);
  const std::array<float, 4> half{0.1f, 0.2f, 0.3f, 0.5f};  // of a block of four pixels two are covered
  for (const int row : {4, 5}) {
    float* pixel = drawn.at(2, row);
    for (std::size_t c = 0; c < 4; ++c) pixel[c] = 2 * half[c];
  }
  const Image8 picture = develop(drawn, kTimes);
  ASSERT_EQ(picture.width, kWidth);
  ASSERT_EQ(picture.height, kHeight);
  const auto encoded = [](double linear) {
    return std::lround(255 * (1.055 * std::pow(linear, 1 / 2.4) - 0.055));
  };
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        const double background = 0.92 - 0.2 * (y + 0.5) / kHeight;
        const bool covered = x == 1 && y == 2;
        EXPECT_EQ(picture.at(x, y)[c],
                  encoded(covered ? static_cast<double>(half[c]) + 0.5 * background : background))
            << x << " " << y;
      }
}

TEST_F(Offscreen, AMeshWithoutFacesIsBackground) {
  EXPECT_THAT(renderer_.normals({}, front(1), 5, 5).rgba, Each(0.0f));
}

TEST_F(Offscreen, WhatDoesNotFitTogetherIsAnError) {
  Mesh mesh = square(0, 0, 0, Vec3f(0, 0, 1));
  const auto error_of = [&](int width) -> std::string {
    try {
      renderer_.normals(mesh.view(), front(1), width, 5);
    } catch (const InputError& error) {
      return error.what();
    }
    return "drawn";
  };
  EXPECT_EQ(error_of(5), "drawn");
  EXPECT_THAT(error_of(0), HasSubstr("picture of 0 x 5 pixels"));
  EXPECT_THAT(error_of(1 << 20), HasSubstr("picture of 1048576 x 5 pixels: the renderer draws 1 to"));
  mesh.faces[1][2] = 4;
  EXPECT_EQ(error_of(5), "face 1: vertex 4 does not exist");
  mesh.faces[0][1] = -1;
  EXPECT_EQ(error_of(5), "face 0: vertex -1 does not exist");
  mesh.n.pop_back();
  EXPECT_EQ(error_of(5), "normals: has 3 entries, the mesh needs 4");
}

TEST(OffscreenContexts, SoftwareContextsDrawTheSameBits) {
  const Mesh mesh = sphere(64);
  std::vector<ImageF> normals;
  std::vector<Image8> pictures;
  for (const Renderer kind : {Renderer::egl_surfaceless, Renderer::osmesa}) {
    const auto context = create_context(kind);
    if (!context->info().software) GTEST_SKIP() << "hardware: " << context->info().device;
    OffscreenRenderer renderer(*context);
    normals.push_back(renderer.normals(mesh.view(), front(1.2), 90, 90));
    pictures.push_back(renderer.shaded(mesh.view(), front(1.2), {90, 90, 3}));
  }
  EXPECT_EQ(normals[0].rgba, normals[1].rgba);
  EXPECT_EQ(pictures[0].rgb, pictures[1].rgb);
}

// Shading is linear in the base colour: white paint shows all of it over what black paint leaves, the highlights.
TEST_F(Offscreen, PaintColoursEachFaceInProportion_LinearInTheBaseColour) {
  const Mesh mesh = join(square(-1, 0, 0, normalize(Vec3f(0.2f, 0.4f, 1))),
                         square(1, 0, 0, normalize(Vec3f(-0.3f, 0.1f, 1))));
  const Camera camera = front(2.2);
  const auto painted = [&](const std::vector<Vec3f>& faces) {
    PosedMesh view = mesh.view();
    view.paint.face = faces;
    return renderer_.shaded(view, camera, {44, 44, 1});
  };
  const auto plain = [&](Vec3f colour) { return painted(std::vector<Vec3f>(4, colour)); };
  EXPECT_EQ(plain({0.50f, 0.45f, 0.41f}).rgb, renderer_.shaded(mesh.view(), camera, {44, 44, 1}).rgb)
      << "clay";
  const Image8 black = plain(Vec3f(0.0f)), half = plain(Vec3f(0.5f));
  const std::vector<Vec3f> colours = {
      {0.1f, 0.4f, 0.3f}, {0.05f, 0.2f, 0.45f}, {0.35f, 0.15f, 0.1f}, {0.25f, 0.5f, 0.0f}};
  const Image8 all = painted(colours);
  const auto linear = [](std::uint8_t srgb) {
    const double c = srgb / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  // The lower left and the upper right triangle of both squares.
  for (const auto& [x, y, face] :
       {std::tuple(6, 28, 0), std::tuple(18, 16, 1), std::tuple(26, 28, 2), std::tuple(38, 16, 3)})
    for (int c = 0; c < 3; ++c) {
      const double share = colours[static_cast<std::size_t>(face)][c] / 0.5, low = linear(black.at(x, y)[c]),
                   high = linear(half.at(x, y)[c]);
      EXPECT_NEAR(linear(all.at(x, y)[c]), low + share * (high - low), 0.012)
          << "face " << face << " channel " << c;
    }
}

// A picture whose four texels are met at their centres, where nothing is between them.
TEST_F(Offscreen, ThePictureOfThePaintLiesOnItsFacesByUv) {
  const Mesh mesh = square(0, 0, 0, Vec3f(0, 0, 1));
  Image8 picture(2, 2, {255, 255, 255});
  const std::array<Rgb8, 4> texels = {Rgb8{255, 0, 0}, Rgb8{0, 255, 0}, Rgb8{0, 0, 255}, Rgb8{90, 160, 30}};
  for (int i = 0; i < 4; ++i)
    std::ranges::copy(texels[static_cast<std::size_t>(i)], picture.at(i % 2, i / 2));
  const std::vector<Vec2d> uv = {{0, 1}, {1, 1}, {0, 0}, {1, 0}};  // v runs down the picture
  const std::vector<Vec3f> white(2, Vec3f(1.0f));
  const std::vector<std::uint8_t> on = {1, 1}, off = {0, 0};
  const Camera camera = front(1);
  const auto drawn = [&](std::span<const Vec3f> faces, std::span<const std::uint8_t> textured,
                         const Image8* of) {
    PosedMesh view = mesh.view();
    view.paint = {faces, textured, uv, of};
    return renderer_.shaded(view, camera, {42, 42, 1});
  };
  const auto at = [](const Image8& image, int x, int y) {
    return Rgb8{image.at(x, y)[0], image.at(x, y)[1], image.at(x, y)[2]};
  };
  const Image8 shown = drawn(white, on, &picture);
  const auto linear = [](int srgb) {
    return static_cast<float>(srgb <= 10 ? srgb / 255.0 / 12.92
                                         : std::pow((srgb / 255.0 + 0.055) / 1.055, 2.4));
  };
  for (int i = 0; i < 4; ++i) {
    const Rgb8 t = texels[static_cast<std::size_t>(i)];
    const std::vector<Vec3f> same(2, Vec3f(linear(t[0]), linear(t[1]), linear(t[2])));
    const int x = i % 2 == 0 ? 10 : 31, y = i / 2 == 0 ? 10 : 31;  // a quarter and three quarters of 42
    const Rgb8 found = at(shown, x, y), wanted = at(drawn(same, {}, nullptr), x, y);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(found[c], wanted[c], 2) << "texel " << i << " channel " << c;
  }
  EXPECT_EQ(drawn(white, off, &picture).rgb, drawn(white, {}, nullptr).rgb) << "not textured";
}

TEST_F(Offscreen, PaintThatDoesNotBelongToTheMeshIsAnError) {
  const Mesh mesh = square(0, 0, 0, Vec3f(0, 0, 1));
  const Image8 picture(1, 1, {9, 9, 9}), empty;
  const std::vector<Vec3f> one(1), two(2);
  const std::vector<std::uint8_t> three(3);
  const auto error_of = [&](const Paint& paint) -> std::string {
    PosedMesh view = mesh.view();
    view.paint = paint;
    try {
      renderer_.shaded(view, front(1), {8, 8, 1});
    } catch (const InputError& e) {
      return e.what();
    }
    return "drawn";
  };
  EXPECT_EQ(error_of({one, {}, {}, nullptr}), "paint: has 1 entries, the mesh has 2 faces");
  EXPECT_EQ(error_of({two, three, {}, nullptr}), "paint, textured: has 3 entries, the mesh has 2 faces");
  EXPECT_EQ(error_of({two, {}, {}, &picture}), "uv: has 0 entries, the mesh has 4 vertices");
  const std::vector<Vec2d> uv(4);
  const Image8 no_width(0, 3, {9, 9, 9}), no_height(3, 0, {9, 9, 9});
  for (const Image8* none : {&empty, &no_width, &no_height})
    EXPECT_EQ(error_of({two, {}, uv, none}), "picture of the paint: is empty");
  EXPECT_EQ(error_of({two, {}, uv, &picture}), "drawn");
}

// Two literals of the same text need not lie in one place.
TEST(DrawingProgram, KnowsALookByTheTextOfItsProgram) {
  const std::string shaded = "programs/shaded.frag", normals = "programs/normal_buffer.frag";
  const auto defines = [](const std::string& fragment) {
    return drawing_program("programs/posed_draw.vert", {.fragment = fragment.c_str()}, false, true)
        .defines.size();
  };
  EXPECT_EQ(defines(shaded), 1u);
  EXPECT_EQ(defines(normals), 0u);
}

}  // namespace
}  // namespace skinlight
