#include "skinlight/mesh/normals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "skinlight/mesh/weld.h"
#include "testing/meshes.h"

namespace skinlight {
namespace {

using test_meshes::TriangleMesh;

constexpr double kRounding = 1e-13;  // sums over one-rings of unit-sized values, in double

// Every face gets corners of its own, as in files without indices.
TriangleMesh unindexed(const TriangleMesh& mesh) {
  TriangleMesh soup{mesh.name + ", unindexed", {}, {}, mesh.closed};
  for (const Face& f : mesh.faces) {
    const int first = static_cast<int>(soup.p.size());
    for (const int v : f) soup.p.push_back(mesh.p[static_cast<std::size_t>(v)]);
    soup.faces.push_back({first, first + 1, first + 2});
  }
  return soup;
}

Surface welded(const TriangleMesh& mesh) {
  return {mesh.faces, weld_vertices(mesh.p, [](int, int) { return true; })};
}

TEST(VertexNormals, PointAlongTheRadiusOfARegularSphere) {
  const TriangleMesh mesh = test_meshes::sphere(5);
  for (const Averaging scheme : all_averagings()) {
    const std::vector<Vec3d> n = vertex_normals(welded(mesh), mesh.p, scheme);
    for (std::size_t v = 0; v < n.size(); ++v) {
      EXPECT_NEAR(length(n[v]), 1, kRounding);
      EXPECT_GT(dot(n[v], mesh.p[v]), .999) << name(scheme);  // 2.5 degrees, at edges of 3 degrees
    }
  }
}

// Max 1999: whatever the triangulation, when all vertices lie on a sphere.
TEST(VertexNormals, Max1999IsExactOnIrregularSpheres) {
  Random random(1);
  for (int round = 0; round < 10; ++round) {
    TriangleMesh mesh = test_meshes::sphere(3);
    const Vec3d centre = random.in_cube(5);
    const double radius = random.uniform(.1, 10);
    std::vector<Vec3d> on_sphere;
    for (const Vec3d& p : mesh.p) on_sphere.push_back(normalize(p + random.in_cube(.05)));
    for (std::size_t v = 0; v < on_sphere.size(); ++v) mesh.p[v] = centre + on_sphere[v] * radius;
    const std::vector<Vec3d> n = vertex_normals(welded(mesh), mesh.p, Averaging::max1999);
    for (std::size_t v = 0; v < n.size(); ++v) EXPECT_LT(length(n[v] - on_sphere[v]), 1e3 * kRounding);
  }
}

TEST(VertexNormals, AreExactOnPlanes) {
  Random random(2);
  for (int round = 0; round < 10; ++round) {
    TriangleMesh mesh = test_meshes::terrain(6, 0, random);
    const Vec3d z = random.direction(), x = normalize(cross(z, random.direction())), y = cross(z, x);
    for (Vec3d& p : mesh.p) p = x * p.x + y * p.y;
    for (const Averaging scheme : all_averagings()) {
      if (scheme == Averaging::cotangent || scheme == Averaging::voronoi) continue;  // signed
      for (const Vec3d& n : vertex_normals(welded(mesh), mesh.p, scheme))
        EXPECT_LT(length(n - z), kRounding) << name(scheme);
    }
  }
}

TEST(VertexNormals, EqualTheWeightedSumOfFaceNormals) {
  Random random(3);
  for (const TriangleMesh& mesh : test_meshes::manifold_families(random))
    for (const Averaging scheme : all_averagings()) {
      const std::vector<Vec3d> n = vertex_normals(welded(mesh), mesh.p, scheme);
      std::vector<Vec3d> sum(mesh.p.size(), Vec3d(0.0));
      for (const Face& f : mesh.faces)
        for (std::size_t c = 0; c < 3; ++c) {
          const Vec3d p = mesh.p[static_cast<std::size_t>(f[c])],
                      q = mesh.p[static_cast<std::size_t>(f[(c + 1) % 3])],
                      r = mesh.p[static_cast<std::size_t>(f[(c + 2) % 3])];
          sum[static_cast<std::size_t>(f[c])] +=
              normalize(cross(q - p, r - q)) * corner_weight(scheme, p, q, r);
        }
      for (std::size_t v = 0; v < n.size(); ++v)
        EXPECT_LT(length(n[v] - normalize(sum[v])), 1e-9) << mesh.name << ", " << name(scheme);
    }
}

TEST(VertexNormals, TwinsAreIdenticalAndEqualTheIndexedMesh) {
  Random random(4);
  for (const TriangleMesh& mesh : test_meshes::manifold_families(random)) {
    const TriangleMesh soup = unindexed(mesh);
    const std::vector<Vec3d> one = vertex_normals(welded(mesh), mesh.p, Averaging::mixed_voronoi),
                             many = vertex_normals(welded(soup), soup.p, Averaging::mixed_voronoi);
    std::vector<Vec3d> first(mesh.p.size(), Vec3d(0.0));
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
      for (std::size_t c = 0; c < 3; ++c) {
        const auto v = static_cast<std::size_t>(mesh.faces[f][c]);
        const Vec3d n = many[3 * f + c];
        EXPECT_LT(length(n - one[v]), kRounding);
        if (first[v] == Vec3d(0.0)) first[v] = n;
        EXPECT_EQ(n, first[v]);
      }
  }
}

TEST(VertexNormals, WithoutAreaAreCountedAndFinite) {
  const std::vector<Vec3d> p = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {9, 9, 9}};
  const std::vector<int> weld = {0, 1, 2, 3, 4, 5, 6};
  const Surface surface(std::vector<Face>{{0, 1, 2}, {3, 4, 5}}, weld);
  int undefined = -1;
  const std::vector<Vec3d> n = vertex_normals(surface, p, Averaging::area, &undefined);
  EXPECT_EQ(undefined, 4);
  for (const Vec3d& normal : n) EXPECT_EQ(normal, Vec3d(0, 0, 1));
}

TEST(VertexNormals, FacesThatAreNotFiniteDoNotSpoilTheirNeighbours) {
  Random random(5);
  TriangleMesh mesh = test_meshes::sphere(3);
  mesh.p[20].x = std::nan("");
  for (const Vec3d& n : vertex_normals(welded(mesh), mesh.p, Averaging::mixed_voronoi)) {
    EXPECT_TRUE(is_finite(n));
    EXPECT_NEAR(length(n), 1, kRounding);
  }
}

TEST(VertexAreas, AreThirdsOfTheFacesAndSumToTheSurface) {
  Random random(6);
  for (const TriangleMesh& indexed : test_meshes::manifold_families(random))
    for (const TriangleMesh& mesh : {indexed, unindexed(indexed)}) {
      const Surface surface = welded(mesh);
      const std::vector<double> areas = vertex_areas(surface, mesh.p);
      double total = 0;
      std::vector<double> expected(mesh.p.size(), 0.0);
      for (const Face& f : mesh.faces) {
        const auto at = [&](std::size_t c) { return mesh.p[static_cast<std::size_t>(f[c])]; };
        const double area = length(cross(at(1) - at(0), at(2) - at(0))) / 2;
        total += area;
        for (std::size_t v = 0; v < mesh.p.size(); ++v)
          for (const int corner : f)
            if (surface.vertex_of(static_cast<int>(v)) == surface.vertex_of(corner))
              expected[v] += area / 3 / surface.multiplicity(surface.vertex_of(corner));
      }
      EXPECT_NEAR(std::accumulate(areas.begin(), areas.end(), 0.0), total, 1e-12 * total);
      for (std::size_t v = 0; v < areas.size(); ++v) EXPECT_NEAR(areas[v], expected[v], 1e-12 * total);
    }
}

}  // namespace
}  // namespace skinlight
