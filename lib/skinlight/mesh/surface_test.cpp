#include "skinlight/mesh/surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "skinlight/core/error.h"
#include "testing/meshes.h"

namespace skinlight {
namespace {

using test_meshes::TriangleMesh;
using CornerSet = std::set<std::pair<int, int>>;

CornerSet ring_of(const Surface& surface, int v) {
  CornerSet ring;
  for (const Corner& c : surface.one_ring(v)) ring.insert({c.face, c.corner});
  EXPECT_EQ(ring.size(), surface.one_ring(v).size()) << "a corner is listed twice at vertex " << v;
  return ring;
}

bool collapsed(const Face& f, const std::vector<int>& weld) {
  const auto at = [&](std::size_t c) { return weld[static_cast<std::size_t>(f[c])]; };
  return at(0) == at(1) || at(1) == at(2) || at(2) == at(0);
}

// Every corner of every face that did not collapse, found by looking at all of them.
CornerSet brute_force_ring(const std::vector<Face>& faces, const std::vector<int>& weld, int v) {
  CornerSet ring;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t c = 0; c < 3; ++c)
      if (!collapsed(faces[f], weld) && weld[static_cast<std::size_t>(faces[f][c])] == v)
        ring.insert({static_cast<int>(f), static_cast<int>(c)});
  return ring;
}

void expect_brute_force_rings(const std::vector<Face>& faces, const std::vector<int>& weld) {
  const Surface surface(faces, weld);
  int expected_collapsed = 0;
  for (const Face& f : faces) expected_collapsed += collapsed(f, weld);
  EXPECT_EQ(surface.collapsed_faces(), expected_collapsed);
  for (int v = 0; v < surface.vertex_count(); ++v)
    EXPECT_EQ(ring_of(surface, v), brute_force_ring(faces, weld, v)) << "vertex " << v;
}

// How many faces have the edge (a, b).
int faces_on_edge(const std::vector<Face>& faces, int a, int b) {
  return static_cast<int>(std::count_if(faces.begin(), faces.end(), [&](const Face& f) {
    return std::find(f.begin(), f.end(), a) != f.end() && std::find(f.begin(), f.end(), b) != f.end();
  }));
}

TEST(Surface, OneRingsEqualBruteForceOnManifolds) {
  Random random(1);
  for (const TriangleMesh& mesh : test_meshes::manifold_families(random)) {
    SCOPED_TRACE(mesh.name);
    expect_brute_force_rings(mesh.faces, mesh.no_weld());
    EXPECT_EQ(Surface(mesh.faces, mesh.no_weld()).non_manifold_faces(), 0);
  }
}

TEST(Surface, OneRingsEqualBruteForceOnTangles) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const int vertices = 4 + random.below(12), faces = 1 + random.below(60);
    const TriangleMesh mesh = test_meshes::tangle(vertices, faces, random);
    SCOPED_TRACE(round);
    expect_brute_force_rings(mesh.faces, mesh.no_weld());
  }
}

TEST(Surface, OneRingsEqualBruteForceAfterWelding) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    const TriangleMesh mesh = test_meshes::tangle(40, 60, random);
    std::vector<int> weld = {0};
    for (int groups = 1; weld.size() < mesh.p.size();)  // numbered in order of first appearance
      weld.push_back(random.below(2) == 0 ? groups++ : random.below(groups));
    SCOPED_TRACE(round);
    expect_brute_force_rings(mesh.faces, weld);
  }
}

// The shared edge of consecutive corners: the fan walks around the vertex.
TEST(Surface, OneRingsOfManifoldsAreInCirculationOrder) {
  Random random(4);
  for (const TriangleMesh& mesh : test_meshes::manifold_families(random)) {
    const Surface surface(mesh.faces, mesh.no_weld());
    for (int v = 0; v < surface.vertex_count(); ++v) {
      const auto ring = surface.one_ring(v);
      const std::size_t steps = surface.on_boundary(v) ? ring.size() - 1 : ring.size();
      for (std::size_t i = 0; i < steps; ++i) {
        const Face &a = mesh.faces[static_cast<std::size_t>(ring[i].face)],
                   &b = mesh.faces[static_cast<std::size_t>(ring[(i + 1) % ring.size()].face)];
        const auto shared = std::count_if(a.begin(), a.end(),
                                          [&](int w) { return std::find(b.begin(), b.end(), w) != b.end(); });
        EXPECT_EQ(shared, 2) << mesh.name << " vertex " << v << " step " << i;
      }
    }
  }
}

TEST(Surface, BoundaryIsWhereAnEdgeHasOneFace) {
  Random random(5);
  for (const TriangleMesh& mesh : test_meshes::manifold_families(random)) {
    const Surface surface(mesh.faces, mesh.no_weld());
    std::vector<char> expected(mesh.p.size(), 0);
    for (const Face& f : mesh.faces)
      for (std::size_t c = 0; c < 3; ++c) {
        const int a = f[c], b = f[(c + 1) % 3];
        if (faces_on_edge(mesh.faces, a, b) == 1)
          expected[static_cast<std::size_t>(a)] = expected[static_cast<std::size_t>(b)] = 1;
      }
    for (int v = 0; v < surface.vertex_count(); ++v)
      EXPECT_EQ(surface.on_boundary(v), expected[static_cast<std::size_t>(v)] != 0)
          << mesh.name << " vertex " << v;
  }
}

TEST(Surface, EdgeWithThreeFacesKeepsAllOfThem) {
  const std::vector<Face> faces = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  const std::vector<int> weld = {0, 1, 2, 3, 4};
  expect_brute_force_rings(faces, weld);
  EXPECT_EQ(Surface(faces, weld).non_manifold_faces(), 1);
}

TEST(Surface, NeighboursOfOppositeWindingKeepBothFaces) {
  const std::vector<Face> faces = {{0, 1, 2}, {0, 1, 3}};
  const std::vector<int> weld = {0, 1, 2, 3};
  expect_brute_force_rings(faces, weld);
  EXPECT_EQ(Surface(faces, weld).non_manifold_faces(), 1);
}

TEST(Surface, BowTieVertexKeepsBothFans) {
  const std::vector<int> weld = {0, 1, 2, 3, 4, 5, 6};
  expect_brute_force_rings({{0, 1, 2}, {0, 3, 4}}, weld);
  // Two closed tetrahedra that meet in vertex 0.
  expect_brute_force_rings(
      {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {3, 2, 1}, {0, 4, 5}, {0, 5, 6}, {0, 6, 4}, {6, 5, 4}}, weld);
}

TEST(Surface, RepeatedFacesAreAllKept) {
  expect_brute_force_rings({{0, 1, 2}, {0, 1, 2}, {2, 1, 0}}, {0, 1, 2});
}

TEST(Surface, FacesThatCollapseAreInNoRing) {
  const std::vector<Face> faces = {{0, 1, 2}, {1, 3, 4}, {3, 3, 3}};
  const std::vector<int> weld = {0, 1, 2, 3, 1};  // 4 is a twin of 1
  const Surface surface(faces, weld);
  EXPECT_EQ(surface.collapsed_faces(), 2);
  EXPECT_EQ(surface.face_count(), 3);
  EXPECT_EQ(ring_of(surface, 1), (CornerSet{{0, 1}}));
  EXPECT_TRUE(ring_of(surface, 3).empty());
}

TEST(Surface, IsolatedVerticesHaveEmptyRings) {
  const Surface surface(std::vector<Face>{{0, 1, 2}}, std::vector<int>{0, 1, 2, 3});
  EXPECT_EQ(surface.vertex_count(), 4);
  EXPECT_TRUE(surface.one_ring(3).empty());
}

TEST(Surface, FileAndSurfaceVerticesMapToEachOther) {
  const std::vector<int> weld = {0, 1, 0, 2, 1, 0};
  const Surface surface(std::vector<Face>{{0, 1, 3}, {2, 3, 4}}, weld);
  EXPECT_EQ(surface.file_vertex_count(), 6);
  EXPECT_EQ(surface.vertex_count(), 3);
  for (int v = 0; v < 6; ++v) EXPECT_EQ(surface.vertex_of(v), weld[static_cast<std::size_t>(v)]);
  EXPECT_EQ(surface.multiplicity(0), 3);
  EXPECT_EQ(surface.multiplicity(1), 2);
  EXPECT_EQ(surface.multiplicity(2), 1);
  EXPECT_EQ(surface.representative(0), 0);
  EXPECT_EQ(surface.representative(1), 1);
  EXPECT_EQ(surface.representative(2), 3);
  EXPECT_EQ(surface.face(1), (Face{2, 3, 4}));
}

TEST(Surface, IndexOutOfRangeNamesTheFace) {
  for (const int bad : {-1, 3, 1000000}) {
    const std::vector<Face> faces = {{0, 1, 2}, {2, 1, bad}};
    try {
      const Surface surface(faces, std::vector<int>{0, 1, 2});
      FAIL() << "accepted " << bad;
    } catch (const InputError& e) {
      EXPECT_EQ(e.element(), "face 1");
      EXPECT_NE(e.reason().find(std::to_string(bad)), std::string::npos);
    }
  }
}

TEST(Surface, WithoutVerticesIsEmpty) {
  const Surface surface({}, {});
  EXPECT_EQ(surface.vertex_count(), 0);
  EXPECT_EQ(surface.face_count(), 0);
}

}  // namespace
}  // namespace skinlight
