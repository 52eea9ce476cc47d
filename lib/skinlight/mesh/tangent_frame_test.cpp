#include "skinlight/mesh/tangent_frame.h"

#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/random.h"
#include "testing/meshes.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-13;  // a few products of unit vectors, in double

struct Patch {
  std::vector<Face> faces;
  std::vector<Vec3d> p, n;
  std::vector<Vec2d> uv;

  std::vector<int> group() const {
    std::vector<int> identity(p.size());
    for (std::size_t v = 0; v < identity.size(); ++v) identity[v] = static_cast<int>(v);
    return identity;
  }
  TangentFrames frames(TangentConvention convention = TangentConvention::orthonormal) const {
    return tangent_frames(faces, p, n, uv, group(), convention);
  }
};

// Part of a cylinder about z: u runs along the angle, v along z, both over [0, 1]; `mirror` turns u round.
Patch cylinder_patch(int n, bool mirror) {
  Patch patch;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const double u = static_cast<double>(i) / n, v = static_cast<double>(j) / n, angle = 2 * u;
      patch.p.emplace_back(3 * std::cos(angle), 3 * std::sin(angle), 5 * v);
      patch.n.emplace_back(std::cos(angle), std::sin(angle), 0);
      patch.uv.emplace_back(mirror ? 1 - u : u, v);
    }
  const auto at = [n](int i, int j) { return j * (n + 1) + i; };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      patch.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      patch.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return patch;
}

void expect_orthonormal(const TangentFrames& frames, const std::vector<Vec3d>& n) {
  for (std::size_t v = 0; v < n.size(); ++v) {
    EXPECT_NEAR(length(frames.t0[v]), 1, kRounding);
    EXPECT_NEAR(length(frames.b0[v]), 1, kRounding);
    EXPECT_NEAR(dot(frames.t0[v], n[v]), 0, kRounding);
    EXPECT_NEAR(dot(frames.b0[v], n[v]), 0, kRounding);
    EXPECT_NEAR(dot(frames.t0[v], frames.b0[v]), 0, kRounding);
    EXPECT_LT(length(n[v] - cross(frames.t0[v], frames.b0[v]) * frames.handedness[v]), kRounding);
  }
}

TEST(TangentFrame, FollowsUvOnACylinder_Eq9) {
  for (const bool mirror : {false, true}) {
    const Patch patch = cylinder_patch(40, mirror);
    const TangentFrames frames = patch.frames();
    expect_orthonormal(frames, patch.n);
    for (std::size_t v = 0; v < patch.p.size(); ++v) {
      // dp/du turns about the axis. At the patch's end it is one-sided: half a facet, 1.5 degrees.
      const Vec3d around(-patch.n[v].y, patch.n[v].x, 0);
      EXPECT_GT(dot(frames.t0[v], mirror ? -around : around), std::cos(2 * M_PI / 180));
      EXPECT_GT(frames.b0[v].z, std::cos(2 * M_PI / 180));
      EXPECT_EQ(frames.handedness[v], mirror ? -1 : 1);
      EXPECT_EQ(frames.source[v], FrameSource::uv);
    }
  }
}

// A plane with the affine map (u, v) = A (x, y) has dp/du, dp/dv = the columns of A^-1.
TEST(TangentFrame, AffineMapsOfPlanesAreExact_Eq9) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    Patch patch;
    const test_meshes::TriangleMesh mesh = test_meshes::terrain(4, 0, random);
    patch.faces = mesh.faces;
    const Vec3d n = random.direction(), x = normalize(cross(n, random.direction())), y = cross(n, x);
    const Vec2d du{random.uniform(-1, 1), random.uniform(-1, 1)},
        dv{random.uniform(-1, 1), random.uniform(-1, 1)};
    const double det = du.x * dv.y - dv.x * du.y;
    const double sine = det / std::sqrt((du.x * du.x + du.y * du.y) * (dv.x * dv.x + dv.y * dv.y));
    if (std::abs(sine) < .1) continue;
    for (const Vec3d& q : mesh.p) {
      patch.p.push_back(x * q.x + y * q.y);
      patch.n.push_back(n);
      patch.uv.emplace_back((dv.y * q.x - dv.x * q.y) / det, (-du.y * q.x + du.x * q.y) / det);
    }
    const Vec3d t = normalize(x * du.x + y * du.y), b = normalize(x * dv.x + y * dv.y);
    const double side = det > 0 ? 1 : -1;
    const TangentFrames orthonormal = patch.frames(), along_uv = patch.frames(TangentConvention::uv);
    expect_orthonormal(orthonormal, patch.n);
    for (std::size_t v = 0; v < patch.p.size(); ++v) {
      EXPECT_LT(length(orthonormal.t0[v] - t), 1e3 * kRounding);
      EXPECT_LT(length(along_uv.t0[v] - t), 1e3 * kRounding);
      EXPECT_LT(length(along_uv.b0[v] - b), 1e3 * kRounding);
      EXPECT_LT(length(orthonormal.b0[v] - cross(n, t) * side), 1e3 * kRounding);
      EXPECT_EQ(orthonormal.handedness[v], side);
      EXPECT_EQ(along_uv.handedness[v], side);
    }
  }
}

TEST(TangentFrame, IsOrthogonalToAuthoredNormals_Eq9) {
  Random random(2);
  Patch patch = cylinder_patch(10, false);
  for (Vec3d& n : patch.n) n = normalize(n + random.in_cube(.3));
  expect_orthonormal(patch.frames(), patch.n);
  const TangentFrames along_uv = patch.frames(TangentConvention::uv);
  for (std::size_t v = 0; v < patch.n.size(); ++v) {
    EXPECT_NEAR(dot(along_uv.t0[v], patch.n[v]), 0, kRounding);
    EXPECT_NEAR(dot(along_uv.b0[v], patch.n[v]), 0, kRounding);
    EXPECT_GT(dot(cross(along_uv.t0[v], along_uv.b0[v]), patch.n[v]), .5);
  }
}

// The scale of the mapping must not weigh: a face with a tiny texture area counts like its neighbours.
TEST(TangentFrame, DoesNotDependOnUvScale) {
  const Patch patch = cylinder_patch(8, false);
  Patch scaled = patch;
  for (Vec2d& uv : scaled.uv) uv = Vec2d(uv.x * 1e-6, uv.y * 1e3);
  const TangentFrames a = patch.frames(), b = scaled.frames();
  for (std::size_t v = 0; v < patch.p.size(); ++v) EXPECT_LT(length(a.t0[v] - b.t0[v]), 1e4 * kRounding);
}

TEST(TangentFrame, WithoutUsableUvIsArbitraryOrthonormalAndSaysSo) {
  Random random(3);
  const Patch good = cylinder_patch(6, false);
  std::vector<Patch> bad(5, good);
  bad[0].uv.clear();
  for (Vec2d& uv : bad[1].uv) uv = Vec2d(.5, .5);      // one point
  for (Vec2d& uv : bad[2].uv) uv = Vec2d(uv.x, uv.x);  // one line
  for (Vec2d& uv : bad[3].uv) uv = Vec2d(std::nan(""), uv.y);
  for (Vec3d& p : bad[4].p) p = Vec3d(1.0);  // no area
  for (const Patch& patch : bad)
    for (const TangentConvention convention : {TangentConvention::orthonormal, TangentConvention::uv}) {
      const TangentFrames frames = patch.frames(convention);
      expect_orthonormal(frames, patch.n);
      for (std::size_t v = 0; v < patch.p.size(); ++v) {
        EXPECT_EQ(frames.source[v], FrameSource::arbitrary);
        EXPECT_EQ(frames.handedness[v], -1);
      }
    }
}

// dp/du along the normal projects to nothing.
TEST(TangentFrame, TangentAlongTheNormalIsArbitrary) {
  Patch patch = cylinder_patch(6, false);
  for (std::size_t v = 0; v < patch.n.size(); ++v)
    patch.n[v] = normalize(Vec3d(-patch.p[v].y, patch.p[v].x, 0));
  const TangentFrames frames = patch.frames();
  expect_orthonormal(frames, patch.n);
  EXPECT_EQ(frames.source[24], FrameSource::arbitrary);  // in the middle, where dp/du is tangential
}

// Around a pole of the mapping dp/du runs in a circle: what is left of the sum is rounding, not a direction.
TEST(TangentFrame, PolesOfTheMappingAreArbitrary) {
  constexpr int kAround = 24;
  Patch patch;
  patch.p = {{0, 0, 0}};
  patch.uv = {{.5, 0}};
  for (int j = 0; j <= kAround; ++j) {
    const double turn = static_cast<double>(j) / kAround;
    patch.p.emplace_back(std::cos(2 * M_PI * turn), std::sin(2 * M_PI * turn), 0);
    patch.uv.emplace_back(turn, 1);
    if (j > 0) patch.faces.push_back({0, j, j + 1});
  }
  patch.n.assign(patch.p.size(), Vec3d(0, 0, 1));
  const TangentFrames frames = patch.frames();
  expect_orthonormal(frames, patch.n);
  EXPECT_EQ(frames.source[0], FrameSource::arbitrary);
  EXPECT_EQ(frames.handedness[0], -1);
  EXPECT_EQ(frames.source[kAround / 2], FrameSource::uv);
}

TEST(TangentFrame, VerticesOfOneGroupShareTheFrame) {
  const Patch patch = cylinder_patch(6, false);
  Patch soup;
  std::vector<int> group;
  for (const Face& f : patch.faces) {
    const int first = static_cast<int>(soup.p.size());
    soup.faces.push_back({first, first + 1, first + 2});
    for (const int v : f) {
      soup.p.push_back(patch.p[static_cast<std::size_t>(v)]);
      soup.n.push_back(patch.n[static_cast<std::size_t>(v)]);
      soup.uv.push_back(patch.uv[static_cast<std::size_t>(v)]);
      group.push_back(v);
    }
  }
  const TangentFrames indexed = patch.frames();
  const TangentFrames frames =
      tangent_frames(soup.faces, soup.p, soup.n, soup.uv, group, TangentConvention::orthonormal);
  for (std::size_t v = 0; v < soup.p.size(); ++v)
    EXPECT_LT(length(frames.t0[v] - indexed.t0[static_cast<std::size_t>(group[v])]), kRounding);
}

TEST(AnyTangent, IsAUnitVectorOrthogonalToEveryNormal) {
  Random random(4);
  std::vector<Vec3d> normals = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {-1, 0, 0},
                                {0, -1, 0}, {0, 0, -1}, {1, 0, -0.0}};
  for (int i = 0; i < 2000; ++i) normals.push_back(random.direction());
  for (int i = 0; i < 100; ++i) normals.push_back(normalize(random.in_cube(1e-9) - Vec3d(0, 0, 1)));
  for (const Vec3d& n : normals) {
    const Vec3d t = any_tangent(n);
    EXPECT_NEAR(length(t), 1, kRounding);
    EXPECT_NEAR(dot(t, n), 0, kRounding);
  }
}

}  // namespace
}  // namespace skinlight
