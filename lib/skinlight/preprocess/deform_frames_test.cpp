// Deform frames against posed triangles. The oracle poses vertices and blends frames by Eigen: quaternions for
// DQS and CRS, matrix exponentials for log-matrix blending; no line of the code under test.
#include "skinlight/preprocess/deform_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/preprocess/detail/bone_blend.h"
#include "skinlight/samples/procedural.h"
#include "testing/blended_motion.h"
#include "testing/error_of.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using test_errors::error_of;

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using test_motions::blended;
using testing::HasSubstr;

constexpr double kRounding = 1e-12;  // sums of some hundred products of values near 1, in double
constexpr double kSolver = 1e-8;     // of tangents: gradients of small faces and a least squares in between

Surface surface_of(const RiggedMesh& mesh) { return {mesh.faces, weld(mesh)}; }

FrameRecord frames_of(const RiggedMesh& mesh, const DeformFrameOptions& options = {}) {
  return deform_frames(mesh, surface_of(mesh), options);
}

// What frames are chosen and fitted by is what the methods do, also where quaternions take the shorter way round.
TEST(BoneBlend, MovesAsEigensQuaternionsAndExponentialsDo) {
  Random random(20);
  for (const FrameBlend method :
       {FrameBlend::dual_quaternions, FrameBlend::rotation_centres, FrameBlend::logarithms})
    for (int round = 0; round < 40; ++round) {
      const Pose pose = test_rigs::random_rigid_pose(5, random, 3, 2);
      const std::vector<int> bones = {3, 1, 4};
      const double a = random.uniform(.4, .8), b = random.uniform(-.1, .3);
      const std::vector<double> weights = {a, b, 1 - a - b};
      const Vec3d centre = random.in_cube(1), x = random.in_cube(1);
      const BoneBlend blend(pose, std::vector<BoneReach>(5, {1, Vec3d(0.0)}), method);
      const Vector3d wanted =
          (blended(method, pose, bones, weights, eigen(centre)) * eigen(x).homogeneous()).head<3>();
      EXPECT_LT((eigen(blend.at(bones, weights.data(), centre)(x)) - wanted).norm(),
                1e-9);  // nearly opposite blends
    }
}

// On either side of where the exponential changes to its series; without one the shift of a small turn is 1e-8 off.
TEST(BoneBlend, OneBoneByLogarithmsMovesAsItDoesItself) {
  for (const double angle : {1e-7, 1.98e-4, 2.02e-4, 9.9e-4, 1.01e-3, .1, 3.}) {
    const double c = std::cos(angle), s = std::sin(angle);
    const Mat4x3d bone(Vec3d(c, s, 0), Vec3d(-s, c, 0), Vec3d(0, 0, 1), Vec3d(3, -2, 1));
    const BoneBlend blend(make_pose({bone}), std::vector<BoneReach>(1, {1, Vec3d(0.0)}),
                          FrameBlend::logarithms);
    const double whole = 1;
    const Vec3d x(.5, -.25, 2);
    EXPECT_LT(length(blend.at(std::vector<int>{0}, &whole, Vec3d(0.0))(x) -
                     (bone[0] * x.x + bone[1] * x.y + bone[2] * x.z + bone[3])),
              kRounding)
        << angle;
  }
}

struct Rig {
  RiggedMesh mesh;
  RotationCentres centres = {};  // of CRS
  FrameBlend method = FrameBlend::dual_quaternions;

  Vector3d centre(int v) const {
    if (method != FrameBlend::rotation_centres || !centres.has_centre[at(v)]) return eigen(mesh.p0[at(v)]);
    return eigen(centres.centre[at(v)]);
  }
  DeformFrameOptions with(DeformFrameOptions options) const {
    options.blend = method;
    options.centres = method == FrameBlend::rotation_centres ? &centres : nullptr;
    return options;
  }
  Matrix4d motion(const Pose& pose, int v) const {
    return blended(method, pose, mesh.bones_of(v), mesh.weights_of(v), centre(v));
  }
  Vector3d posed(const Pose& pose, int v) const {
    return (motion(pose, v) * eigen(mesh.p0[at(v)]).homogeneous()).head<3>();
  }
};

Rig rig_of(RiggedMesh mesh, FrameBlend method) {
  Rig rig{std::move(mesh), {}, method};
  if (method == FrameBlend::rotation_centres) rig.centres = rotation_centres(rig.mesh, surface_of(rig.mesh));
  return rig;
}

// t' (or b') as deform_frames.h defines it.
Vector3d tangent(const Rig& rig, const FrameRecord& f, const Pose& pose, int v, bool along_b) {
  const Vector3d p0 = eigen(rig.mesh.p0[at(v)]);
  const Matrix4d own = rig.motion(pose, v);
  Vector3d rest = eigen(along_b ? rig.mesh.b0[at(v)] : rig.mesh.t0[at(v)]), sum = Vector3d::Zero();
  for (int k = 0; k < f.frames; ++k) {
    const std::size_t i = f.at_frame(v, k);
    const Vector3d centre =
        rig.centre(v) + (f.frame_centre.empty() ? Vector3d(0, 0, 0) : eigen(f.frame_centre[i]));
    std::vector<double> weights;
    for (int s = 0; s < f.slots; ++s)
      weights.push_back(f.weight[f.at(v, s)] + f.frame_offset[f.at_offset(v, k, s)]);
    const Matrix4d M =
        blended(rig.method, pose, std::span(f.bone).subspan(f.at(v, 0), at(f.slots)), weights, centre);
    const Vector3d vector = eigen(along_b ? f.frame_b[i] : f.frame_t[i]);
    const double alpha = along_b ? f.frame_beta[i] : f.frame_alpha[i];
    sum += M.topLeftCorner<3, 3>() * vector + alpha * ((M - own) * p0.homogeneous()).head<3>();
    rest -= vector;
  }
  return own.topLeftCorner<3, 3>() * rest + sum;
}

// The average over the one-ring of the maps from rest to posed triangles, by areas at rest, of the welded mesh;
// along the faces' normals the vertex's own rotation.
Vector3d true_tangent(const Rig& rig, const Surface& surface, const Pose& pose, int v, bool along_b) {
  const RiggedMesh& mesh = rig.mesh;
  const Vector3d rest = eigen(along_b ? mesh.b0[at(v)] : mesh.t0[at(v)]);
  const Matrix3d R = rig.motion(pose, v).topLeftCorner<3, 3>();
  Vector3d sum = Vector3d::Zero();
  double total = 0;
  for (const Corner& corner : surface.one_ring(surface.vertex_of(v))) {
    const Face& f = surface.face(corner.face);
    const auto edges = [&](const std::function<Vector3d(int)>& p, const Vector3d& normal) {
      Matrix3d E;
      E << p(f[1]) - p(f[0]), p(f[2]) - p(f[0]), normal;
      return E;
    };
    const auto at_rest = [&](int i) { return eigen(mesh.p0[at(i)]); };
    const Vector3d normal = (at_rest(f[1]) - at_rest(f[0])).cross(at_rest(f[2]) - at_rest(f[0]));
    const Vector3d n = normal.normalized();
    const Matrix3d map =
        edges([&](int i) { return rig.posed(pose, i); }, R * n) * edges(at_rest, n).inverse();
    sum += normal.norm() * (map * rest);
    total += normal.norm();
  }
  return sum / total;
}

const FrameBlend kMethods[] = {FrameBlend::dual_quaternions, FrameBlend::rotation_centres,
                               FrameBlend::logarithms};

// Every triangle by itself: a one-ring is one face with two other corners.
test_meshes::TriangleMesh torn(const test_meshes::TriangleMesh& shape) {
  test_meshes::TriangleMesh torn{"torn " + shape.name, {}, {}, false};
  for (const Face& face : shape.faces) {
    const int first = static_cast<int>(torn.p.size());
    torn.faces.push_back({first, first + 1, first + 2});
    for (const int corner : face) torn.p.push_back(shape.p[at(corner)]);
  }
  return torn;
}

// Tangents that must be right are: in every method, with all bones in the slots.
void expect_exact(const Rig& rig, const FrameRecord& f, const Pose& pose) {
  const Surface surface = surface_of(rig.mesh);
  for (int v = 0; v < rig.mesh.vertex_count(); ++v)
    for (const bool along_b : {false, true})
      EXPECT_LT((tangent(rig, f, pose, v, along_b) - true_tangent(rig, surface, pose, v, along_b)).norm(),
                kSolver)
          << "vertex " << v;
}

TEST(DeformFrames, OneRingsOfOneTriangleAreExactWithAllBones) {
  for (const FrameBlend method : kMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    Random random(1);
    const Rig rig =
        rig_of(test_rigs::bind_jagged(torn(test_meshes::terrain(3, .4, random)), 6, 3, random), method);
    expect_exact(rig, frames_of(rig.mesh, rig.with({.max_slots = 9})),
                 test_rigs::random_rigid_pose(6, random));
  }
}

// A flat-shaded quad: of the four corners a vertex has three others, so three frames.
TEST(DeformFrames, ThreeFramesAreExactOnQuads) {
  Random random(2);
  test_meshes::TriangleMesh quads{"quads", {}, {}, false};
  for (int q = 0; q < 6; ++q) {
    const int first = 4 * q;
    for (const Vec3d& corner : {Vec3d(0, 0, 0), Vec3d(1, .1, .2), Vec3d(.1, 1, -.3), Vec3d(1.1, .9, .1)})
      quads.p.push_back(corner + random.in_cube(.1) + Vec3d(2 * q, 0, 0));
    quads.faces.push_back({first, first + 1, first + 2});
    quads.faces.push_back({first + 2, first + 1, first + 3});
  }
  for (const FrameBlend method : kMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    const Rig rig = rig_of(test_rigs::bind_jagged(quads, 5, 3, random), method);
    const FrameRecord f = frames_of(rig.mesh, rig.with({.frames = 3, .max_slots = 5}));
    expect_exact(rig, f, test_rigs::random_rigid_pose(5, random));
  }
}

// All bones move alike: whatever is stored, tangents turn with them.
TEST(DeformFrames, RigidMotionsAreExact) {
  for (const FrameBlend method : kMethods) {
    Random random(3);
    const Rig rig = rig_of(test_rigs::bind_jagged(test_meshes::terrain(5, .3, random), 7, 3, random), method);
    const FrameRecord f = frames_of(rig.mesh, rig.with({}));
    const Mat4x3d M = test_rigs::random_rigid(random, 1.5, 2);
    const Pose pose = make_pose(std::vector<Mat4x3d>(7, M));
    for (int v = 0; v < rig.mesh.vertex_count(); ++v)
      for (const bool along_b : {false, true})
        EXPECT_LT((tangent(rig, f, pose, v, along_b) -
                   eigen_linear(M) * eigen(along_b ? rig.mesh.b0[at(v)] : rig.mesh.t0[at(v)]))
                      .norm(),
                  kRounding);
  }
}

// The RMS of the angles between normals and true ones, radians; with a record of no frames the standard ones.
// How far the unit normal of a vertex is from that of the posed triangles: 0 to 2.
double apart(const Rig& rig, const Surface& surface, const FrameRecord& f, const Pose& pose, int v) {
  const Vector3d n = tangent(rig, f, pose, v, false).cross(tangent(rig, f, pose, v, true)).normalized(),
                 wanted = true_tangent(rig, surface, pose, v, false)
                              .cross(true_tangent(rig, surface, pose, v, true))
                              .normalized();
  return (n - wanted).norm();
}

double error(const Rig& rig, const FrameRecord& f, std::span<const Pose> poses) {
  const Surface surface = surface_of(rig.mesh);
  double sum = 0;
  for (const Pose& pose : poses)
    for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
      const double angle = 2 * std::asin(std::min(1.0, apart(rig, surface, f, pose, v) / 2));
      sum += angle * angle;
    }
  return std::sqrt(sum / static_cast<double>(poses.size() * rig.mesh.p0.size()));
}

FrameRecord without_frames(FrameRecord f) {
  f.frames = 0;
  return f;
}

std::vector<Pose> rigid_poses(int count, int bones, Random& random) {
  std::vector<Pose> poses;
  for (int k = 0; k < count; ++k) poses.push_back(test_rigs::random_rigid_pose(bones, random, .5, .1));
  return poses;
}

// Rigs whose weights jump from vertex to vertex are what they are for; smooth ones must not suffer. What does not
// fit into two frames is the rest: on these meshes six corners have weights of their own.
TEST(DeformFrames, AreSeveralTimesNearerToTheTruthThanStandardNormals) {
  for (const FrameBlend method : kMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    Random random(4);
    for (const bool jagged : {true, false}) {
      const test_meshes::TriangleMesh shape = test_meshes::terrain(6, .3, random);
      const Rig rig =
          rig_of(jagged ? test_rigs::bind_jagged(shape, 3, 2, random) : test_rigs::bind(shape, 3, 2, random),
                 method);
      const std::vector<Pose> poses = rigid_poses(4, 3, random);
      const FrameRecord f = frames_of(rig.mesh, rig.with({}));
      const double ours = error(rig, f, poses), standard = error(rig, without_frames(f), poses);
      EXPECT_LT(ours, .25 * standard) << (jagged ? "jagged" : "smooth");
      EXPECT_GT(standard, .02);
    }
  }
}

// Poses whose bones move in few ways, as those of characters do: about fixed axes by combinations of three angles.
std::vector<Pose> related_poses(int count, std::uint64_t seed, int bones, Random& random) {
  Random fixed(seed);
  std::vector<Vec3d> axis, centre;
  for (int s = 0; s < bones; ++s) {
    axis.push_back(fixed.direction());
    centre.push_back(fixed.in_cube(.5));
  }
  std::vector<Pose> poses;
  for (int k = 0; k < count; ++k) {
    const double angle[3] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    std::vector<Mat4x3d> M;
    for (std::size_t s = 0; s < at(bones); ++s) {
      const Mat3d R = test_rigs::rotation(axis[s], angle[s % 3]);
      M.push_back(test_rigs::transform(R, centre[s] - R * centre[s]));
    }
    poses.push_back(make_pose(std::move(M)));
  }
  return poses;
}

TEST(DeformFrameFit, IsBetterInPosesLikeThoseItWasShown) {
  for (const FrameBlend method : kMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    Random random(5);
    const Rig rig = rig_of(test_rigs::bind_jagged(test_meshes::terrain(6, .2, random), 8, 3, random), method);
    const std::vector<Pose> shown = related_poses(40, 7, 8, random), others = related_poses(5, 7, 8, random);
    const FrameRecord closed = frames_of(rig.mesh, rig.with({})),
                      fitted = frames_of(rig.mesh, rig.with({.typical = shown}));
    EXPECT_LT(error(rig, fitted, std::span(shown).first(5)),
              .85 * error(rig, closed, std::span(shown).first(5)));
    EXPECT_LT(error(rig, fitted, others), .95 * error(rig, closed, others));
  }
}

// At every vertex no candidate that any other poses choose is nearer to the triangles, as Eigen's motions move them.
TEST(DeformFrameChoice, HasTheLeastErrorOverThePosesOfTheChoice) {
  constexpr double kChoiceRounding = 1e-9;
  for (const FrameBlend method : kMethods) {
    SCOPED_TRACE(static_cast<int>(method));
    Random random(6);
    const Rig rig = rig_of(test_rigs::bind_jagged(test_meshes::terrain(6, .2, random), 6, 3, random), method);
    const Surface surface = surface_of(rig.mesh);
    const std::vector<Pose> some = rigid_poses(6, 6, random);
    const FrameRecord chosen = frames_of(rig.mesh, rig.with({.choice = some}));
    int differ = 0;
    for (int other = 0; other < 6; ++other) {
      const std::vector<Pose> others = rigid_poses(1, 6, random);
      const FrameRecord elsewhere = frames_of(rig.mesh, rig.with({.choice = others}));
      for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
        const auto squares = [&](const FrameRecord& frames) {
          double sum = 0;
          for (const Pose& pose : some) sum += std::pow(apart(rig, surface, frames, pose, v), 2);
          return sum;
        };
        const double ours = squares(chosen), theirs = squares(elsewhere);
        EXPECT_LE(ours, theirs + kChoiceRounding) << "vertex " << v;
        differ += ours < theirs - kChoiceRounding;
      }
    }
    EXPECT_GT(differ, rig.mesh.vertex_count() / 2);
  }
}

// Every bone turns, by up to 35 degrees to either side, about where it meets others.
TEST(DeformFrameChoice, RandomPosesTurnEveryBoneAboutItsJoint) {
  const RiggedMesh mesh = pill({.segments = 24}).mesh;
  std::vector<Vec3d> joint(2, Vec3d(0.0));
  std::vector<double> total(2);
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k) {
      const auto bone = static_cast<std::size_t>(mesh.bones_of(v)[k]);
      const double meets = mesh.weights_of(v)[k] * (1 - mesh.weights_of(v)[k]);
      joint[bone] = joint[bone] + mesh.p0[static_cast<std::size_t>(v)] * meets;
      total[bone] += meets;
    }
  const std::vector<Pose> poses = random_bone_poses(mesh);
  ASSERT_EQ(poses.size(), 16u);
  double least = 180, most = 0;
  for (const Pose& pose : poses)
    for (std::size_t s = 0; s < 2; ++s) {
      const Eigen::Matrix3d R = eigen(Mat3d(pose.M[s]));
      EXPECT_LT((R.transpose() * R - Eigen::Matrix3d::Identity()).norm(), 1e-14);
      EXPECT_GT(R.determinant(), 0);
      const double degrees = Eigen::AngleAxisd(R).angle() * 180 / M_PI;
      least = std::min(least, degrees);
      most = std::max(most, degrees);
      const Vec3d at = joint[s] / total[s];
      EXPECT_LT(length(transform_point(pose.M[s], at) - at), 1e-13);
    }
  EXPECT_LT(most, 35);
  EXPECT_GT(most, 30);
  EXPECT_LT(least, 5);
}

TEST(DeformFrames, AMeshInAnotherUnitHasTheSameFrames) {
  Random random(7);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::terrain(5, .3, random), 5, 3, random);
  RiggedMesh large = mesh;
  constexpr double kUnit = 1024;  // a power of two: nothing rounds otherwise
  for (Vec3d& p : large.p0) p *= kUnit;
  const FrameRecord one = frames_of(mesh), other = frames_of(large);
  EXPECT_EQ(one.bone, other.bone);
  double largest = 0;
  for (std::size_t i = 0; i < one.frame_t.size(); ++i) {
    largest = std::max(largest, length(one.frame_t[i]));
    EXPECT_LT(length(one.frame_t[i] - other.frame_t[i]), kSolver);
    EXPECT_LT(std::abs(one.frame_beta[i] - kUnit * other.frame_beta[i]), kSolver);
  }
  EXPECT_GT(largest, .1);
}

// Exporters' scale of 100 and a mirror in the poses of the choice and of the fit change nothing.
TEST(DeformFrames, ScaleAndMirrorOfThePosesAreTakenOut) {
  Random random(8);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::terrain(5, .3, random), 5, 3, random);
  const std::vector<Pose> plain = rigid_poses(8, 5, random);
  std::vector<Pose> scaled;
  for (const Pose& pose : plain) {
    std::vector<Mat4x3d> M = pose.M;
    for (Mat4x3d& m : M)
      for (int c = 0; c < 4; ++c) m[c] *= -100;
    scaled.push_back(make_pose(M));
  }
  const FrameRecord one = frames_of(mesh, {.choice = plain, .typical = plain}),
                    other = frames_of(mesh, {.choice = scaled, .typical = scaled});
  for (std::size_t i = 0; i < one.frame_t.size(); ++i) {
    EXPECT_LT(length(one.frame_t[i] - other.frame_t[i]), kSolver);
    EXPECT_LT(std::abs(one.frame_alpha[i] - other.frame_alpha[i]), kSolver);
  }
}

TEST(DeformFrames, TwinsInTheirOwnFramesHaveOneNormal) {
  Random random(9);
  RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::terrain(5, .3, random), 5, 3, random);
  // A second vertex for every one, in faces of its own, turned about the normal.
  const int half = mesh.vertex_count();
  const auto double_up = [](auto& values) { values.insert(values.end(), values.begin(), values.end()); };
  mesh.p0.reserve(2 * mesh.p0.size());
  const RiggedMesh once = mesh;
  double_up(mesh.p0), double_up(mesh.n0), double_up(mesh.t0), double_up(mesh.b0);
  double_up(mesh.handedness), double_up(mesh.frame_source), double_up(mesh.bone), double_up(mesh.weight);
  for (std::size_t f = 0; f < mesh.faces.size(); f += 2)
    for (int& corner : mesh.faces[f]) corner += half;
  for (int v = half; v < 2 * half; ++v) {
    const Mat3d turn = test_rigs::rotation(mesh.n0[at(v)], random.uniform(0, 6));
    mesh.t0[at(v)] = turn * mesh.t0[at(v)];
    mesh.b0[at(v)] = turn * mesh.b0[at(v)];
  }
  const Rig rig = rig_of(mesh, kMethods[0]);
  const FrameRecord f = frames_of(mesh);
  const Pose pose = test_rigs::random_rigid_pose(5, random);
  for (int v = 0; v < half; ++v) {
    const auto normal = [&](int i) {
      return tangent(rig, f, pose, i, false).cross(tangent(rig, f, pose, i, true)).normalized();
    };
    EXPECT_LT((normal(v) - normal(v + half)).norm(), 1e-10);
  }
}

TEST(DeformFrames, ThreadCountDoesNotChangeAByte) {
  Random random(10);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(4, random), 12, 3, random);
  const std::vector<Pose> typical = rigid_poses(3, 12, random);
  const FrameRecord one = frames_of(mesh, {.typical = typical, .threads = 1});
  for (const int threads : {2, 3, 0}) {
    const FrameRecord many = frames_of(mesh, {.typical = typical, .threads = threads});
    EXPECT_EQ(one.bone, many.bone);
    EXPECT_EQ(one.weight, many.weight);
    EXPECT_EQ(one.frame_offset, many.frame_offset);
    EXPECT_TRUE(one.frame_t == many.frame_t);
    EXPECT_TRUE(one.frame_b == many.frame_b);
    EXPECT_EQ(one.frame_alpha, many.frame_alpha);
    EXPECT_EQ(one.frame_beta, many.frame_beta);
    EXPECT_EQ(one.overflow.bones, many.overflow.bones);
    EXPECT_EQ(one.overflow.worst_vertex, many.overflow.worst_vertex);
  }
}

// Bones of a one-ring that do not fit are counted, and unused slots carry no weight in any frame.
TEST(DeformFrames, CountWhatDoesNotFitAndLeaveUnusedSlotsEmpty) {
  Random random(11);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::terrain(6, .2, random), 9, 2, random);
  const FrameRecord few = frames_of(mesh, {.max_slots = 3}), all = frames_of(mesh, {.max_slots = 16});
  EXPECT_GT(few.overflow.vertices, 30);
  EXPECT_GT(few.overflow.bones, few.overflow.vertices);
  EXPECT_EQ(all.overflow.bones, 0);
  int unused = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (int s = 1; s < all.slots; ++s) {
      if (all.bone[all.at(v, s)] != all.bone[all.at(v, 0)]) continue;
      ++unused;
      EXPECT_EQ(all.weight[all.at(v, s)], 0);
      for (int k = 0; k < all.frames; ++k) EXPECT_EQ(all.frame_offset[all.at_offset(v, k, s)], 0);
    }
  EXPECT_GT(unused, 100);
}

void expect_finite(const FrameRecord& f) {
  for (const std::vector<double>* numbers : {&f.frame_offset, &f.frame_alpha, &f.frame_beta})
    for (const double x : *numbers) ASSERT_TRUE(std::isfinite(x));
  for (const std::vector<Vec3d>* vectors : {&f.frame_t, &f.frame_b})
    for (const Vec3d& x : *vectors) ASSERT_TRUE(is_finite(x));
  EXPECT_TRUE(std::isfinite(f.overflow.largest));
}

TEST(DeformFrames, DegenerateAndNonManifoldInputStaysFinite) {
  Random random(12);
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
  // Opposite quaternions, half a turn apart.
  Pose opposite = rest_pose(6);
  for (std::size_t s = 1; s < 6; s += 2)
    opposite.M[s] = test_rigs::transform(test_rigs::rotation({0, 0, 1}, M_PI), Vec3d(1.0));
  const std::vector<Pose> typical = {test_rigs::random_rigid_pose(6, random), opposite};
  for (const RiggedMesh& mesh : {flawed, tiny, slivers, tangle})
    for (const FrameBlend method : {FrameBlend::dual_quaternions, FrameBlend::logarithms}) {
      expect_finite(frames_of(mesh, {.blend = method}));
      expect_finite(frames_of(mesh, {.blend = method, .frames = 3, .choice = typical, .typical = typical}));
    }
}

TEST(DeformFrames, VerticesWithoutAreaAreCountedAndMoveAsStandard) {
  Random random(13);
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 3, 3, random);
  mesh.p0.emplace_back(5, 5, 5);
  mesh.n0.emplace_back(0, 0, 1);
  mesh.bone.insert(mesh.bone.end(), {1, 2, 1});
  mesh.weight.insert(mesh.weight.end(), {.6, .4, 0});
  compute_tangent_frames(mesh);
  const FrameRecord f = frames_of(mesh);
  EXPECT_EQ(f.flat_vertices, 1);
  const int last = mesh.vertex_count() - 1;
  for (int k = 0; k < f.frames; ++k) {
    const std::size_t i = f.at_frame(last, k);
    EXPECT_EQ(f.frame_t[i], Vec3d(0.0));
    EXPECT_EQ(f.frame_beta[i], 0);
    EXPECT_EQ(f.frame_offset[f.at_offset(last, k, 0)], 0);
  }
}

// Stored in few bits with scales of their own, frames of every vertex come back as nearly as its own numbers
// are large, and their weights still sum to 1.
TEST(DeformFrames, AreStoredWithScalesOfEachVertex) {
  Random random(14);
  RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::terrain(5, .3, random), 6, 3, random);
  mesh.p0[7] = mesh.p0[8] + (mesh.p0[7] - mesh.p0[8]) * 1e-4;  // tiny faces: a huge alpha
  const FrameRecord exact = frames_of(mesh);
  for (const auto& [format, share] :
       {std::pair(NumberFormat::snorm16, 1 / 65000.0), {NumberFormat::snorm8, 1 / 250.0}}) {
    const FrameRecord stored = stored_frames(exact, format);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      double pure = 0, per_length = 0;  // the largest of the vertex
      for (int k = 0; k < exact.frames; ++k) {
        const std::size_t i = exact.at_frame(v, k);
        per_length = std::max({per_length, std::abs(exact.frame_alpha[i]), std::abs(exact.frame_beta[i])});
        for (int c = 0; c < 3; ++c)
          pure = std::max({pure, std::abs(exact.frame_t[i][c]), std::abs(exact.frame_b[i][c])});
        for (int s = 1; s < exact.slots; ++s)
          pure = std::max(pure, std::abs(exact.frame_offset[exact.at_offset(v, k, s)]));
      }
      for (int k = 0; k < exact.frames; ++k) {
        const std::size_t i = exact.at_frame(v, k);
        EXPECT_LE(std::abs(stored.frame_alpha[i] - exact.frame_alpha[i]), share * per_length);
        EXPECT_LE(std::abs(stored.frame_t[i].x - exact.frame_t[i].x), share * pure);
        double sum = 0;
        for (int s = 0; s < exact.slots; ++s) sum += stored.frame_offset[stored.at_offset(v, k, s)];
        EXPECT_NEAR(sum, 0, kRounding);
      }
    }
    EXPECT_NE(stored.frame_alpha, exact.frame_alpha);
  }
}

TEST(DeformFrames, UnusableInputIsAnError) {
  Random random(15);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 6, 4, random),
                   other = test_rigs::bind(test_meshes::sphere(2), 6, 4, random);
  EXPECT_THAT(error_of([&] { frames_of(mesh, {.frames = 4}); }), HasSubstr("number of frames 4"));
  EXPECT_THAT(error_of([&] { frames_of(mesh, {.frames = 0}); }), HasSubstr("number of frames 0"));
  EXPECT_THAT(error_of([&] { frames_of(mesh, {.max_slots = 17}); }), HasSubstr("slot limit 17"));
  EXPECT_THAT(error_of([&] { frames_of(mesh, {.max_slots = 3}); }), HasSubstr("more than the 3 slots"));
  EXPECT_THAT(error_of([&] { deform_frames(other, surface_of(mesh)); }), HasSubstr("surface"));
  EXPECT_THAT(error_of([&] { frames_of(mesh, {.blend = FrameBlend::rotation_centres}); }),
              HasSubstr("centres of rotation: need them"));
  const std::vector<Pose> short_pose = {rest_pose(5)};
  EXPECT_THAT(error_of([&] { frames_of(mesh, {.choice = short_pose}); }), HasSubstr("has 5 bones"));
}

}  // namespace
}  // namespace skinlight
