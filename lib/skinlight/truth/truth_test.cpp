// The truths against each other, against finite differences of the posed surface and against affine maps.
#include "skinlight/truth/truth.h"
#include "skinlight/core/detail/eigen.h"
#include "skinlight/samples/procedural.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "skinlight/mesh/normals.h"
#include "skinlight/rig/bone_reach.h"
#include "skinlight/truth/angular_error.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;  // sums over one-rings in double, radians

double largest_angle(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t v = 0; v < a.size(); ++v) worst = std::max(worst, angle_between(a[v], b[v]));
  return worst;
}

double rms(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += std::pow(angle_between(a[v], b[v]) * kDegrees, 2);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

// Eq. 1 by hand.
Vec3d posed(const Pose& pose, const std::vector<double>& weights, Vec3d p) {
  Vec3d sum(0.0);
  for (std::size_t s = 0; s < weights.size(); ++s) sum += transform_point(pose.M[s], p) * weights[s];
  return sum;
}

std::vector<Vec3d> posed(const RiggedMesh& mesh, const Pose& pose) {
  std::vector<Vec3d> p;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    std::vector<double> weights(pose.M.size(), 0.0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      weights[static_cast<std::size_t>(mesh.bones_of(v)[k])] += mesh.weights_of(v)[k];
    p.push_back(posed(pose, weights, mesh.p0[static_cast<std::size_t>(v)]));
  }
  return p;
}

const Tessellation kIrregular{.segments = 32, .jitter = .3, .random_diagonals = true};

TEST(AnalyticNormals, PillByJacobianEqualsPillByHand) {
  const ProceduralRig rig = pill(kIrregular);
  EXPECT_LT(
      largest_angle(analytic_lbs_normals(rig, pill_pose()), analytic_pill_normals(rig, Vec3d(1.5, 0, 0))),
      kRounding);
  Random random(1);
  for (int round = 0; round < 10; ++round) {
    const Vec3d d = random.in_cube(2);
    const Pose pose =
        make_pose({identity_transform<double>(),
                   test_rigs::transform(Mat3d(Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)), d)});
    EXPECT_LT(largest_angle(analytic_lbs_normals(rig, pose), analytic_pill_normals(rig, d)), kRounding);
    for (const Vec3d& n : analytic_pill_normals(rig, d)) EXPECT_NEAR(length(n), 1, kRounding);
  }
}

// The posed tube as a function of angle and z, differentiated numerically: central differences of step 1e-5
// are off by 1e-10 of the third derivatives and 1e-11 of rounding.
TEST(AnalyticNormals, EqualFiniteDifferencesOfThePosedCylinder) {
  constexpr double kStep = 1e-5, kDifference = 1e-7;
  const CylinderShape shape{.radius = .8, .half_length = 2.5, .half_blend = 1.2};
  const ProceduralRig rig = cylinder(shape, kIrregular);
  const auto lower_weight = [&](double z) {
    const double x = std::fmin(std::fmax((z + shape.half_blend) / (2 * shape.half_blend), 0), 1);
    return 1 - x * x * (3 - 2 * x);
  };
  for (const Pose& pose : {cylinder_twist(.5), cylinder_twist(2.0), cylinder_bend(.3), cylinder_bend(.8)}) {
    const auto surface = [&](double angle, double z) {
      const double w = lower_weight(z);
      return posed(pose, {1 - w, w}, {shape.radius * std::cos(angle), shape.radius * std::sin(angle), z});
    };
    const std::vector<Vec3d> normals = analytic_lbs_normals(rig, pose);
    for (std::size_t v = 0; v < normals.size(); ++v) {
      const double angle = std::atan2(rig.mesh.p0[v].y, rig.mesh.p0[v].x), z = rig.mesh.p0[v].z;
      if (std::abs(std::abs(z) - shape.half_blend) < 2 * kStep) continue;  // the weight's slope bends there
      const Vec3d around = surface(angle + kStep, z) - surface(angle - kStep, z),
                  along = surface(angle, z + kStep) - surface(angle, z - kStep);
      EXPECT_LT(angle_between(normals[v], cross(around, along)), kDifference);
    }
  }
}

TEST(AnalyticNormals, AreUnitAndMirrorWithThePose) {
  const ProceduralRig rig = cylinder({}, kIrregular);
  const Pose pose = cylinder_bend(.7), mirrored = test_rigs::mirrored(pose);
  const std::vector<Vec3d> n = analytic_lbs_normals(rig, pose), m = analytic_lbs_normals(rig, mirrored);
  for (std::size_t v = 0; v < n.size(); ++v) {
    EXPECT_NEAR(length(n[v]), 1, kRounding);
    EXPECT_LT(length(m[v] - Vec3d(-n[v].x, n[v].y, n[v].z)), kRounding);
  }
}

TEST(BlendedLinear, IsTheWeightedSumOfTheBones) {
  Random random(2);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::sphere(2), 5, 3, random);
  const Pose pose = test_rigs::random_affine_pose(5, random);
  const std::vector<Mat3d> T = blended_linear(mesh, pose);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Eigen::Matrix3d expected = Eigen::Matrix3d::Zero();
    for (std::size_t k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c) {
        const Vec3d column = pose.M[static_cast<std::size_t>(mesh.bones_of(v)[k])][c];
        expected.col(c) += mesh.weights_of(v)[k] * Eigen::Vector3d(column.x, column.y, column.z);
      }
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        EXPECT_NEAR(T[static_cast<std::size_t>(v)][c][r], expected(r, c), kRounding);
  }
}

// Meshes whose authored normals differ from the geometric ones, as artists make them.
std::vector<RiggedMesh> authored(Random& random) {
  std::vector<RiggedMesh> meshes;
  for (const test_meshes::TriangleMesh& shape : test_meshes::manifold_families(random)) {
    RiggedMesh mesh = test_rigs::bind_jagged(shape, 5, 4, random);
    for (Vec3d& n : mesh.n0) n = normalize(n + random.in_cube(.4));
    compute_tangent_frames(mesh);
    meshes.push_back(std::move(mesh));
  }
  meshes.push_back(pill(kIrregular).mesh);  // with a seam
  return meshes;
}

// When all bones move alike, whatever the weights, a normal is carried by the cofactors of that one map.
TEST(TransportedNormals, AreExactUnderAffineMapsAndKeepAuthoredNormals) {
  Random random(3);
  for (const RiggedMesh& mesh : authored(random))
    for (const bool rigid : {true, false})
      for (const bool mirror : {true, false}) {
        const Mat4x3d M =
            rigid ? test_rigs::random_rigid(random, 3, 2) : test_rigs::random_affine(random, .7);
        Pose pose = make_pose(std::vector<Mat4x3d>(static_cast<std::size_t>(mesh.bone_count), M));
        if (mirror) pose = test_rigs::mirrored(pose);
        const Mat3d A(pose.M[0]);
        const Mat3d cofactors(cross(A[1], A[2]), cross(A[2], A[0]), cross(A[0], A[1]));
        const double side = determinant(A) < 0 ? -1 : 1;
        const Surface surface(mesh.faces, weld(mesh));
        for (const Averaging scheme : {Averaging::area, Averaging::mixed_voronoi, Averaging::uniform}) {
          const std::vector<Vec3d> n = transported_normals(
              mesh, surface, posed(mesh, pose), blended_linear(mesh, pose), orientations(mesh, pose), scheme);
          for (std::size_t v = 0; v < n.size(); ++v) {
            EXPECT_NEAR(length(n[v]), 1, kRounding);
            EXPECT_LT(angle_between(n[v], cofactors * mesh.n0[v] * side), 1e3 * kRounding) << name(scheme);
          }
        }
      }
}

double transported_error(int segments, const Pose& pose) {
  const ProceduralRig rig = cylinder({}, {.segments = segments});
  const Surface surface(rig.mesh.faces, weld(rig.mesh));
  return rms(transported_normals(rig.mesh, surface, posed(rig.mesh, pose), blended_linear(rig.mesh, pose),
                                 orientations(rig.mesh, pose)),
             analytic_lbs_normals(rig, pose));
}

TEST(TransportedTangents, AreExactUnderAffineMaps) {
  Random random(8);
  for (const RiggedMesh& mesh : authored(random)) {
    const Mat4x3d M = test_rigs::random_affine(random, .7);
    const Pose pose = make_pose(std::vector<Mat4x3d>(static_cast<std::size_t>(mesh.bone_count), M));
    const Surface surface(mesh.faces, weld(mesh));
    for (const Averaging scheme : {Averaging::area, Averaging::mixed_voronoi}) {
      const std::vector<Vec3d> t =
          transported_tangents(mesh, surface, posed(mesh, pose), blended_linear(mesh, pose), scheme);
      for (std::size_t v = 0; v < t.size(); ++v)
        EXPECT_LT(angle_between(t[v], Mat3d(M) * mesh.t0[v]), 1e3 * kRounding) << name(scheme);
    }
  }
}

// Against J t0 with the exact weight gradients, J written in Eigen.
double transported_tangent_error(int segments, const Pose& pose) {
  const ProceduralRig rig = cylinder({}, {.segments = segments});
  const RiggedMesh& mesh = rig.mesh;
  std::vector<Vec3d> exact;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k) {
      const Mat4x3d& M = pose.M[static_cast<std::size_t>(mesh.bones_of(v)[k])];
      const Vec3d q = transform_point(M, mesh.p0[i]);
      const Vec3d a = rig.gradient[i * static_cast<std::size_t>(mesh.slots) + k];
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) J(r, c) += mesh.weights_of(v)[k] * M[c][r] + q[r] * a[c];
    }
    const Eigen::Vector3d t = J * Eigen::Vector3d(mesh.t0[i].x, mesh.t0[i].y, mesh.t0[i].z);
    exact.emplace_back(t.x(), t.y(), t.z());
  }
  const Surface surface(mesh.faces, weld(mesh));
  return rms(transported_tangents(mesh, surface, posed(mesh, pose), blended_linear(mesh, pose)), exact);
}

TEST(TransportedTangents, ConvergeToTheJacobianUnderRefinement) {
  Random random(9);
  for (int round = 0; round < 3; ++round) {
    const Pose pose = test_rigs::random_affine_pose(2, random, .4);
    const double coarse = transported_tangent_error(24, pose), fine = transported_tangent_error(96, pose);
    EXPECT_LT(fine, .4 * coarse);  // at least the first order of the open ends' one-sided rings
    EXPECT_LT(fine, .5);
  }
}

double recomputed_error(int segments, const Pose& pose) {
  const ProceduralRig rig = cylinder({}, {.segments = segments});
  const Surface surface(rig.mesh.faces, weld(rig.mesh));
  return rms(recomputed_normals(surface, posed(rig.mesh, pose), orientations(rig.mesh, pose)),
             analytic_lbs_normals(rig, pose));
}

// The open ends are one-sided, which limits the order; in between it is second.
TEST(TransportedNormals, ConvergeToTheAnalyticOnesUnderRefinement) {
  for (const Pose& pose : {cylinder_bend(.8), cylinder_twist(1.0), test_rigs::mirrored(cylinder_bend(.8))}) {
    const double coarse = transported_error(24, pose), middle = transported_error(48, pose),
                 fine = transported_error(96, pose);
    EXPECT_GT(std::log2(coarse / middle), 1.2);
    EXPECT_GT(std::log2(middle / fine), 1.2);
    EXPECT_LT(fine, .2);
  }
}

TEST(RecomputedNormals, ConvergeToTheAnalyticOnesUnderRefinement) {
  for (const Pose& pose : {cylinder_bend(.8), cylinder_twist(1.0), test_rigs::mirrored(cylinder_bend(.8))}) {
    const double coarse = recomputed_error(24, pose), middle = recomputed_error(48, pose),
                 fine = recomputed_error(96, pose);
    EXPECT_GT(std::log2(coarse / middle), .9);
    EXPECT_GT(std::log2(middle / fine), .9);
    EXPECT_LT(fine, .5);
  }
}

// What the transport is for: authored normals survive the rest pose exactly, recomputing forgets them.
TEST(TransportedNormals, ReturnAuthoredNormalsAtRestWhereRecomputedOnesDoNot) {
  Random random(4);
  for (const RiggedMesh& mesh : authored(random)) {
    const Pose rest = rest_pose(mesh.bone_count);
    const Surface surface(mesh.faces, weld(mesh));
    EXPECT_LT(largest_angle(transported_normals(mesh, surface, mesh.p0, blended_linear(mesh, rest)), mesh.n0),
              kRounding);
    EXPECT_EQ(recomputed_normals(surface, mesh.p0), vertex_normals(surface, mesh.p0, Averaging::area));
  }
}

// The definition, by Eigen: per face the linear map that takes rest edges to posed edges and n to T n.
TEST(TransportedNormals, EqualTheAverageOfEachFacesCofactors) {
  Random random(5);
  for (const RiggedMesh& mesh : authored(random)) {
    const Pose pose = test_rigs::random_affine_pose(mesh.bone_count, random, .3);
    const std::vector<int> groups = weld(mesh);
    const Surface surface(mesh.faces, groups);
    const std::vector<Vec3d> p = posed(mesh, pose);
    const std::vector<Mat3d> T = blended_linear(mesh, pose);
    for (const Averaging scheme : {Averaging::area, Averaging::angle, Averaging::uniform}) {
      std::vector<Eigen::Vector3d> sum(mesh.p0.size(), Eigen::Vector3d::Zero());  // per group
      for (const Face& f : mesh.faces)
        for (std::size_t c = 0; c < 3; ++c) {
          const auto i = static_cast<std::size_t>(f[c]), j = static_cast<std::size_t>(f[(c + 1) % 3]),
                     k = static_cast<std::size_t>(f[(c + 2) % 3]);
          const auto first = static_cast<std::size_t>(surface.representative(groups[i]));
          const Eigen::Vector3d e1 = eigen(mesh.p0[j] - mesh.p0[i]), e2 = eigen(mesh.p0[k] - mesh.p0[i]),
                                n = e1.cross(e2).normalized();
          Eigen::Matrix3d rest, after;
          rest << e1, e2, n;
          after << eigen(p[j] - p[i]), eigen(p[k] - p[i]), eigen(T[first] * Vec3d(n.x(), n.y(), n.z()));
          const Eigen::Matrix3d A = after * rest.inverse();
          const Eigen::Vector3d carried = A.determinant() * A.inverse().transpose() * eigen(mesh.n0[first]);
          sum[static_cast<std::size_t>(groups[i])] +=
              corner_weight(scheme, mesh.p0[i], mesh.p0[j], mesh.p0[k]) * carried;
        }
      const std::vector<Vec3d> n = transported_normals(mesh, surface, p, T, orientations(mesh, pose), scheme);
      for (std::size_t v = 0; v < n.size(); ++v) {
        const Eigen::Vector3d expected =
            sum[static_cast<std::size_t>(groups[v])].normalized() * orientations(mesh, pose)[v];
        EXPECT_LT((eigen(n[v]) - expected).norm(), 1e-8) << name(scheme);  // two inverses of thin triangles
      }
    }
  }
}

TEST(TransportedNormals, VerticesWithoutAreaFollowTheirExtension) {
  RiggedMesh mesh;
  mesh.p0 = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}, {6, 6, 6}};
  mesh.n0.assign(5, Vec3d(0, 0, 1));
  mesh.faces = {{0, 1, 2}, {3, 4, 3}};
  const Surface surface(mesh.faces, std::vector<int>{0, 1, 2, 3, 4});
  const Mat3d turn = test_rigs::rotation({1, 0, 0}, .5);
  std::vector<Mat3d> extension(5, turn);
  extension[3] = turn * 3.0;  // normals are unit all the same
  extension[4] = Mat3d(Vec3d(0.0), Vec3d(0.0), Vec3d(0.0));
  const std::vector<Vec3d> n = transported_normals(mesh, surface, mesh.p0, extension);
  EXPECT_LT(length(n[3] - turn * Vec3d(0, 0, 1)), kRounding);
  EXPECT_EQ(n[4], Vec3d(0, 0, 1));
}

// Morph targets turn a small face and shrink it: its own normal, of length 1, is what the extension acts on. Along it an
// authored normal grows by the area, across it by the edges.
TEST(TransportedNormals, ExtensionsActOnTheUnitNormalsOfMorphedFaces) {
  RiggedMesh mesh;
  mesh.p0 = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.faces = {{0, 1, 2}};
  const Vec3d across(.5, .3, 0), along(0, 0, .8);
  mesh.n0.assign(3, normalize(across + along));
  const Surface surface(mesh.faces, std::vector<int>{0, 1, 2});
  const Mat3d turn = test_rigs::rotation({0, 1, 0}, 1.9);
  for (const double size : {.3, 2.}) {
    std::vector<Vec3d> morphed;
    for (const Vec3d& p : mesh.p0) morphed.push_back(turn * p * size);
    const std::vector<Mat3d> extension(3, Mat3d(Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)));
    const std::vector<Vec3d> n =
        transported_normals(mesh, surface, morphed, extension, {}, Averaging::area, morphed);
    for (const Vec3d& a : n)
      EXPECT_LT(angle_between(a, turn * (across * size + along * size * size)), kRounding) << size;
  }
}

TEST(TransportedNormals, TwinsAreIdentical) {
  const RiggedMesh mesh = cylinder({}, kIrregular).mesh;
  const Surface surface(mesh.faces, weld(mesh));
  const Pose pose = cylinder_bend(.8);
  const std::vector<Vec3d> n =
      transported_normals(mesh, surface, posed(mesh, pose), blended_linear(mesh, pose));
  for (int v = 0; v < mesh.vertex_count(); ++v)
    EXPECT_EQ(n[static_cast<std::size_t>(v)],
              n[static_cast<std::size_t>(surface.representative(surface.vertex_of(v)))]);
}

TEST(RecomputedNormals, TurnWithTheOrientation) {
  const RiggedMesh mesh = pill({.segments = 24}).mesh;
  const Surface surface(mesh.faces, weld(mesh));
  std::vector<Vec3d> mirrored = mesh.p0;
  for (Vec3d& p : mirrored) p.x = -p.x;
  const std::vector<Vec3d> n = recomputed_normals(surface, mesh.p0),
                           m = recomputed_normals(surface, mirrored,
                                                  std::vector<double>(mesh.p0.size(), -1.0));
  for (std::size_t v = 0; v < n.size(); ++v) {
    EXPECT_LT(length(m[v] - Vec3d(-n[v].x, n[v].y, n[v].z)), kRounding);
    EXPECT_GT(dot(n[v], mesh.n0[v]), .9);
  }
}

}  // namespace
}  // namespace skinlight
