#include "skinlight/preprocess/deform_factors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>

#include "skinlight/core/error.h"
#include "skinlight/samples/procedural.h"
#include "testing/error_of.h"
#include "testing/gradients.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using test_errors::error_of;

using testing::HasSubstr;

constexpr double kRounding = 1e-13;  // sums over slots, relative to the largest factor
constexpr double kSolver = 1e-7;     // the oracle solves Eq. 5 as a system

Surface surface_of(const RiggedMesh& mesh) { return {mesh.faces, weld(mesh)}; }

NormalRecord factors_of(const RiggedMesh& mesh, const DeformFactorOptions& options = {}) {
  return deform_factors(mesh, surface_of(mesh), options);
}

// Smooth and jagged rigs over all shapes, one to eight influences.
void each_rig(std::uint64_t seed, const std::function<void(const RiggedMesh&)>& check) {
  Random random(seed);
  for (const test_meshes::TriangleMesh& shape : test_meshes::manifold_families(random))
    for (const int slots : {1, 2, 4}) {
      SCOPED_TRACE(shape.name + ", " + std::to_string(slots) + " influences");
      check(test_rigs::bind(shape, 6, slots, random));
      check(test_rigs::bind_jagged(shape, 6, slots, random));
    }
}

double largest(const std::vector<double>& values) {
  double size = 0;
  for (const double x : values) size = std::max(size, std::abs(x));
  return size;
}

TEST(DeformFactors, SumToZero_Eq12) {
  each_rig(1, [](const RiggedMesh& mesh) {
    for (const int max_slots : {4, 0}) {
      const NormalRecord f = factors_of(mesh, {.max_slots = max_slots});
      const double bound = kRounding * std::max(largest(f.alpha), largest(f.beta));
      for (int v = 0; v < mesh.vertex_count(); ++v) {
        double alpha = 0, beta = 0;
        Vec3d a(0.0);
        for (int k = 0; k < f.slots; ++k) {
          alpha += f.alpha[f.at(v, k)];
          beta += f.beta[f.at(v, k)];
          a += f.gradient[f.at(v, k)];
        }
        EXPECT_NEAR(alpha, 0, bound);
        EXPECT_NEAR(beta, 0, bound);
        EXPECT_LE(length(a), bound);
      }
    }
  });
}

TEST(DeformFactors, AreGradientsAlongTheTangents_Eq11) {
  each_rig(2, [](const RiggedMesh& mesh) {
    const NormalRecord f = factors_of(mesh);
    const double bound = kRounding * std::max(largest(f.alpha), largest(f.beta));
    for (int v = 0; v < mesh.vertex_count(); ++v)
      for (int k = 0; k < f.slots; ++k) {
        const std::size_t i = f.at(v, k), w = static_cast<std::size_t>(v);
        EXPECT_NEAR(f.alpha[i], dot(f.gradient[i], mesh.t0[w]), bound);
        EXPECT_NEAR(f.beta[i], dot(f.gradient[i], mesh.b0[w]), bound);
      }
  });
}

// The slots of a vertex by the rules of [TPS14 Sec. 3.2], from gradients that Eigen solved.
struct ExpectedSlots {
  std::vector<int> outside;  // by descending |a|
  std::map<int, Eigen::Vector3d> a;
  double largest = 0;

  ExpectedSlots(const RiggedMesh& mesh, int v, const std::map<int, Eigen::Vector3d>& gradients)
      : a(gradients) {
    for (const auto& [bone, g] : a) largest = std::max(largest, g.norm());
    for (const auto& [bone, g] : a) {
      bool own = false;
      for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
        own |= mesh.bones_of(v)[k] == bone && mesh.weights_of(v)[k] > 0;
      if (!own && g.norm() > 1e-9 * largest) outside.push_back(bone);
    }
    std::sort(outside.begin(), outside.end(), [&](int x, int y) { return a[x].norm() > a[y].norm(); });
  }
};

TEST(DeformFactors, SlotsFollowTheRulesAndTheOverflowReportIsRight) {
  int overflows = 0;
  each_rig(3, [&](const RiggedMesh& mesh) {
    // Flat triangles are left to other tests: Eq. 5 as a system is no oracle there.
    if (std::abs(mesh.p0[1].x - mesh.p0[0].x) > 10) return;
    const std::vector<int> groups = weld(mesh);
    const auto gradients = test_gradients::brute_force(mesh, groups, Averaging::mixed_voronoi);
    const NormalRecord f = factors_of(mesh);
    Overflow report;
    std::vector<double> share(mesh.p0.size(), 0.0);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      const ExpectedSlots expected(mesh, v, gradients[static_cast<std::size_t>(v)]);
      std::size_t own = 0;
      while (own < static_cast<std::size_t>(mesh.slots) && mesh.weights_of(v)[own] > 0) ++own;
      const std::size_t room = 4 - own;
      if (expected.outside.size() > room) {
        ++report.vertices;
        report.bones += static_cast<int>(expected.outside.size() - room);
        const double lost = expected.a.at(expected.outside[room]).norm();
        report.largest = std::max(report.largest, lost);
        share[static_cast<std::size_t>(v)] = lost / expected.largest;
        report.largest_share = std::max(report.largest_share, lost / expected.largest);
      }
      const double bound = kSolver * expected.largest + kRounding;
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t i = f.at(v, static_cast<int>(k));
        if (k < own) {
          EXPECT_EQ(f.bone[i], mesh.bones_of(v)[k]);
          EXPECT_EQ(f.weight[i], mesh.weights_of(v)[k]);
        } else {
          EXPECT_EQ(f.weight[i], 0);
        }
        if (k >= own && k - own < expected.outside.size()) {
          // The k-th largest; symmetric meshes have ties, which rounding decides.
          const int bone = f.bone[i];
          EXPECT_EQ(std::count(expected.outside.begin(), expected.outside.end(), bone), 1);
          EXPECT_NEAR(expected.a.at(bone).norm(), expected.a.at(expected.outside[k - own]).norm(), bound);
          for (int other = 0; other < static_cast<int>(k); ++other) EXPECT_NE(f.bone[f.at(v, other)], bone);
        }
        if (k >= own + expected.outside.size()) {
          EXPECT_EQ(f.bone[i], f.bone[f.at(v, 0)]);
          EXPECT_EQ(f.gradient[i], Vec3d(0.0));
        } else if (k > 0) {
          EXPECT_LT((eigen(f.gradient[i]) - expected.a.at(f.bone[i])).norm(), bound);
        } else if (expected.outside.size() <= room) {  // nothing lost: slot 0 is its own gradient too
          EXPECT_LT((eigen(f.gradient[i]) - expected.a.at(f.bone[i])).norm(), bound);
        }
        EXPECT_LE(f.weight[i], f.weight[f.at(v, 0)]);
      }
    }
    EXPECT_EQ(f.overflow.vertices, report.vertices);
    EXPECT_EQ(f.overflow.bones, report.bones);
    EXPECT_NEAR(f.overflow.largest, report.largest, kSolver * report.largest);
    EXPECT_NEAR(f.overflow.largest_share, report.largest_share, kSolver);
    if (report.vertices > 0) {
      ASSERT_GE(f.overflow.worst_vertex, 0);
      EXPECT_NEAR(share[static_cast<std::size_t>(f.overflow.worst_vertex)], report.largest_share, kSolver);
    } else {
      EXPECT_EQ(f.overflow.worst_vertex, -1);
    }
    overflows += report.vertices;
  });
  EXPECT_GT(overflows, 100);  // the rule was exercised
}

TEST(DeformFactors, UnlimitedSlotsKeepEveryBone) {
  each_rig(4, [](const RiggedMesh& mesh) {
    const NormalRecord f = factors_of(mesh, {.max_slots = 0});
    EXPECT_EQ(f.overflow.bones, 0);
    EXPECT_EQ(f.overflow.worst_vertex, -1);
    EXPECT_GE(f.slots, mesh.slots);
    EXPECT_LE(f.slots, mesh.bone_count);
    const NormalRecord all = factors_of(mesh, {.max_slots = kMaxSlots});
    int used = mesh.slots;  // the widest slot in use
    for (int v = 0; v < mesh.vertex_count(); ++v)
      for (int k = 0; k < all.slots; ++k)
        if (!(all.gradient[all.at(v, k)] == Vec3d(0.0))) used = std::max(used, k + 1);
    EXPECT_EQ(f.slots, used);
  });
}

TEST(DeformFactors, UnlimitedSlotsEndAtTheMaximum) {
  Random random(5);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::sphere(2), 60, 8, random);
  const NormalRecord f = factors_of(mesh, {.max_slots = 0});
  EXPECT_EQ(f.slots, kMaxSlots);
  EXPECT_GT(f.overflow.bones, 0);
  EXPECT_GT(f.overflow.largest, 0);
  EXPECT_LE(f.overflow.largest_share, 1);
}

// Weights linear in space on a plane: every one-ring average is the exact gradient, at the boundary too.
TEST(DeformFactors, LinearWeightsOnAPlaneAreExact) {
  Random random(6);
  for (int round = 0; round < 20; ++round) {
    const test_meshes::TriangleMesh shape = test_meshes::terrain(8, 0, random);
    RiggedMesh mesh = test_rigs::bind(shape, 3, 3, random);
    const Vec3d slope[3] = {{.2, .1, 0}, {-.3, .05, 0}, {.1, -.15, 0}};
    for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
      // Bone k has the weight 1/3 + slope_k . (p - centre); slopes sum to 0, so weights sum to 1.
      std::vector<std::pair<double, int>> sorted;
      for (int k = 0; k < 3; ++k)
        sorted.emplace_back(1.0 / 3 + dot(slope[k], mesh.p0[v] - Vec3d(.5, .5, 0)), k);
      std::sort(sorted.rbegin(), sorted.rend());
      for (std::size_t k = 0; k < 3; ++k) {
        mesh.weight[3 * v + k] = sorted[k].first;
        mesh.bone[3 * v + k] = sorted[k].second;
      }
    }
    for (const Averaging scheme : all_averagings()) {
      if (scheme == Averaging::voronoi) continue;  // signed: can cancel to nothing
      const NormalRecord f = factors_of(mesh, {.averaging = scheme});
      for (int v = 0; v < mesh.vertex_count(); ++v)
        for (int k = 0; k < 3; ++k) {
          const Vec3d expected = slope[f.bone[f.at(v, k)]];
          EXPECT_NEAR(f.alpha[f.at(v, k)], dot(expected, mesh.t0[static_cast<std::size_t>(v)]), 1e-11);
          EXPECT_NEAR(f.beta[f.at(v, k)], dot(expected, mesh.b0[static_cast<std::size_t>(v)]), 1e-11);
        }
    }
  }
}

TEST(DeformFactors, ConstantWeightsHaveNone) {
  Random random(7);
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 2, 2, random);
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    mesh.weight[2 * v] = .6;
    mesh.weight[2 * v + 1] = .4;
    mesh.bone[2 * v] = 1;
    mesh.bone[2 * v + 1] = 0;
  }
  const NormalRecord f = factors_of(mesh);
  EXPECT_LT(largest(f.alpha), kRounding);
  EXPECT_LT(largest(f.beta), kRounding);
  EXPECT_EQ(f.overflow.bones, 0);
}

TEST(DeformFactors, TwinsShareSlotsAndGradients) {
  const RiggedMesh mesh = pill({.segments = 24, .jitter = .2, .random_diagonals = true}).mesh;
  const Surface surface = surface_of(mesh);
  const NormalRecord f = deform_factors(mesh, surface);
  int twins = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const int first = surface.representative(surface.vertex_of(v));
    twins += first != v;
    for (int k = 0; k < f.slots; ++k) {
      EXPECT_EQ(f.bone[f.at(v, k)], f.bone[f.at(first, k)]);
      EXPECT_EQ(f.weight[f.at(v, k)], f.weight[f.at(first, k)]);
      EXPECT_EQ(f.gradient[f.at(v, k)], f.gradient[f.at(first, k)]);
      EXPECT_EQ(f.smooth_weight[f.at(v, k)], f.smooth_weight[f.at(first, k)]);
    }
  }
  EXPECT_GT(twins, 20);
}

TEST(DeformFactors, WithoutTheOptionalColumnsAreTheSame) {
  each_rig(15, [](const RiggedMesh& mesh) {
    const NormalRecord all = factors_of(mesh),
                       light = factors_of(mesh, {.gradients = false, .smooth_weights = false});
    EXPECT_EQ(factors_of(mesh, {.gradients = false}).smooth_weight, all.smooth_weight);
    EXPECT_TRUE(factors_of(mesh, {.smooth_weights = false}).gradient == all.gradient);
    EXPECT_TRUE(light.gradient.empty());
    EXPECT_TRUE(light.smooth_weight.empty());
    EXPECT_EQ(light.slots, all.slots);
    EXPECT_EQ(light.bone, all.bone);
    EXPECT_EQ(light.weight, all.weight);
    EXPECT_EQ(light.alpha, all.alpha);
    EXPECT_EQ(light.beta, all.beta);
    EXPECT_EQ(light.overflow.vertices, all.overflow.vertices);
  });
}

// Every kept bone has its mean over the far ends of the faces; what did not fit counts at slot 0.
TEST(SmoothWeights, AreMeansOverTheFarEndsOfTheFaces) {
  int overflows = 0, moved = 0;
  each_rig(17, [&](const RiggedMesh& mesh) {
    const auto expected =
        test_gradients::brute_force_smooth_weights(mesh, weld(mesh), Averaging::mixed_voronoi);
    for (const int max_slots : {4, kAllSlots}) {
      const NormalRecord f = factors_of(mesh, {.max_slots = max_slots});
      overflows += f.overflow.vertices;
      for (int v = 0; v < mesh.vertex_count(); ++v) {
        std::map<int, double> rest = expected[static_cast<std::size_t>(v)];  // no twins in these meshes
        double sum = 0;
        for (int k = 0; k < f.slots; ++k) {
          const std::size_t i = f.at(v, k);
          sum += f.smooth_weight[i];
          if (k == 0) continue;
          if (f.bone[i] == f.bone[f.at(v, 0)]) {  // an unused slot
            EXPECT_EQ(f.smooth_weight[i], 0);
            continue;
          }
          EXPECT_NEAR(f.smooth_weight[i], rest[f.bone[i]], 1e-12);
          rest[f.bone[i]] = 0;
          moved += std::abs(f.smooth_weight[i] - f.weight[i]) > .01;
        }
        double at_slot_0 = 0;
        for (const auto& [bone, w] : rest) at_slot_0 += w;
        EXPECT_NEAR(f.smooth_weight[f.at(v, 0)], at_slot_0, 1e-12);
        EXPECT_NEAR(sum, 1, 1e-12);
      }
    }
  });
  EXPECT_GT(overflows, 100);
  EXPECT_GT(moved, 1000);  // they are not the weights themselves
}

TEST(SmoothWeights, ConvergeToTheWeightsUnderRefinement) {
  const auto distance = [](int segments) {
    const NormalRecord f = factors_of(pill({.segments = segments}).mesh, {.max_slots = 2});
    double most = 0;
    for (std::size_t i = 0; i < f.weight.size(); ++i)
      most = std::max(most, std::abs(f.smooth_weight[i] - f.weight[i]));
    return most;
  };
  EXPECT_GT(std::log2(distance(24) / distance(96)) / 2,
            1.7);  // two halvings; the mean of a ring is second order
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(DeformFactors, ThreadCountDoesNotChangeAByte) {
  Random random(8);
  const test_meshes::TriangleMesh shape = test_meshes::bumpy_sphere(5, random);  // enough to be split up
  const RiggedMesh mesh = test_rigs::bind_jagged(shape, 12, 4, random);
  const NormalRecord one = factors_of(mesh, {.threads = 1});
  for (const int threads : {2, 3, 4, 0}) {
    const NormalRecord many = factors_of(mesh, {.threads = threads});
    EXPECT_TRUE(same_bytes(one.bone, many.bone));
    EXPECT_TRUE(same_bytes(one.weight, many.weight));
    EXPECT_TRUE(same_bytes(one.alpha, many.alpha));
    EXPECT_TRUE(same_bytes(one.beta, many.beta));
    EXPECT_TRUE(same_bytes(one.gradient, many.gradient));
    EXPECT_TRUE(same_bytes(one.smooth_weight, many.smooth_weight));
    EXPECT_EQ(one.overflow.vertices, many.overflow.vertices);
    EXPECT_EQ(one.overflow.bones, many.overflow.bones);
    EXPECT_EQ(one.overflow.largest, many.overflow.largest);
    EXPECT_EQ(one.overflow.largest_share, many.overflow.largest_share);
    EXPECT_EQ(one.overflow.worst_vertex, many.overflow.worst_vertex);
    EXPECT_EQ(one.flat_vertices, many.flat_vertices);
  }
}

// RMS distance of the averaged gradients from the exact ones on the pill.
double gradient_error(int segments) {
  const ProceduralRig rig = pill({.segments = segments});
  const NormalRecord f = factors_of(rig.mesh, {.max_slots = 2});
  double sum = 0;
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    // On the surface: the gradient without its part along the normal.
    const Vec3d n = rig.mesh.n0[static_cast<std::size_t>(v)],
                a = rig.gradient[static_cast<std::size_t>(2 * v)];
    const Vec3d d = f.gradient[f.at(v, 0)] - (a - n * dot(a, n));
    sum += dot(d, d);
  }
  return std::sqrt(sum / rig.mesh.vertex_count());
}

TEST(DeformFactors, ConvergeWithSecondOrderOnTheStructuredPill) {
  const double coarsest = gradient_error(12), finest = gradient_error(96);
  EXPECT_GT(std::log2(coarsest / finest) / 3, 1.7);  // three halvings of the edges
  EXPECT_GT(std::log2(gradient_error(48) / finest), 1.8);
}

TEST(DeformFactors, DegenerateInputStaysFinite) {
  Random random(9);
  RiggedMesh flawed = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 4, random);
  flawed.p0[3] = flawed.p0[5];     // faces of no area
  flawed.p0[20].y = std::nan("");  // faces that are not finite
  flawed.p0[30].x = INFINITY;
  flawed.p0[40] = Vec3d(1e300);
  flawed.faces.push_back({7, 7, 8});  // a face without area by index
  const RiggedMesh slivers = test_rigs::bind_jagged(test_meshes::slivers(20, random), 6, 4, random);
  for (const RiggedMesh& mesh : {flawed, slivers})
    for (const Averaging scheme : all_averagings())
      for (const int max_slots : {0, 4}) {
        const NormalRecord f = factors_of(mesh, {.averaging = scheme, .max_slots = max_slots});
        for (const std::vector<double>* values : {&f.alpha, &f.beta, &f.weight, &f.smooth_weight})
          for (const double x : *values) ASSERT_TRUE(std::isfinite(x)) << name(scheme);
        for (const Vec3d& a : f.gradient) ASSERT_TRUE(is_finite(a));
        EXPECT_TRUE(std::isfinite(f.overflow.largest));
      }
}

// On triangles of any shape the hat gradients are at most 1 / height; a weighted mean with positive weights
// cannot exceed the largest gradient in the one-ring.
TEST(DeformFactors, NeverExceedTheSteepestFace) {
  each_rig(10, [](const RiggedMesh& mesh) {
    double steepest = 0;
    for (const Face& f : mesh.faces) {
      const auto at = [&](std::size_t c) { return mesh.p0[static_cast<std::size_t>(f[c])]; };
      const double area = length(cross(at(1) - at(0), at(2) - at(0)));
      for (std::size_t c = 0; c < 3; ++c)
        steepest = std::max(steepest, length(at((c + 2) % 3) - at((c + 1) % 3)) / area);
    }
    const NormalRecord f = factors_of(mesh);
    for (int v = 0; v < mesh.vertex_count(); ++v)
      for (int k = 1; k < f.slots; ++k)
        EXPECT_LE(length(f.gradient[f.at(v, k)]), 2 * steepest * (1 + 1e-9));  // weights differ by at most 1
  });
}

TEST(DeformFactors, VerticesWithoutAreaAreCountedAndZero) {
  Random random(11);
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 3, 3, random);
  for (int extra = 0; extra < 2; ++extra) {  // isolated vertices
    mesh.p0.emplace_back(5 + extra, 5, 5);
    mesh.n0.emplace_back(0, 0, 1);
    mesh.bone.insert(mesh.bone.end(), {1, 2, 1});
    mesh.weight.insert(mesh.weight.end(), {.6, .4, 0});
  }
  compute_tangent_frames(mesh);
  const NormalRecord f = factors_of(mesh);
  EXPECT_EQ(f.flat_vertices, 2);
  for (int k = 0; k < f.slots; ++k) {
    const std::size_t last = f.at(mesh.vertex_count() - 1, k);
    EXPECT_EQ(f.gradient[last], Vec3d(0.0));
    EXPECT_DOUBLE_EQ(f.smooth_weight[last], f.weight[last]);  // no neighbours to average over
  }
}

TEST(DeformFactors, UnusableSlotLimitsAreErrors) {
  Random random(12);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 6, 4, random);
  EXPECT_THAT(error_of([&] { factors_of(mesh, {.max_slots = -1}); }), HasSubstr("slot limit -1"));
  EXPECT_THAT(error_of([&] { factors_of(mesh, {.max_slots = kMaxSlots + 1}); }), HasSubstr("slot limit 17"));
  EXPECT_THAT(error_of([&] { factors_of(mesh, {.max_slots = 3}); }), HasSubstr("more than the 3 slots"));
  EXPECT_EQ(error_of([&] { factors_of(mesh, {.max_slots = 4}); }), "accepted");
}

TEST(DeformFactors, VertexWithoutWeightIsNamed) {
  Random random(13);
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 3, 3, random);
  for (std::size_t k = 0; k < 3; ++k) mesh.weight[3 * 7 + k] = 0;
  EXPECT_THAT(error_of([&] { factors_of(mesh); }), HasSubstr("vertex 7: has no positive weight"));
}

TEST(DeformFactors, SurfaceOfAnotherMeshIsAnError) {
  Random random(14);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 3, 3, random),
                   other = test_rigs::bind(test_meshes::sphere(1), 3, 3, random);
  EXPECT_THAT(error_of([&] { deform_factors(other, surface_of(mesh)); }), HasSubstr("surface"));
  EXPECT_THAT(error_of([&] { deform_factors(mesh, surface_of(other)); }), HasSubstr("surface"));
}

TEST(DeformFactorsFromGradients, ProjectWhatTheyAreGiven_Eq11) {
  Random random(15);
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 4, 3, random);
  std::vector<Vec3d> gradient(mesh.bone.size());
  for (Vec3d& a : gradient) a = random.in_cube(1);
  const NormalRecord f = deform_factors_from_gradients(mesh, gradient);
  EXPECT_EQ(f.slots, 3);
  EXPECT_EQ(f.bone, mesh.bone);
  EXPECT_EQ(f.weight, mesh.weight);
  EXPECT_EQ(f.smooth_weight, mesh.weight);
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const Vec3d first = -(gradient[3 * v + 1] + gradient[3 * v + 2]);  // slot 0 closes the sum [Eq. 12]
    const Vec3d expected[3] = {first, gradient[3 * v + 1], gradient[3 * v + 2]};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT(length(f.gradient[3 * v + k] - expected[k]), kRounding);
      EXPECT_NEAR(f.alpha[3 * v + k], dot(expected[k], mesh.t0[v]), kRounding);
      EXPECT_NEAR(f.beta[3 * v + k], dot(expected[k], mesh.b0[v]), kRounding);
    }
  }
}

TEST(DeformFactorsFromGradients, WrongCountIsAnError) {
  Random random(16);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 3, 3, random);
  const std::vector<Vec3d> gradient(mesh.bone.size() - 1);
  EXPECT_THAT(error_of([&] { deform_factors_from_gradients(mesh, gradient); }), HasSubstr("one per slot"));
}

}  // namespace
}  // namespace skinlight
