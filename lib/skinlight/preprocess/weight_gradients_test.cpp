#include "skinlight/preprocess/weight_gradients.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>

#include "skinlight/mesh/weld.h"
#include "skinlight/samples/procedural.h"
#include "testing/gradients.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

// The oracle's 4x4 system has a condition number below 1e5 on the triangles drawn here.
constexpr double kSolver = 1e-10;
constexpr double kRounding = 1e-13;  // closed forms on values near 1

struct Triangle {
  Vec3d p, q, r;
};

// All shapes whose height is at least a fiftieth of the longest edge.
Triangle random_triangle(Random& random) {
  for (;;) {
    const Triangle t{random.in_cube(1), random.in_cube(1), random.in_cube(1)};
    const double longest = std::max({length(t.q - t.p), length(t.r - t.q), length(t.p - t.r)});
    if (length(cross(t.q - t.p, t.r - t.p)) > .02 * longest * longest) return t;
  }
}

double size_of(const std::array<Vec3d, 3>& g) { return std::max({length(g[0]), length(g[1]), length(g[2])}); }

TEST(HatGradients, SolveTheSystemOfEq5) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    const Triangle t = random_triangle(random);
    const auto g = hat_gradients(t.p, t.q, t.r);
    for (int c = 0; c < 3; ++c) {
      const Eigen::Vector3d expected = test_gradients::solve_eq5(t.p, t.q, t.r, Eigen::Vector3d::Unit(c));
      EXPECT_LT((eigen(g[static_cast<std::size_t>(c)]) - expected).norm(), kSolver * size_of(g));
    }
  }
}

TEST(HatGradients, ReproduceLinearFunctions) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    const Triangle t = random_triangle(random);
    const Vec3d slope = random.in_cube(1), n = normalize(cross(t.q - t.p, t.r - t.p));
    const double offset = random.uniform(-1, 1);
    const auto w = [&](Vec3d p) { return dot(slope, p) + offset; };
    const auto g = hat_gradients(t.p, t.q, t.r);
    const Vec3d gradient = g[0] * w(t.p) + g[1] * w(t.q) + g[2] * w(t.r);
    EXPECT_LT(length(gradient - (slope - n * dot(slope, n))), 100 * kRounding * size_of(g));
  }
}

TEST(HatGradients, SumToZeroAndLieInThePlane) {
  Random random(3);
  for (int round = 0; round < 1000; ++round) {
    const Triangle t = random_triangle(random);
    const Vec3d n = normalize(cross(t.q - t.p, t.r - t.p));
    const auto g = hat_gradients(t.p, t.q, t.r);
    EXPECT_LT(length(g[0] + g[1] + g[2]), kRounding * size_of(g));
    for (const Vec3d& a : g) EXPECT_LT(std::abs(dot(a, n)), kRounding * size_of(g));
  }
}

// Data that a float file holds far from the origin: the closed form depends on differences only, which are
// exact, while Eq. 5 as a system in float is off by 3e-3 at 1e4 and singular at 1e6.
TEST(HatGradients, KeepTheirDigitsFarFromTheOrigin) {
  Random random(4);
  for (const double offset : {1e4, 1e6})
    for (int round = 0; round < 500; ++round) {
      const Triangle t = random_triangle(random);
      const Vec3d away = random.direction() * offset;
      const auto stored = [&](Vec3d p) { return Vec3d(Vec3f(p * 100.0 + away)); };
      const Vec3d p = stored(t.p), q = stored(t.q), r = stored(t.r);
      const auto near = hat_gradients(Vec3d(0.0), q - p, r - p), far = hat_gradients(p, q, r);
      for (std::size_t c = 0; c < 3; ++c) {
        const Eigen::Vector3d expected = test_gradients::solve_eq5(
            Vec3d(0.0), q - p, r - p, Eigen::Vector3d::Unit(static_cast<Eigen::Index>(c)));
        EXPECT_LT((eigen(far[c]) - expected).norm(), 1e3 * kSolver * size_of(near));
      }
    }
}

TEST(HatGradients, WithoutAreaOrFiniteCornersAreZero) {
  const Vec3d a(1, 2, 3), b(4, 5, 7);
  const auto expect_zero = [](Vec3d p, Vec3d q, Vec3d r) {
    for (const Vec3d& g : hat_gradients(p, q, r)) EXPECT_EQ(g, Vec3d(0.0));
  };
  expect_zero(a, a, a);
  expect_zero(a, a, b);
  expect_zero(a, b, b);
  expect_zero(a, b, b * 2 - a);
  for (const double bad : {std::nan(""), double{INFINITY}, 1e200})
    for (int c = 0; c < 3; ++c) {
      Vec3d p[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
      p[c].x = bad;
      expect_zero(p[0], p[1], p[2] * (bad == 1e200 ? bad : 1.0));
    }
}

TEST(HatGradients, AreFiniteAtEverySize) {
  for (double size = 1e-150; size < 1e150; size *= 1e5)
    for (const Vec3d& g : hat_gradients({0, 0, 0}, {size, 0, 0}, {0, size, 0})) EXPECT_TRUE(is_finite(g));
}

// VertexGradients against sums over all faces, each solved as Eq. 5.

void expect_brute_force(const RiggedMesh& mesh, const std::vector<int>& weld, Averaging scheme) {
  const Surface surface(mesh.faces, weld);
  const VertexGradients gradients(mesh, surface, scheme);
  std::vector<BoneGradient> around;
  const auto expected = test_gradients::brute_force(mesh, weld, scheme);
  for (int v = 0; v < surface.vertex_count(); ++v) {
    gradients.at(v, around);
    auto missing = expected[static_cast<std::size_t>(v)];
    double largest = 0;
    for (const auto& [bone, a] : missing) largest = std::max(largest, a.norm());
    for (const BoneGradient& g : around) {
      ASSERT_EQ(missing.count(g.bone), 1u) << "bone " << g.bone << " twice or from nowhere";
      EXPECT_LT((eigen(g.a) - missing[g.bone]).norm(), 1e3 * kSolver * largest + kRounding) << name(scheme);
      missing.erase(g.bone);
    }
    EXPECT_TRUE(missing.empty()) << "vertex " << v;
  }
}

TEST(VertexGradients, EqualTheAverageOverAllIncidentFaces) {
  Random random(5);
  for (const test_meshes::TriangleMesh& shape : test_meshes::manifold_families(random))
    for (const Averaging scheme : all_averagings()) {
      if (shape.name == "slivers") continue;  // Eq. 5 as a system is too ill-conditioned for an oracle
      if (scheme == Averaging::cotangent || scheme == Averaging::voronoi) continue;  // totals cancel
      SCOPED_TRACE(shape.name);
      expect_brute_force(test_rigs::bind(shape, 5, 3, random), shape.no_weld(), scheme);
      expect_brute_force(test_rigs::bind_jagged(shape, 6, 4, random), shape.no_weld(), scheme);
    }
}

TEST(VertexGradients, OneRingsCrossSeams) {
  const RiggedMesh mesh = pill({.segments = 12, .jitter = .2, .random_diagonals = true}).mesh;
  expect_brute_force(mesh, weld(mesh), Averaging::mixed_voronoi);
}

// A ramp that starts at x = 0 on a regular grid: half of the one-ring there is flat, so the gradient is half
// the slope. Leaving flat faces out of the denominator would give the whole slope.
TEST(VertexGradients, FlatFacesCountInTheDenominator) {
  RiggedMesh mesh;
  constexpr int kHalf = 3, kWidth = 2 * kHalf + 1;
  for (int y = 0; y < kWidth; ++y)
    for (int x = -kHalf; x <= kHalf; ++x) {
      mesh.p0.emplace_back(x, y, 0);
      const double w = x > 0 ? x * .1 : 0;
      mesh.bone.insert(mesh.bone.end(), {0, 1});
      mesh.weight.insert(mesh.weight.end(), {1 - w, w});
    }
  mesh.bone_count = mesh.slots = 2;
  for (int y = 0; y + 1 < kWidth; ++y)
    for (int x = 0; x + 1 < kWidth; ++x) {
      const int a = y * kWidth + x;
      mesh.faces.push_back({a, a + 1, a + kWidth + 1});
      mesh.faces.push_back({a, a + kWidth + 1, a + kWidth});
    }
  std::vector<int> identity(mesh.p0.size());
  for (std::size_t v = 0; v < identity.size(); ++v) identity[v] = static_cast<int>(v);
  const Surface surface(mesh.faces, identity);
  for (const Averaging scheme : {Averaging::mixed_voronoi, Averaging::area, Averaging::angle,
                                 Averaging::angle_area, Averaging::uniform, Averaging::max1999}) {
    std::vector<BoneGradient> around;
    VertexGradients(mesh, surface, scheme).at(3 * kWidth + kHalf, around);
    for (const BoneGradient& g : around)
      EXPECT_LT(length(g.a - Vec3d(g.bone == 1 ? .05 : -.05, 0, 0)), kRounding) << name(scheme);
    ASSERT_EQ(around.size(), 2u);
  }
}

TEST(VertexGradients, VerticesWithoutAreaHaveNone) {
  RiggedMesh mesh;
  mesh.p0 = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}};
  mesh.faces = {{0, 1, 2}};
  mesh.bone_count = mesh.slots = 1;
  mesh.bone.assign(4, 0);
  mesh.weight.assign(4, 1);
  const Surface surface(mesh.faces, std::vector<int>{0, 1, 2, 3});
  for (const Averaging scheme : all_averagings())
    for (int v = 0; v < 4; ++v) {
      std::vector<BoneGradient> around = {{7, Vec3d(1.0)}};
      VertexGradients(mesh, surface, scheme).at(v, around);
      EXPECT_TRUE(around.empty());
    }
}

}  // namespace
}  // namespace skinlight
