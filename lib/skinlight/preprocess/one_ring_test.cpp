#include "skinlight/preprocess/one_ring.h"

#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/angle.h"
#include "skinlight/samples/procedural.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;  // of lengths of about 1
constexpr double kAngle = 1e-5;      // degrees: atan2 of numbers that are rounded

// A bound mesh without normals of its own; bones and weights: #V by `slots`.
RiggedMesh bound(std::vector<Vec3d> p, std::vector<Face> faces, int slots, std::vector<int> bone,
                 std::vector<double> weight) {
  RiggedMesh mesh;
  mesh.p0 = std::move(p);
  mesh.faces = std::move(faces);
  mesh.slots = slots;
  mesh.bone = std::move(bone);
  mesh.weight = std::move(weight);
  return mesh;
}

std::vector<int> apart(const RiggedMesh& mesh) {
  std::vector<int> weld;
  for (int v = 0; v < mesh.vertex_count(); ++v) weld.push_back(v);
  return weld;
}

// The octahedron |x| + |y| + |z| = 1: neighbouring normals (1, 1, 1) and (1, 1, -1) are acos(1/3) apart.
RiggedMesh octahedron() {
  return bound({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
               {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}, 2,
               {0, 1, 1, 0, 0, 2, 0, 1, 0, 1, 0, 1}, {1, 0, .75, .25, .5, .5, 1, 0, 1, 0, 1, 0});
}

TEST(OneRing, AnglesAndLengthsAreThoseOfTheOctahedron) {
  const RiggedMesh mesh = octahedron();
  const OneRings rings = one_rings(mesh, Surface(mesh.faces, apart(mesh)));
  for (std::size_t v = 0; v < 6; ++v) {
    EXPECT_NEAR(rings.dihedral[v], kDegrees * std::acos(1. / 3), kAngle);
    EXPECT_NEAR(rings.edge_length[v], std::sqrt(2.) / std::sqrt(12.), kRounding);  // the box is 2 by 2 by 2
  }
}

// Vertex 0 is held by bone 0, 1 by 3/4 of bone 1 and 1/4 of bone 0, 2 by half of bones 0 and 2 each: slots are no bones.
TEST(OneRing, WeightsThatChangeAreToldByBone) {
  const RiggedMesh mesh = octahedron();
  const std::vector<double> change = one_rings(mesh, Surface(mesh.faces, apart(mesh))).weight_change;
  EXPECT_NEAR(change[0], .5, kRounding);   // to vertex 2; 0 and 1 are opposite
  EXPECT_NEAR(change[1], .75, kRounding);  // to those held by bone 0 alone; to vertex 2 it is .75 too
  EXPECT_NEAR(change[2], .75, kRounding);
  EXPECT_NEAR(change[3], .75, kRounding);
  EXPECT_NEAR(change[4], .75, kRounding);
}

TEST(OneRing, AFlatStripHasNoAnglesAndItsBordersCount) {
  const RiggedMesh mesh = bound({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 3, 2}}, 2,
                                {0, 1, 0, 1, 0, 1, 0, 1}, {1, 0, .8, .2, 1, 0, .8, .2});
  const OneRings rings = one_rings(mesh, Surface(mesh.faces, apart(mesh)));
  for (std::size_t v = 0; v < 4; ++v) {
    EXPECT_NEAR(rings.dihedral[v], 0, kAngle);
    EXPECT_NEAR(rings.weight_change[v], .2, kRounding);
  }
  EXPECT_NEAR(rings.edge_length[0], 1 / std::sqrt(2.), kRounding);
  EXPECT_NEAR(rings.edge_length[1], (2 + 2 * std::sqrt(2.)) / 4 / std::sqrt(2.),
              kRounding);  // the diagonal twice
}

TEST(OneRing, TwinsAcrossASeamShareTheirRing) {
  const RiggedMesh mesh = bound({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}, {0, 1, 0}},
                                {{0, 1, 2}, {3, 4, 5}}, 1, {0, 0, 0, 0, 1, 0}, {1, 1, 1, 1, 1, 1});
  const OneRings rings = one_rings(mesh, Surface(mesh.faces, std::vector<int>{0, 1, 2, 1, 3, 2}));
  EXPECT_EQ(rings.weight_change[1], 1);
  EXPECT_EQ(rings.weight_change[1], rings.weight_change[3]);
  EXPECT_GT(rings.dihedral[2], 10);
  EXPECT_EQ(rings.dihedral[2], rings.dihedral[5]);
  EXPECT_EQ(rings.dihedral[0], 0);  // one face
}

TEST(NonRigidity, IsNoneOfMotionsAndTheShareByWhichEdgesGrow) {
  const RiggedMesh mesh = octahedron();
  const Surface surface(mesh.faces, apart(mesh));
  std::vector<Vec3d> turned, grown, shrunk, stretched;
  for (const Vec3d& p : mesh.p0) {
    turned.push_back({p.y + 3, -p.x, p.z});
    grown.push_back(1.5 * p);
    shrunk.push_back(.75 * p);
    stretched.push_back({p.x, p.y, 2 * p.z});
  }
  for (std::size_t v = 0; v < 6; ++v) {
    EXPECT_NEAR(non_rigidity(surface, mesh.p0, turned)[v], 0, kRounding);
    EXPECT_NEAR(non_rigidity(surface, mesh.p0, grown)[v], .5, kRounding);
    EXPECT_NEAR(non_rigidity(surface, mesh.p0, shrunk)[v], .25, kRounding);
  }
  // Two of the four edges at the equator rise to the poles, all of those at a pole.
  EXPECT_NEAR(non_rigidity(surface, mesh.p0, stretched)[0], (std::sqrt(2.5) - 1) / 2, kRounding);
  EXPECT_NEAR(non_rigidity(surface, mesh.p0, stretched)[4], std::sqrt(2.5) - 1, kRounding);
}

// Along the pill's axis weights change over 3 of 6 units, by the most in the middle: smootherstep's slope is 15/8 there.
TEST(RingSummary, LooksAtWhatBlendsOnly) {
  const ProceduralRig rig = pill({.segments = 96});
  const Surface surface(rig.mesh.faces, weld(rig.mesh));
  const RingSummary found = summary(one_rings(rig.mesh, surface), rig.mesh, surface);
  const double spacing = 2 * std::acos(-1.) / 96;
  EXPECT_NEAR(found.blended, .47, .015);  // the steep part of 3 of 6 units of the area
  EXPECT_NEAR(found.weight_change.max, 15. / 8 * spacing / 3, .1 * 15. / 8 * spacing / 3);
  EXPECT_LT(found.weight_change.q1, found.weight_change.median);
  EXPECT_LT(found.weight_change.median, found.weight_change.q3);
  EXPECT_NEAR(found.dihedral.median, 360. / 96, .1);
}

TEST(RingSummary, IsZeroWhereNothingBlends) {
  RiggedMesh mesh = octahedron();
  mesh.slots = 1;
  mesh.bone.assign(6, 0);
  mesh.weight.assign(6, 1);
  const Surface surface(mesh.faces, apart(mesh));
  const RingSummary found = summary(one_rings(mesh, surface), mesh, surface);
  EXPECT_EQ(found.blended, 0);
  EXPECT_EQ(found.weight_change.max, 0);
}

}  // namespace
}  // namespace skinlight
