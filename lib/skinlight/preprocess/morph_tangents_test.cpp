#include "skinlight/preprocess/morph_tangents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/weight_gradients.h"
#include "testing/gradients.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-9;  // solves of 4 by 4 systems and sums over one-rings, numbers near 1

Surface surface_of(const RiggedMesh& mesh) { return Surface(mesh.faces, weld(mesh)); }

// Displaces a random share of the vertices, twins alike.
MorphTarget random_target(const RiggedMesh& mesh, const Surface& surface, Random& random) {
  std::vector<Vec3d> of_surface(static_cast<std::size_t>(surface.vertex_count()), Vec3d(0.0));
  for (Vec3d& d : of_surface)
    if (random.below(3) == 0) d = random.in_cube(.3);
  MorphTarget morph{"random", {}, {}};
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3d d = of_surface[static_cast<std::size_t>(surface.vertex_of(v))];
    if (d == Vec3d(0.0)) continue;
    morph.vertex.push_back(v);
    morph.dp.push_back(d);
  }
  return morph;
}

// Every component of the displacement is a function on the surface: its gradient by Eq. 5, its average by
// looking at all faces.
TEST(MorphTangents, AreTheAveragedDerivativesOfTheDisplacement_Eq5) {
  Random random(1);
  for (const test_meshes::TriangleMesh& shape : test_meshes::manifold_families(random))
    for (const Averaging scheme : {Averaging::mixed_voronoi, Averaging::angle}) {
      const RiggedMesh mesh = test_rigs::bind(shape, 3, 2, random);
      const Surface surface = surface_of(mesh);
      const MorphTarget morph = random_target(mesh, surface, random);
      std::vector<Vec3d> dp(mesh.p0.size(), Vec3d(0.0));
      for (std::size_t i = 0; i < morph.vertex.size(); ++i)
        dp[static_cast<std::size_t>(morph.vertex[i])] = morph.dp[i];

      std::vector<Eigen::Matrix3d> D(dp.size(), Eigen::Matrix3d::Zero());
      std::vector<double> total(dp.size(), 0.0);
      for (const Face& f : mesh.faces) {
        Vec3d p[3];
        for (std::size_t c = 0; c < 3; ++c) p[c] = mesh.p0[static_cast<std::size_t>(f[c])];
        Eigen::Matrix3d of_face;
        for (int i = 0; i < 3; ++i) {
          Eigen::Vector3d corner;
          for (std::size_t c = 0; c < 3; ++c)
            corner[static_cast<Eigen::Index>(c)] = dp[static_cast<std::size_t>(f[c])][i];
          of_face.row(i) = test_gradients::solve_eq5(p[0], p[1], p[2], corner).transpose();
        }
        for (std::size_t c = 0; c < 3; ++c) {
          const double share = corner_weight(scheme, p[c], p[(c + 1) % 3], p[(c + 2) % 3]);
          D[static_cast<std::size_t>(f[c])] += share * of_face;
          total[static_cast<std::size_t>(f[c])] += share;
        }
      }

      const MorphTangents tangents = morph_tangents(mesh, surface, std::array{morph}, scheme, 1)[0];
      ASSERT_TRUE(std::is_sorted(tangents.vertex.begin(), tangents.vertex.end()));
      EXPECT_GT(tangents.vertex.size(), morph.vertex.size()) << "the ring around what moves turns too";
      double size = 1;
      for (std::size_t v = 0; v < D.size(); ++v) size = std::max(size, D[v].norm() / total[v]);
      for (std::size_t v = 0; v < D.size(); ++v) {
        const auto found =
            std::lower_bound(tangents.vertex.begin(), tangents.vertex.end(), static_cast<int>(v));
        Vec3d dt(0.0), db(0.0);
        if (found != tangents.vertex.end() && *found == static_cast<int>(v)) {
          dt = tangents.dt[static_cast<std::size_t>(found - tangents.vertex.begin())];
          db = tangents.db[static_cast<std::size_t>(found - tangents.vertex.begin())];
        }
        const Eigen::Matrix3d average = D[v] / total[v];
        EXPECT_LT((average * eigen(mesh.t0[v]) - eigen(dt)).norm(), kRounding * size);
        EXPECT_LT((average * eigen(mesh.b0[v]) - eigen(db)).norm(), kRounding * size);
      }
    }
}

// The fact that morphing rests on, exact in every face: a weight falls along the image of a direction as it
// fell along the direction.
TEST(MorphTangents, WeightsHaveTheSameDerivativesAlongCarriedTangentsInEveryFace_Eq11) {
  Random random(2);
  for (int round = 0; round < 500; ++round) {
    Vec3d p[3], q[3], w;
    for (int c = 0; c < 3; ++c) {
      p[c] = random.in_cube(1);
      q[c] = p[c] + random.in_cube(1);
      w[c] = random.uniform();
    }
    const auto rest = hat_gradients(p[0], p[1], p[2]), after = hat_gradients(q[0], q[1], q[2]);
    const double u = random.uniform(-1, 1), v = random.uniform(-1, 1);
    const Vec3d t0 = (p[1] - p[0]) * u + (p[2] - p[0]) * v;
    Vec3d t = t0;
    double before_slope = 0, after_slope = 0, size = 1;
    for (int c = 0; c < 3; ++c) t += (q[c] - p[c]) * dot(rest[static_cast<std::size_t>(c)], t0);
    for (int c = 0; c < 3; ++c) {
      before_slope += w[c] * dot(rest[static_cast<std::size_t>(c)], t0);
      after_slope += w[c] * dot(after[static_cast<std::size_t>(c)], t);
      size = std::max({size, length(rest[static_cast<std::size_t>(c)]),
                       length(after[static_cast<std::size_t>(c)]) * length(t)});
    }
    EXPECT_NEAR(before_slope, after_slope, 1e-10 * size * size);
  }
}

// The same for whole deform factors, on a plane with irregular triangles under an affine morph, where
// averages add no error: the factors of the morphed mesh along the carried tangents are those at rest.
TEST(MorphTangents, DeformFactorsOfThePlaneAreTheSameAfterEveryAffineMorph_Eq11) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    test_meshes::TriangleMesh shape = test_meshes::terrain(6, 0, random);
    RiggedMesh mesh = test_rigs::bind(shape, 4, 4, random);
    const Surface surface = surface_of(mesh);
    const Mat3d A = Mat3d(test_rigs::random_affine(random, 1));
    MorphTarget morph{"affine", {}, {}};
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      const Vec3d p = mesh.p0[static_cast<std::size_t>(v)];
      morph.vertex.push_back(v);
      morph.dp.push_back(A * p + Vec3d(1, 2, 3));
    }
    const MorphTangents tangents = morph_tangents(mesh, surface, std::array{morph})[0];
    const NormalRecord before = deform_factors(mesh, surface, {.averaging = Averaging::uniform});
    const double weight = random.uniform(-.5, .5);
    RiggedMesh after = mesh;
    for (std::size_t v = 0; v < after.p0.size(); ++v) {
      ASSERT_LT(length(tangents.dt[v] - A * mesh.t0[v]), kRounding);
      ASSERT_LT(length(tangents.db[v] - A * mesh.b0[v]), kRounding);
      after.p0[v] += morph.dp[v] * weight;
      after.t0[v] += tangents.dt[v] * weight;
      after.b0[v] += tangents.db[v] * weight;
    }
    const NormalRecord recomputed = deform_factors(after, surface, {.averaging = Averaging::uniform});
    ASSERT_EQ(before.bone, recomputed.bone);
    double largest = 0;
    for (std::size_t i = 0; i < before.alpha.size(); ++i) {
      EXPECT_NEAR(before.alpha[i], recomputed.alpha[i], 1e-8);
      EXPECT_NEAR(before.beta[i], recomputed.beta[i], 1e-8);
      largest = std::max(largest, std::abs(before.alpha[i]));
    }
    EXPECT_GT(largest, .1);
  }
}

TEST(MorphTangents, TranslationsTurnNothingAndForeignTargetsAreRefused) {
  Random random(4);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 3, 2, random);
  const Surface surface = surface_of(mesh);
  MorphTarget morph{"up", {}, {}};
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    morph.vertex.push_back(v);
    morph.dp.emplace_back(0, 0, 2);
  }
  const std::vector<MorphTangents> tangents = morph_tangents(mesh, surface, std::array{morph});
  ASSERT_EQ(tangents.size(), 1u);
  for (const Vec3d& dt : tangents[0].dt) EXPECT_LT(length(dt), 1e-12);
  EXPECT_TRUE(morph_tangents(mesh, surface, {}).empty());
  morph.vertex.back() = mesh.vertex_count();
  EXPECT_THROW(morph_tangents(mesh, surface, std::array{morph}), InputError);
}

}  // namespace
}  // namespace skinlight
