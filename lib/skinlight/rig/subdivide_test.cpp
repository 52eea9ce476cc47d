#include "skinlight/rig/subdivide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "skinlight/mesh/normals.h"
#include "skinlight/samples/procedural.h"

namespace skinlight {
namespace {

double total_area(const RiggedMesh& mesh) {
  double sum = 0;
  for (double a : vertex_areas(Surface(mesh.faces, weld(mesh)), mesh.p0)) sum += a;
  return sum;
}

RiggedMesh jittered_pill() {
  return pill({.segments = 16, .jitter = 0.3, .random_diagonals = true, .seed = 5}).mesh;
}

TEST(BisectEdges, KeepsTheSurfaceAndItsTopology) {
  const RiggedMesh coarse = jittered_pill(), fine = bisect_edges(coarse);
  constexpr double kRounding = 1e-12;
  EXPECT_NEAR(total_area(fine), total_area(coarse), kRounding * total_area(coarse));
  EXPECT_EQ(fine.faces.size(), 4 * coarse.faces.size());
  const Surface surface(fine.faces, weld(fine));
  EXPECT_EQ(surface.vertex_count() - surface.face_count() / 2,
            2);  // closed, genus 0: V - E + F with E = 3F/2
  EXPECT_EQ(surface.non_manifold_faces() + surface.collapsed_faces(), 0);
  EXPECT_NO_THROW(validate(fine));
}

TEST(BisectEdges, WeightsAreLinearAlongTheOldEdges) {
  const RiggedMesh coarse = jittered_pill(), fine = bisect_edges(coarse);
  const auto weight_of = [](const RiggedMesh& mesh, int v, int bone) {
    double sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      if (mesh.bones_of(v)[k] == bone) sum += mesh.weights_of(v)[k];
    return sum;
  };
  constexpr double kRounding = 1e-15;
  for (std::size_t f = 0; f < coarse.faces.size(); ++f) {
    const Face& old = coarse.faces[f];
    const int middle = fine.faces[4 * f][1];  // of the edge between corners 0 and 1
    for (int bone : {0, 1})
      EXPECT_NEAR(weight_of(fine, middle, bone),
                  (weight_of(coarse, old[0], bone) + weight_of(coarse, old[1], bone)) / 2, kRounding);
    const auto a = static_cast<std::size_t>(old[0]), b = static_cast<std::size_t>(old[1]);
    const Vec3d between = (coarse.p0[a] + coarse.p0[b]) * 0.5;
    EXPECT_EQ(fine.p0[static_cast<std::size_t>(middle)], between);
  }
}

}  // namespace
}  // namespace skinlight
