#include "skinlight/preprocess/deform_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/rig/subdivide.h"
#include "skinlight/samples/procedural.h"
#include "testing/error_of.h"
#include "testing/gradients.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using test_errors::error_of;

using testing::HasSubstr;

constexpr double kRounding = 1e-12;  // sums of some hundred products of values near 1, in double
constexpr double kSolver = 1e-8;     // the oracle inverts each face's frame; slivers of 1 : 1000 cost digits

Surface surface_of(const RiggedMesh& mesh) { return {mesh.faces, weld(mesh)}; }

NormalRecord vectors_of(const RiggedMesh& mesh, const DeformVectorOptions& options = {}) {
  return deform_vectors(mesh, surface_of(mesh), options);
}

// Smooth and jagged rigs over all shapes, one to four influences.
void each_rig(std::uint64_t seed, const std::function<void(const RiggedMesh&, Random&)>& check) {
  Random random(seed);
  for (const test_meshes::TriangleMesh& shape : test_meshes::manifold_families(random))
    for (const int slots : {1, 2, 4}) {
      SCOPED_TRACE(shape.name + ", " + std::to_string(slots) + " influences");
      check(test_rigs::bind(shape, 6, slots, random), random);
      check(test_rigs::bind_jagged(shape, 6, slots, random), random);
    }
}

// sum_s M[s] tau[s] with tau measured from the origin: the definition.
Eigen::Vector3d tangent(const RiggedMesh& mesh, const NormalRecord& vectors, const std::vector<Vec3d>& along,
                        const std::vector<double>& fourth, const Pose& pose, int v) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int k = 0; k < vectors.slots; ++k) {
    const std::size_t i = vectors.at(v, k);
    Eigen::Vector4d whole;
    whole << eigen(along[i] + mesh.p0[at(v)] * fourth[i]), fourth[i];
    sum += eigen(pose.M[at(vectors.bone[vectors.at(v, k)])]) * whole;
  }
  return sum;
}

Eigen::Vector3d tangent_t(const RiggedMesh& mesh, const NormalRecord& f, const Pose& pose, int v) {
  return tangent(mesh, f, f.along_t, f.alpha, pose, v);
}

Eigen::Vector3d tangent_b(const RiggedMesh& mesh, const NormalRecord& f, const Pose& pose, int v) {
  return tangent(mesh, f, f.along_b, f.beta, pose, v);
}

// The vertex under linear blend skinning, from the mesh's own weights.
Eigen::Vector3d posed(const RiggedMesh& mesh, const Pose& pose, int v) {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < at(mesh.slots); ++k)
    p += mesh.weights_of(v)[k] *
         (eigen(pose.M[at(mesh.bones_of(v)[k])]) * eigen(mesh.p0[at(v)]).homogeneous());
  return p;
}

Eigen::Matrix3d blend(const RiggedMesh& mesh, const Pose& pose, int v) {
  Eigen::Matrix3d T = Eigen::Matrix3d::Zero();
  for (std::size_t k = 0; k < at(mesh.slots); ++k)
    T += mesh.weights_of(v)[k] * eigen(pose.M[at(mesh.bones_of(v)[k])]).leftCols<3>();
  return T;
}

// The map of a face read off its posed corners, extended along the normal by T of the vertex.
Eigen::Matrix3d face_map(const RiggedMesh& mesh, const Pose& pose, const Face& f, const Eigen::Matrix3d& T) {
  const Eigen::Vector3d e1 = eigen(mesh.p0[at(f[1])] - mesh.p0[at(f[0])]),
                        e2 = eigen(mesh.p0[at(f[2])] - mesh.p0[at(f[0])]), n = e1.cross(e2).normalized();
  Eigen::Matrix3d before, after;
  before << e1, e2, n;
  after << posed(mesh, pose, f[1]) - posed(mesh, pose, f[0]),
      posed(mesh, pose, f[2]) - posed(mesh, pose, f[0]), T * n;
  return after * before.inverse();
}

// The average of those over the one-ring, by looking at all faces.
std::vector<Eigen::Matrix3d> one_ring_maps(const RiggedMesh& mesh, const Pose& pose, Averaging scheme) {
  std::vector<Eigen::Matrix3d> sum(mesh.p0.size(), Eigen::Matrix3d::Zero());
  std::vector<double> total(mesh.p0.size(), 0.0);
  for (const Face& f : mesh.faces)
    for (std::size_t c = 0; c < 3; ++c) {
      const auto p = [&](std::size_t i) { return mesh.p0[at(f[(c + i) % 3])]; };
      const double share = corner_weight(scheme, p(0), p(1), p(2));
      sum[at(f[c])] += share * face_map(mesh, pose, f, blend(mesh, pose, f[c]));
      total[at(f[c])] += share;
    }
  for (std::size_t v = 0; v < sum.size(); ++v) sum[v] /= total[v];
  return sum;
}

TEST(DeformVectors, SumToTheTangents) {
  each_rig(1, [](const RiggedMesh& mesh, Random& random) {
    const std::vector<Pose> typical = {test_rigs::random_rigid_pose(6, random),
                                       test_rigs::random_rigid_pose(6, random)};
    for (const int max_slots : {4, kAllSlots})
      for (const bool fitted : {false, true}) {
        const NormalRecord f =
            vectors_of(mesh, {.max_slots = max_slots, .typical = fitted ? typical : std::vector<Pose>()});
        double largest = 1;
        for (std::size_t i = 0; i < f.bone.size(); ++i)
          largest = std::max({largest, length(f.along_t[i]), std::abs(f.alpha[i]), length(f.along_b[i]),
                              std::abs(f.beta[i])});
        for (int v = 0; v < mesh.vertex_count(); ++v) {
          Vec3d t(0.0), b(0.0);
          double alpha = 0, beta = 0;
          for (int k = 0; k < f.slots; ++k) {
            t += f.along_t[f.at(v, k)];
            alpha += f.alpha[f.at(v, k)];
            b += f.along_b[f.at(v, k)];
            beta += f.beta[f.at(v, k)];
          }
          EXPECT_LT(length(t - mesh.t0[at(v)]), kRounding * largest);
          EXPECT_LT(length(b - mesh.b0[at(v)]), kRounding * largest);
          EXPECT_NEAR(alpha, 0, kRounding * largest);
          EXPECT_NEAR(beta, 0, kRounding * largest);
        }
      }
  });
}

// One triangle around each vertex, as flat shading makes them: nothing is averaged, and the tangent along an
// edge is the posed edge.
TEST(DeformVectors, EqualThePosedEdgesOfAFlatShadedTriangle) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const test_meshes::TriangleMesh triangle{
        "triangle", {random.in_cube(1), random.in_cube(1), random.in_cube(1)}, {{0, 1, 2}}};
    RiggedMesh mesh = test_rigs::bind(triangle, 5, 1 + random.below(5), random);
    for (double& w : mesh.weight) w = random.uniform();
    std::vector<Warning> warnings;
    normalize_weights(mesh, warnings);
    const Vec3d e1 = mesh.p0[1] - mesh.p0[0], e2 = mesh.p0[2] - mesh.p0[0];
    if (length(cross(e1, e2)) < .1) continue;
    // t0 along the first edge; b0 any other direction of the plane.
    const double x = random.uniform(-1, 1), y = random.uniform(.3, 1);
    for (std::size_t v = 0; v < 3; ++v) {
      mesh.t0[v] = normalize(e1);
      mesh.b0[v] = normalize(e1 * x + e2 * y);
    }
    const NormalRecord f = vectors_of(mesh, {.max_slots = kAllSlots});
    const Pose pose = test_rigs::random_affine_pose(5, random);
    const Eigen::Vector3d f1 = posed(mesh, pose, 1) - posed(mesh, pose, 0),
                          f2 = posed(mesh, pose, 2) - posed(mesh, pose, 0);
    for (int v = 0; v < 3; ++v) {
      EXPECT_LT((tangent_t(mesh, f, pose, v) - f1 / length(e1)).norm(), 1e-12);
      EXPECT_LT((tangent_b(mesh, f, pose, v) - (x * f1 + y * f2) / length(e1 * x + e2 * y)).norm(), 1e-12);
    }
  }
}

TEST(DeformVectors, EqualTheAverageOfThePosedTrianglesOwnMaps) {
  int compared = 0;
  each_rig(3, [&](const RiggedMesh& mesh, Random& random) {
    const Pose pose = test_rigs::random_affine_pose(6, random);
    for (const Averaging scheme : {Averaging::area, Averaging::mixed_voronoi, Averaging::angle}) {
      const NormalRecord f = vectors_of(mesh, {.averaging = scheme, .max_slots = kAllSlots});
      ASSERT_EQ(f.overflow.bones, 0);
      const std::vector<Eigen::Matrix3d> maps = one_ring_maps(mesh, pose, scheme);
      for (int v = 0; v < mesh.vertex_count(); ++v) {
        const Eigen::Matrix3d& map = maps[at(v)];
        const double bound = kSolver * std::max(1.0, map.norm());
        EXPECT_LT((tangent_t(mesh, f, pose, v) - map * eigen(mesh.t0[at(v)])).norm(), bound);
        EXPECT_LT((tangent_b(mesh, f, pose, v) - map * eigen(mesh.b0[at(v)])).norm(), bound);
        ++compared;
      }
    }
  });
  EXPECT_GT(compared, 10000);
}

TEST(DeformVectors, FourthCoordinatesAreTheDeformFactorsOfTheSameAverage) {
  each_rig(4, [](const RiggedMesh& mesh, Random&) {
    const NormalRecord f = vectors_of(mesh, {.max_slots = kAllSlots});
    const NormalRecord paper =
        deform_factors(mesh, surface_of(mesh), {.averaging = Averaging::area, .max_slots = kAllSlots});
    double largest = 0;
    for (const double x : paper.alpha) largest = std::max(largest, std::abs(x));
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      std::map<int, double> alpha, beta;
      for (int k = 0; k < paper.slots; ++k) {
        alpha[paper.bone[paper.at(v, k)]] += paper.alpha[paper.at(v, k)];
        beta[paper.bone[paper.at(v, k)]] += paper.beta[paper.at(v, k)];
      }
      for (int k = 0; k < f.slots; ++k) {
        alpha[f.bone[f.at(v, k)]] -= f.alpha[f.at(v, k)];
        beta[f.bone[f.at(v, k)]] -= f.beta[f.at(v, k)];
      }
      for (const auto& [bone, x] : alpha) EXPECT_NEAR(x, 0, kRounding * largest);
      for (const auto& [bone, x] : beta) EXPECT_NEAR(x, 0, kRounding * largest);
    }
  });
}

// How far the linear parts are from those of the paper's factors, w[s] t0.
double distance_from_factors(int segments) {
  const RiggedMesh mesh = pill({.segments = segments}).mesh;
  const NormalRecord f = vectors_of(mesh, {.max_slots = 2});
  double most = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (int k = 0; k < 2; ++k)
      most = std::max(most, length(f.along_t[f.at(v, k)] - mesh.t0[at(v)] * f.weight[f.at(v, k)]));
  return most;
}

TEST(DeformVectors, BecomeTheDeformFactorsUnderRefinement) {
  EXPECT_GT(distance_from_factors(12), .01);  // on a coarse mesh they are others
  EXPECT_GT(std::log2(distance_from_factors(24) / distance_from_factors(96)) / 2, 1.7);  // two halvings
}

// The sizes that rank bones without typical poses, from gradients that Eigen solves: the linear part applied
// to t0 and b0.
std::map<int, double> brute_force_sizes(const RiggedMesh& mesh, int v) {
  std::map<int, Eigen::Matrix3d> linear;
  double total = 0;
  for (const Face& f : mesh.faces)
    for (std::size_t k = 0; k < 3; ++k) {
      if (f[k] != v) continue;
      const auto p = [&](std::size_t i) { return mesh.p0[at(f[i])]; };
      const double share = corner_weight(Averaging::area, p(0), p(1), p(2));
      total += share;
      const Eigen::Vector3d n = eigen(cross(p(1) - p(0), p(2) - p(0))).normalized();
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t s = 0; s < at(mesh.slots); ++s) {
          const double w = mesh.weights_of(f[c])[s];
          if (w == 0) continue;
          auto& sum = linear.try_emplace(mesh.bones_of(f[c])[s], Eigen::Matrix3d::Zero()).first->second;
          const Eigen::Vector3d hat = test_gradients::solve_eq5(
              p(0), p(1), p(2), Eigen::Vector3d::Unit(static_cast<Eigen::Index>(c)));
          sum += share * w * (c == k ? n * n.transpose() : eigen(p(c) - p(k)) * hat.transpose());
        }
    }
  std::map<int, double> sizes;
  for (const auto& [bone, sum] : linear)
    sizes[bone] =
        std::hypot((sum * eigen(mesh.t0[at(v)])).norm(), (sum * eigen(mesh.b0[at(v)])).norm()) / total;
  return sizes;
}

TEST(DeformVectors, SlotsKeepTheLargestAndTheOverflowReportIsRight) {
  Random random(5);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::terrain(8, .2, random), 9, 2, random);
  const NormalRecord f = vectors_of(mesh);
  Overflow report;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    std::map<int, double> outside = brute_force_sizes(mesh, v);
    double largest = 0;
    for (const auto& [bone, size] : outside) largest = std::max(largest, size);
    std::size_t own = 0;
    for (; own < 2 && mesh.weights_of(v)[own] > 0; ++own) {
      EXPECT_EQ(f.bone[f.at(v, static_cast<int>(own))], mesh.bones_of(v)[own]);
      EXPECT_EQ(f.weight[f.at(v, static_cast<int>(own))], mesh.weights_of(v)[own]);
      outside.erase(mesh.bones_of(v)[own]);
    }
    double smallest_kept = largest;
    for (int k = static_cast<int>(own); k < f.slots; ++k) {
      EXPECT_EQ(f.weight[f.at(v, k)], 0);
      if (f.bone[f.at(v, k)] == f.bone[f.at(v, 0)]) {  // unused
        EXPECT_TRUE(outside.empty());
        EXPECT_EQ(f.along_t[f.at(v, k)], Vec3d(0.0));
        EXPECT_EQ(f.beta[f.at(v, k)], 0);
        continue;
      }
      ASSERT_EQ(outside.count(f.bone[f.at(v, k)]), 1u);
      smallest_kept = std::min(smallest_kept, outside[f.bone[f.at(v, k)]]);
      outside.erase(f.bone[f.at(v, k)]);
    }
    double lost = 0;
    for (const auto& [bone, size] : outside) lost = std::max(lost, size);
    EXPECT_LE(lost, smallest_kept + kSolver);
    report.vertices += !outside.empty();
    report.bones += static_cast<int>(outside.size());
    report.largest = std::max(report.largest, lost);
    report.largest_share = std::max(report.largest_share, lost / largest);
  }
  EXPECT_GT(report.vertices, 30);
  EXPECT_EQ(f.overflow.vertices, report.vertices);
  EXPECT_EQ(f.overflow.bones, report.bones);
  EXPECT_NEAR(f.overflow.largest, report.largest, kSolver);
  EXPECT_NEAR(f.overflow.largest_share, report.largest_share, kSolver);
  EXPECT_GE(f.overflow.worst_vertex, 0);
  EXPECT_EQ(vectors_of(mesh, {.max_slots = kMaxSlots}).overflow.bones, 0);
}

// The RMS over poses of the distance from the tangents with all bones, over the vertices that lose some.
double tangent_loss(const RiggedMesh& mesh, const NormalRecord& few, const NormalRecord& all,
                    std::span<const Pose> poses) {
  double sum = 0;
  for (const Pose& pose : poses)
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      sum += (tangent_t(mesh, few, pose, v) - tangent_t(mesh, all, pose, v)).squaredNorm();
      sum += (tangent_b(mesh, few, pose, v) - tangent_b(mesh, all, pose, v)).squaredNorm();
    }
  return std::sqrt(sum / static_cast<double>(poses.size() * mesh.p0.size()));
}

// Poses whose bones move in few ways, as those of characters do: combinations of three.
std::vector<Pose> related_poses(int count, std::uint64_t seed, Random& random) {
  Random fixed(seed);
  std::vector<Vec3d> axis, centre;
  for (int s = 0; s < 9; ++s) {
    axis.push_back(fixed.direction());
    centre.push_back(fixed.in_cube(.5));
  }
  std::vector<Pose> poses;
  for (int k = 0; k < count; ++k) {
    const double angle[3] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    std::vector<Mat4x3d> M;
    for (std::size_t s = 0; s < 9; ++s) {
      const Mat3d R = test_rigs::rotation(axis[s], angle[s % 3]);
      M.push_back(test_rigs::transform(R, centre[s] - R * centre[s]));
    }
    poses.push_back(make_pose(std::move(M)));
  }
  return poses;
}

TEST(DeformVectorFit, BringsBackWhatWasDroppedInPosesLikeThoseItWasShown) {
  Random random(6);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::terrain(8, .2, random), 9, 2, random);
  const std::vector<Pose> shown = related_poses(40, 7, random), others = related_poses(40, 7, random);
  const NormalRecord all = vectors_of(mesh, {.max_slots = kAllSlots}), few = vectors_of(mesh),
                     fitted = vectors_of(mesh, {.typical = shown});
  EXPECT_LT(tangent_loss(mesh, fitted, all, shown), .6 * tangent_loss(mesh, few, all, shown));
  EXPECT_LT(tangent_loss(mesh, fitted, all, others), .7 * tangent_loss(mesh, few, all, others));
}

TEST(DeformVectorFit, ABoneThatMovesWithAKeptOneIsNotMissed) {
  Random random(8);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::terrain(8, .2, random), 9, 2, random);
  std::vector<Pose> pairs;  // even bones move alike, and odd ones
  for (int k = 0; k < 30; ++k) {
    const Pose two = test_rigs::random_rigid_pose(2, random);
    std::vector<Mat4x3d> M;
    for (std::size_t s = 0; s < 9; ++s) M.push_back(two.M[s % 2]);
    pairs.push_back(make_pose(std::move(M)));
  }
  const NormalRecord all = vectors_of(mesh, {.max_slots = kAllSlots}), few = vectors_of(mesh),
                     fitted = vectors_of(mesh, {.typical = pairs});
  ASSERT_GT(few.overflow.vertices, 30);
  // Four slots hold both motions; what is left of the loss is the ridge.
  EXPECT_LT(tangent_loss(mesh, fitted, all, pairs), .05 * tangent_loss(mesh, few, all, pairs));
}

TEST(DeformVectorFit, LeavesVerticesWithoutOverflowAlone) {
  Random random(9);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(3), 4, 3, random);
  const std::vector<Pose> typical = {test_rigs::random_rigid_pose(4, random)};
  const NormalRecord plain = vectors_of(mesh, {.max_slots = kAllSlots}),
                     fitted = vectors_of(mesh, {.max_slots = plain.slots, .typical = typical});
  ASSERT_EQ(fitted.overflow.bones, 0);
  const Pose pose = test_rigs::random_affine_pose(4, random);
  EXPECT_LT(tangent_loss(mesh, fitted, plain, std::vector{pose}), kRounding);
}

void expect_finite(const NormalRecord& f) {
  for (const std::vector<Vec3d>* vectors : {&f.along_t, &f.along_b})
    for (const Vec3d& v : *vectors) ASSERT_TRUE(is_finite(v));
  for (const std::vector<double>* numbers : {&f.alpha, &f.beta})
    for (const double x : *numbers) ASSERT_TRUE(std::isfinite(x));
  EXPECT_TRUE(std::isfinite(f.overflow.largest));
}

TEST(DeformVectorFit, PosesThatTellNothingChangeNothing) {
  Random random(10);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::terrain(6, .2, random), 9, 2, random);
  const std::vector<Pose> rest = {rest_pose(9)};
  const NormalRecord f = vectors_of(mesh, {.typical = rest});
  expect_finite(f);
}

// Twins with frames turned about the common normal: the same surface, so the same normal.
TEST(DeformVectors, TwinsInTheirOwnFramesHaveOneNormal) {
  RiggedMesh mesh = pill({.segments = 24, .jitter = .2, .random_diagonals = true}).mesh;
  Random random(11);
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const Mat3d turn = test_rigs::rotation(mesh.n0[v], random.uniform(0, 6));
    mesh.t0[v] = turn * mesh.t0[v];
    mesh.b0[v] = turn * mesh.b0[v];
  }
  const Surface surface = surface_of(mesh);
  const NormalRecord f = deform_vectors(mesh, surface);
  const Pose pose = test_rigs::random_rigid_pose(2, random);
  int twins = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const int first = surface.representative(surface.vertex_of(v));
    twins += first != v;
    const auto normal = [&](int i) {
      return tangent_t(mesh, f, pose, i).cross(tangent_b(mesh, f, pose, i)).normalized();
    };
    EXPECT_LT((normal(v) - normal(first)).norm(), 1e-10);
    for (int k = 0; k < f.slots; ++k) EXPECT_EQ(f.bone[f.at(v, k)], f.bone[f.at(first, k)]);
  }
  EXPECT_GT(twins, 20);
}

TEST(DeformVectors, ThreadCountDoesNotChangeAByte) {
  Random random(12);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(4, random), 12, 3, random);
  const std::vector<Pose> typical = {test_rigs::random_rigid_pose(12, random),
                                     test_rigs::random_rigid_pose(12, random)};
  const NormalRecord one = vectors_of(mesh, {.typical = typical, .threads = 1});
  for (const int threads : {2, 3, 0}) {
    const NormalRecord many = vectors_of(mesh, {.typical = typical, .threads = threads});
    EXPECT_EQ(one.bone, many.bone);
    EXPECT_EQ(one.weight, many.weight);
    EXPECT_EQ(one.alpha, many.alpha);
    EXPECT_EQ(one.beta, many.beta);
    EXPECT_TRUE(one.along_t == many.along_t);
    EXPECT_TRUE(one.along_b == many.along_b);
    EXPECT_EQ(one.overflow.vertices, many.overflow.vertices);
    EXPECT_EQ(one.overflow.bones, many.overflow.bones);
    EXPECT_EQ(one.overflow.largest, many.overflow.largest);
    EXPECT_EQ(one.overflow.worst_vertex, many.overflow.worst_vertex);
  }
}

TEST(DeformVectors, DegenerateAndNonManifoldInputStaysFinite) {
  Random random(13);
  RiggedMesh flawed = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 4, random);
  flawed.p0[3] = flawed.p0[5];     // faces of no area
  flawed.p0[20].y = std::nan("");  // faces that are not finite
  flawed.p0[30].x = INFINITY;
  flawed.p0[40] = Vec3d(1e300);
  flawed.p0[50] = Vec3d(1e150);
  flawed.faces.push_back({7, 7, 8});  // a face without area by index
  RiggedMesh tiny = test_rigs::bind_jagged(test_meshes::sphere(2), 6, 4, random);
  for (Vec3d& p : tiny.p0) p *= 1e-80;  // squares of areas leave the range of double
  const RiggedMesh slivers = test_rigs::bind_jagged(test_meshes::slivers(20, random), 6, 4, random);
  const RiggedMesh tangle = test_rigs::bind_jagged(test_meshes::tangle(12, 60, random), 6, 4, random);
  const std::vector<Pose> typical = {test_rigs::random_rigid_pose(6, random),
                                     test_rigs::random_rigid_pose(6, random)};
  for (const RiggedMesh& mesh : {flawed, tiny, slivers, tangle})
    for (const Averaging scheme : all_averagings())
      for (const int max_slots : {kAllSlots, 4}) {
        SCOPED_TRACE(name(scheme));
        expect_finite(vectors_of(mesh, {.averaging = scheme, .max_slots = max_slots}));
        expect_finite(vectors_of(mesh, {.averaging = scheme, .max_slots = max_slots, .typical = typical}));
      }
}

TEST(DeformVectors, VerticesWithoutAreaAreCountedAndMoveAsStandard) {
  Random random(14);
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 3, 3, random);
  for (int extra = 0; extra < 2; ++extra) {  // isolated vertices
    mesh.p0.emplace_back(5 + extra, 5, 5);
    mesh.n0.emplace_back(0, 0, 1);
    mesh.bone.insert(mesh.bone.end(), {1, 2, 1});
    mesh.weight.insert(mesh.weight.end(), {.6, .4, 0});
  }
  compute_tangent_frames(mesh);
  const NormalRecord f = vectors_of(mesh);
  EXPECT_EQ(f.flat_vertices, 2);
  const int last = mesh.vertex_count() - 1;
  for (int k = 0; k < f.slots; ++k) {
    const std::size_t i = f.at(last, k);
    EXPECT_LT(length(f.along_t[i] - mesh.t0[at(last)] * f.weight[i]), kRounding);
    EXPECT_LT(length(f.along_b[i] - mesh.b0[at(last)] * f.weight[i]), kRounding);
    EXPECT_EQ(f.alpha[i], 0);
    EXPECT_EQ(f.beta[i], 0);
  }
}

TEST(DeformVectors, UnusableInputIsAnError) {
  Random random(15);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 6, 4, random),
                   other = test_rigs::bind(test_meshes::sphere(2), 6, 4, random);
  EXPECT_THAT(error_of([&] { vectors_of(mesh, {.max_slots = -1}); }), HasSubstr("slot limit -1"));
  EXPECT_THAT(error_of([&] { vectors_of(mesh, {.max_slots = 17}); }), HasSubstr("slot limit 17"));
  EXPECT_THAT(error_of([&] { vectors_of(mesh, {.max_slots = 3}); }), HasSubstr("more than the 3 slots"));
  EXPECT_THAT(error_of([&] { deform_vectors(other, surface_of(mesh)); }), HasSubstr("surface"));
  const std::vector<Pose> short_pose = {rest_pose(5)};
  EXPECT_THAT(error_of([&] { vectors_of(mesh, {.typical = short_pose}); }),
              HasSubstr("typical pose: has 5 bones"));
  RiggedMesh weightless = mesh;
  for (std::size_t k = 0; k < 4; ++k) weightless.weight[4 * 7 + k] = 0;
  EXPECT_THAT(error_of([&] { vectors_of(weightless); }), HasSubstr("vertex 7: has no positive weight"));
}

}  // namespace
}  // namespace skinlight
