#include "skinlight/preprocess/centres/detail/weight_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "skinlight/core/detail/at.h"
#include "skinlight/mesh/weld.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

// Of areas, distances of weights and integrals, all of the order of 1: sums of a few hundred pieces.
constexpr double kRounding = 1e-11;

std::vector<double> dense(const WeightVectors& w, const Face& f, const Barycentric& l, int bones) {
  std::vector<double> all(at(bones), 0);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < w.bones(f[c]).size(); ++k)
      all[at(w.bones(f[c])[k])] += l[c] * w.weights(f[c])[k];
  return all;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

WeightedSurface jagged(const test_meshes::TriangleMesh& shape, Random& random) {
  const RiggedMesh mesh = test_rigs::bind_jagged(shape, 6, 4, random);
  return weighted_surface(mesh, Surface(mesh.faces, weld(mesh)));
}

// A triangle with the given weights on three bones.
WeightedSurface triangle(const double (&weights)[3][3]) {
  WeightedSurface surface;
  surface.faces = {{0, 1, 2}};
  surface.p = {Vec3d(0.0), {1, 0, 0}, {.3, .8, 0}};
  for (const auto& w : weights) {
    for (int bone = 0; bone < 3; ++bone)
      if (w[bone] > 0) {
        surface.weights.bone.push_back(bone);
        surface.weights.weight.push_back(w[bone]);
      }
    surface.weights.close();
  }
  return surface;
}

TEST(WeightPieces, ObeyTheThresholdAndCoverTheTriangleOnce) {
  Random random(51);
  for (const auto& shape : {test_meshes::sphere(1), test_meshes::tangle(20, 40, random)}) {
    const WeightedSurface surface = jagged(shape, random);
    for (const double threshold : {.05, .1, .3, 1.}) {
      for (const Face& f : surface.faces) {
        const std::vector<Polygon> pieces = pieces_of(surface.weights, f, threshold);
        double covered = 0;
        for (const Polygon& piece : pieces) {
          for (const Barycentric& p : piece) {
            EXPECT_NEAR(p[0] + p[1] + p[2], 1, kRounding);
            for (const double l : p) EXPECT_GE(l, -kRounding);
            for (const Barycentric& q : piece)
              EXPECT_LE(distance(dense(surface.weights, f, p, 6), dense(surface.weights, f, q, 6)),
                        threshold + kRounding);
          }
          // Signed: a piece turned over or not convex would take away.
          for (std::size_t i = 2; i < piece.size(); ++i) {
            const Barycentric &p = piece[0], &q = piece[i - 1], &r = piece[i];
            const double twice = (q[1] - p[1]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[1] - p[1]);
            EXPECT_GE(twice, -kRounding);
            covered += twice;
          }
        }
        EXPECT_NEAR(covered, 1, kRounding);
        // Together with the areas: a point in two pieces would leave another in none.
        for (int i = 0; i < 5; ++i) {
          const double u = random.uniform(), v = random.uniform() * (1 - u);
          const Barycentric x = {1 - u - v, u, v};
          const auto inside = [&](const Polygon& piece) {
            for (std::size_t c = 0; c < piece.size(); ++c) {
              const Barycentric &p = piece[c], &q = piece[(c + 1) % piece.size()];
              if ((q[1] - p[1]) * (x[2] - p[2]) - (q[2] - p[2]) * (x[1] - p[1]) < -kRounding) return false;
            }
            return true;
          };
          EXPECT_EQ(std::count_if(pieces.begin(), pieces.end(), inside), 1);
        }
      }
    }
  }
}

TEST(WeightPieces, KeepAreaAndTheIntegralsOfPositionAndWeights) {
  Random random(52);
  for (const auto& shape : test_meshes::manifold_families(random)) {
    const WeightedSurface surface = jagged(shape, random);
    // Area, the integrals of position and those of each bone's weight: linear functions per triangle.
    const auto integrals = [](const WeightedTriangles& triangles) {
      std::vector<double> sums(10, 0);
      for (int t = 0; t < triangles.count(); ++t) {
        const double area = triangles.area[at(t)];
        sums[0] += area;
        for (int c = 0; c < 3; ++c) sums[at(c) + 1] += area * triangles.centroid[at(t)][c];
        for (std::size_t k = 0; k < triangles.weights.bones(t).size(); ++k)
          sums[at(triangles.weights.bones(t)[k]) + 4] += area * triangles.weights.weights(t)[k];
      }
      return sums;
    };
    const WeightedTriangles whole = weighted_triangles(surface), pieces = weighted_pieces(surface, .1);
    EXPECT_GT(pieces.count(), whole.count());
    const auto before = integrals(whole), after = integrals(pieces);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_NEAR(after[i], before[i], kRounding * before[0]) << shape.name << " " << i;
  }
}

// One direction of change needs no more strips than the distance takes; two need cells: at least the area of
// the equilateral triangle of edge sqrt 2 over that of the largest set of diameter .1, a disc.
TEST(WeightPieces, AreAsFewAsTheDistancesOfWeightsTake) {
  EXPECT_EQ(weighted_pieces(triangle({{1, 0, 0}, {1, 0, 0}, {0, 1, 0}}), .1).count(), 15);  // sqrt 2 / .1
  EXPECT_EQ(weighted_pieces(triangle({{1, 0, 0}, {.5, .5, 0}, {0, 1, 0}}), .1).count(), 15);
  EXPECT_EQ(weighted_pieces(triangle({{1, 0, 0}, {.95, .05, 0}, {1, 0, 0}}), .1).count(), 1);
  const int cells = weighted_pieces(triangle({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), .1).count();
  EXPECT_GE(cells, std::sqrt(3.) / 2 / (M_PI * .05 * .05));
  EXPECT_LE(cells, 210);  // cells of half a squared threshold, 174 of them, and those the edges cut
  // The bisection's, for the same threshold.
  Random random(53);
  const WeightedSurface surface = jagged(test_meshes::sphere(2), random);
  EXPECT_LT(weighted_pieces(surface, .1).count(), .6 * subdivide_by_weights(surface, .1).face_count());
}

// Of two ways to cut, each with an error of second order, the finer agree: the coarse ones do not.
TEST(WeightPieces, GiveTheCentresOfTheBisection) {
  Random random(54);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::sphere(1), 4, 3, random);
  const Surface surface(mesh.faces, weld(mesh));
  const auto farthest = [&](double threshold) {
    const CentreOptions pieces{.subdivide_above = threshold};
    CentreOptions bisected{.method = CentreMethod::breadth_first, .cutoff = 1e-300, .omega = 2};
    bisected.subdivide_above = threshold;
    const RotationCentres a = rotation_centres(mesh, surface, pieces),
                          b = rotation_centres(mesh, surface, bisected);
    double worst = 0;
    for (std::size_t v = 0; v < a.centre.size(); ++v)
      worst = std::max(worst, length(a.centre[v] - b.centre[v]));
    return worst;
  };
  const double coarse = farthest(1), fine = farthest(.1);
  EXPECT_LT(fine, .01);
  EXPECT_LT(fine, coarse / 4);
}

}  // namespace
}  // namespace skinlight
