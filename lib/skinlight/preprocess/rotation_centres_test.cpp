#include "skinlight/preprocess/rotation_centres.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "skinlight/mesh/weld.h"
#include "skinlight/preprocess/test_centres.h"
#include "skinlight/preprocess/test_gradients.h"
#include "skinlight/rig/procedural.h"
#include "skinlight/rig/test_rigs.h"

namespace skinlight {
namespace {

using test_centres::at;
using test_centres::direct_centres;
using test_centres::radius;
using test_gradients::eigen;

// Of the mesh's radius: what is asked of every exact way to sum.
constexpr double kExact = 1e-12;

// Of the oracle's 4x4 systems on these triangles.
constexpr double kSolver = 1e-10;

struct Case {
  std::string name;
  RiggedMesh mesh;
};

// Smooth and wild weights on every family, some vertices on one bone.
std::vector<Case> rigs() {
  Random random(7);
  std::vector<Case> cases;
  for (const auto& shape :
       {test_meshes::sphere(2), test_meshes::bumpy_sphere(2, random), test_meshes::terrain(7, .2, random),
        test_meshes::slivers(7, random), test_meshes::tangle(40, 90, random)})
    for (const int slots : {2, 8}) {
      cases.push_back({shape.name + ", smooth", test_rigs::bind(shape, 9, slots, random)});
      cases.push_back({shape.name + ", jagged", test_rigs::bind_jagged(shape, 9, slots, random)});
    }
  return cases;
}

TEST(RotationCentres, EqualTheDirectSum_Eq10) {
  for (const Case& c : rigs())
    for (const double sigma : {.1, .5}) {
      const Surface surface(c.mesh.faces, weld(c.mesh));
      const auto direct = direct_centres(c.mesh, sigma);
      const RotationCentres centres = rotation_centres(c.mesh, surface, {.sigma = sigma});
      int compared = 0;
      double worst = 0;
      for (int v = 0; v < c.mesh.vertex_count(); ++v) {
        if (!direct[at(v)]) continue;
        ASSERT_TRUE(centres.has_centre[at(v)]) << c.name << ", vertex " << v;
        worst = std::max(worst, length(centres.centre[at(v)] - *direct[at(v)]));
        ++compared;
      }
      EXPECT_LT(worst, kExact * radius(c.mesh)) << c.name;
      EXPECT_GT(compared, c.mesh.vertex_count() / 3) << c.name;
    }
}

// The derivative against differences of centres along the two tangents, on a plane where the centres are a
// smooth function of the place.
TEST(RotationCentres, DerivativeIsTheOneRingsGradient) {
  Random random(8);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::terrain(10, .1, random), 5, 3, random);
  const Surface surface(mesh.faces, weld(mesh));
  const RotationCentres centres = rotation_centres(mesh, surface);
  // Eq. 5 per face for each coordinate, averaged by the mixed Voronoi areas.
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    double total = 0;
    for (const Face& f : mesh.faces) {
      const auto corner = std::find(f.begin(), f.end(), v);
      if (corner == f.end()) continue;
      const auto c = static_cast<std::size_t>(corner - f.begin());
      const Vec3d p[3] = {mesh.p0[at(f[0])], mesh.p0[at(f[1])], mesh.p0[at(f[2])]};
      const double share = corner_weight(Averaging::mixed_voronoi, p[c], p[(c + 1) % 3], p[(c + 2) % 3]);
      total += share;
      for (int axis = 0; axis < 3; ++axis) {
        Eigen::Vector3d values;
        for (int k = 0; k < 3; ++k) values[k] = centres.centre[at(f[at(k)])][axis];
        sum.row(axis) += share * test_gradients::solve_eq5(p[0], p[1], p[2], values).transpose();
      }
    }
    const Eigen::Matrix3d gradient = sum / total;
    EXPECT_LT((gradient * eigen(mesh.t0[at(v)]) - eigen(centres.along_t[at(v)])).norm(),
              kSolver * gradient.norm());
    EXPECT_LT((gradient * eigen(mesh.b0[at(v)]) - eigen(centres.along_b[at(v)])).norm(),
              kSolver * gradient.norm());
    EXPECT_GT(gradient.norm(), 0);
  }
}

// On one bone Eq. 10 reads 0 / 0. Where the weights begin to change, the centre is the limit along them;
// where they do not, there is none and the vertex stands in for it.
TEST(RotationCentres, OfSingleBoneVerticesAreLimitsOrAbsent) {
  const RiggedMesh mesh = cylinder({}, {.segments = 16}).mesh;
  const Surface surface(mesh.faces, weld(mesh));
  const RotationCentres centres = rotation_centres(mesh, surface);
  RiggedMesh nearly = mesh;  // the same with a weight of 1e-9 instead of 0
  for (std::size_t v = 0; v < nearly.p0.size(); ++v)
    if (nearly.weight[2 * v + 1] == 0) {
      nearly.weight[2 * v] = 1 - 1e-9;
      nearly.weight[2 * v + 1] = 1e-9;
      nearly.bone[2 * v + 1] = 1 - nearly.bone[2 * v];
    }
  const auto limits = direct_centres(nearly, .1);
  int single = 0, absent = 0, limit = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.weights_of(v)[1] > 0) continue;
    ++single;
    if (centres.has_centre[at(v)]) {
      ++limit;
      EXPECT_LT(length(centres.centre[at(v)] - *limits[at(v)]), 1e-6) << v;
    } else {
      ++absent;
      EXPECT_EQ(centres.centre[at(v)], mesh.p0[at(v)]);
      EXPECT_EQ(length(centres.along_t[at(v)]) + length(centres.along_b[at(v)]), 0);
    }
  }
  EXPECT_EQ(limit, 2 * 17);  // the ring beyond either end of the ramp; the seam counts twice
  EXPECT_GT(absent, 0);
  EXPECT_EQ(centres.single_bone, single);
  EXPECT_EQ(centres.limits, limit);
  EXPECT_EQ(centres.without_centre, absent);
}

}  // namespace
}  // namespace skinlight
