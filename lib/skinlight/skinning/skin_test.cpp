// Whole meshes: every mode on random and procedural rigs, against a Jacobian in Eigen.
#include "skinlight/skinning/skin.h"
#include "testing/skin_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <functional>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/detail/pose_reader.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test_skin_data::factors_of;
using test_skin_data::Full;
using test_skin_data::skinned;
using testing::HasSubstr;

constexpr double kAgree = 1e-9;  // radians between formulas in double
constexpr double kLong = .05;  // |co(J)^T n0| and |det J| below which an angle loses digits for good reasons
constexpr double kRounding = 1e-12;
constexpr double kFloat = 1e-6;  // unit vectors in float

constexpr NormalMode kExactModes[] = {NormalMode::inverse_transpose, NormalMode::cofactors,
                                      NormalMode::tangent_pair,      NormalMode::deform_naive,
                                      NormalMode::deform_eq13,       NormalMode::deform};

std::vector<NormalModeRow> rows(Method method) {
  std::vector<NormalModeRow> all;
  for (const NormalMode mode : row(method).modes) all.push_back(row(mode));
  return all;
}

double angle(Vec3d a, Vec3d b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

struct Truth {
  Vec3d n;
  double det;   // of J, times the pose's orientation
  double size;  // |co(J)^T n0|
};

// co(J)^T n0 with J of [TPS14 Eq. 7], pointing outwards under mirrors.
Truth truth_at(const RiggedMesh& mesh, const NormalRecord& f, const Pose& pose, int v) {
  const auto i = static_cast<std::size_t>(v);
  Matrix3d J = Matrix3d::Zero();
  for (int k = 0; k < f.slots; ++k) {
    const std::size_t s = f.at(v, k);
    const Mat4x3d& M = pose.M[static_cast<std::size_t>(f.bone[s])];
    const Vector3d q = eigen_linear(M) * eigen(mesh.p0[i]) + eigen(M[3]);
    J += f.weight[s] * eigen_linear(M) + q * eigen(f.gradient[s]).transpose();
  }
  Matrix3d cofactors;
  cofactors << J.col(1).cross(J.col(2)), J.col(2).cross(J.col(0)), J.col(0).cross(J.col(1));
  const Vector3d n = pose.orientation * (cofactors * eigen(mesh.n0[i]));
  return {Vec3d(n.x(), n.y(), n.z()), pose.orientation * J.determinant(), n.norm()};
}

struct Case {
  std::string name;
  RiggedMesh mesh;
  Pose pose;
};

std::vector<Case> cases() {
  Random random(1);
  std::vector<Case> all;
  const auto add = [&](const std::string& name, const RiggedMesh& mesh, const Pose& pose) {
    all.push_back({name, mesh, pose});
    all.push_back({name + ", mirrored pose", mesh, test_rigs::mirrored(pose)});
    RiggedMesh mirrored = mesh;
    test_rigs::mirror_uv(mirrored);
    validate(mirrored);
    all.push_back({name + ", mirrored uv", mirrored, pose});
    all.push_back({name + ", both mirrored", mirrored, test_rigs::mirrored(pose)});
  };
  for (const int slots : {1, 2, 3, 4})
    for (const test_meshes::TriangleMesh& shape :
         {test_meshes::sphere(3), test_meshes::bumpy_sphere(3, random),
          test_meshes::terrain(12, .2, random)}) {
      const RiggedMesh mesh = test_rigs::bind(shape, 6, slots, random);
      add(shape.name + ", rigid, " + std::to_string(slots), mesh,
          test_rigs::random_rigid_pose(6, random, .3, .1));
      add(shape.name + ", affine, " + std::to_string(slots), mesh,
          test_rigs::random_affine_pose(6, random, .3));
    }
  const Tessellation t{.segments = 24, .jitter = .2, .random_diagonals = true};
  add("pill", pill(t).mesh, pill_pose());
  add("twist", cylinder({}, t).mesh, cylinder_twist(1.2));
  add("bend", cylinder({}, t).mesh, cylinder_bend(.8));
  RiggedMesh skew = cylinder({}, t).mesh;  // t0 and b0 along uv, not orthogonal to each other
  for (Vec2d& uv : skew.uv) uv.x += .1 * uv.y;
  compute_tangent_frames(skew, TangentConvention::uv);
  add("skew frames", skew, cylinder_bend(.8));
  return all;
}

class SkinModes : public testing::Test {
 protected:
  static void SetUpTestSuite() { cases_ = new std::vector<Case>(cases()); }
  static void TearDownTestSuite() {
    delete cases_;
    cases_ = nullptr;
  }
  static std::vector<Case>* cases_;
};
std::vector<Case>* SkinModes::cases_ = nullptr;

TEST_F(SkinModes, ExactModesAgreeWithEigenOnEveryRigAndSide) {
  for (const Case& c : *cases_) {
    SCOPED_TRACE(c.name);
    const NormalRecord f = factors_of(c.mesh);
    for (const NormalMode mode : kExactModes) {
      const SkinnedMesh<double> posed = skinned(c.mesh, f, c.pose, mode);
      int compared = 0;
      double worst = 0;
      for (int v = 0; v < c.mesh.vertex_count(); ++v) {
        const Truth truth = truth_at(c.mesh, f, c.pose, v);
        if (truth.size < kLong || std::abs(truth.det) < kLong) continue;
        // Where the surface turns itself inside out, J^-T n0 stays outside and t x b goes with the surface.
        const double side = mode == NormalMode::inverse_transpose && truth.det < 0 ? -1 : 1;
        worst = std::max(worst, angle(posed.n[static_cast<std::size_t>(v)], truth.n * side));
        ++compared;
      }
      EXPECT_LT(worst, kAgree) << row(mode).name;
      EXPECT_GT(compared, c.mesh.vertex_count() * 3 / 4);
    }
  }
}

TEST_F(SkinModes, StandardPointsToTheSideOfTheTruth) {
  for (const Case& c : *cases_) {
    SCOPED_TRACE(c.name);
    const NormalRecord f = factors_of(c.mesh);
    const SkinnedMesh<double> posed = skinned(c.mesh, f, c.pose, NormalMode::standard);
    int wrong = 0;
    for (int v = 0; v < c.mesh.vertex_count(); ++v)
      wrong += dot(posed.n[static_cast<std::size_t>(v)], truth_at(c.mesh, f, c.pose, v).n) < 0;
    // Rigs of one influence jump from bone to bone and turn some vertices inside out; a wrong sign would turn
    // all.
    EXPECT_LE(wrong, c.mesh.vertex_count() / 8);
  }
}

TEST_F(SkinModes, PositionsDoNotDependOnTheMode) {
  for (const Case& c : *cases_) {
    SCOPED_TRACE(c.name);
    const NormalRecord f = factors_of(c.mesh);
    for (const NormalModeRow& mode : rows(Method::lbs)) {
      const SkinnedMesh<double> posed = skinned(c.mesh, f, c.pose, mode.mode);
      for (int v = 0; v < c.mesh.vertex_count(); ++v) {
        Vector3d expected = Vector3d::Zero();
        for (std::size_t k = 0; k < static_cast<std::size_t>(c.mesh.slots); ++k) {
          const Mat4x3d& M = c.pose.M[static_cast<std::size_t>(c.mesh.bones_of(v)[k])];
          expected += c.mesh.weights_of(v)[k] *
                      (eigen_linear(M) * eigen(c.mesh.p0[static_cast<std::size_t>(v)]) + eigen(M[3]));
        }
        ASSERT_LT((eigen(posed.p[static_cast<std::size_t>(v)]) - expected).norm(), kRounding) << mode.name;
      }
    }
  }
}

TEST_F(SkinModes, FloatFollowsDouble) {
  constexpr double kFloatAngle = 3e-5;  // measured 6e-6; values near 1 and |n| > .2
  for (const Case& c : *cases_) {
    SCOPED_TRACE(c.name);
    const NormalRecord f = factors_of(c.mesh);
    for (const NormalModeRow& mode : rows(Method::lbs)) {
      const SkinnedMesh<double> wide = skinned(c.mesh, f, c.pose, mode.mode);
      const SkinnedMesh<float> narrow = skin<float>(c.mesh, Full(c.mesh, f), c.pose, {.mode = mode.mode});
      double worst = 0;
      for (std::size_t v = 0; v < wide.n.size(); ++v) {
        EXPECT_LT(length(Vec3d(narrow.p[v]) - wide.p[v]), 3e-6);
        const Truth truth = truth_at(c.mesh, f, c.pose, static_cast<int>(v));
        if (truth.size < 4 * kLong || std::abs(truth.det) < 4 * kLong) continue;
        worst = std::max(worst, angle(Vec3d(narrow.n[v]), wide.n[v]));
      }
      EXPECT_LT(worst, kFloatAngle) << mode.name;
    }
  }
}

TEST_F(SkinModes, ResultsAreUnit) {
  for (const Case& c : *cases_) {
    const NormalRecord f = factors_of(c.mesh);
    for (const NormalModeRow& mode : rows(Method::lbs)) {
      const SkinnedMesh<double> posed = skinned(c.mesh, f, c.pose, mode.mode);
      for (const std::vector<Vec3d>* vectors : {&posed.t, &posed.b, &posed.n})
        for (const Vec3d& v : *vectors) ASSERT_NEAR(length(v), 1, kRounding);
    }
  }
}

TEST(Skin, ManySlotsAgreeToo) {
  Random random(2);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(3, random), 12, 8, random);
  const Pose pose = test_rigs::random_affine_pose(12, random, .3);
  for (const int slots : {8, 12, 16, 0}) {
    const NormalRecord f = factors_of(mesh, slots);
    for (const NormalMode mode : kExactModes) {
      const SkinnedMesh<double> posed = skinned(mesh, f, pose, mode);
      for (int v = 0; v < mesh.vertex_count(); ++v) {
        const Truth truth = truth_at(mesh, f, pose, v);
        if (truth.size < kLong || truth.det < kLong) continue;
        EXPECT_LT(angle(posed.n[static_cast<std::size_t>(v)], truth.n), kAgree);
      }
    }
  }
}

TEST(Skin, RestPoseChangesNothing) {
  Random random(3);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 4, random);
  const NormalRecord f = factors_of(mesh);
  for (const NormalModeRow& mode : rows(Method::lbs)) {
    const SkinnedMesh<double> posed = skinned(mesh, f, rest_pose(6), mode.mode);
    for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
      EXPECT_LT(length(posed.p[v] - mesh.p0[v]), kRounding);
      EXPECT_LT(length(posed.n[v] - mesh.n0[v]), 1e2 * kRounding) << mode.name;
      EXPECT_LT(length(posed.t[v] - mesh.t0[v]), 1e2 * kRounding) << mode.name;
      EXPECT_LT(length(posed.b[v] - mesh.b0[v]), 1e2 * kRounding) << mode.name;
    }
  }
}

TEST(Skin, RigidMotionOfAllBonesRotatesNormalsExactly) {
  Random random(4);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 4, random);
  const NormalRecord f = factors_of(mesh);
  const Mat4x3d rigid = test_rigs::random_rigid(random, 3, 5);
  const Pose pose = make_pose(std::vector<Mat4x3d>(6, rigid));
  for (const NormalModeRow& mode : rows(Method::lbs))
    for (const GuardRow& guard : guards()) {
      const SkinnedMesh<double> posed = skinned(mesh, f, pose, mode.mode, guard.usual);
      for (std::size_t v = 0; v < mesh.p0.size(); ++v)
        EXPECT_LT(length(posed.n[v] - Mat3d(rigid) * mesh.n0[v]), 1e2 * kRounding) << mode.name;
    }
}

// Files split vertices at uv seams: both halves must shine alike, though their frames may differ.
TEST(Skin, TwinsOfASeamGetTheSameNormal) {
  RiggedMesh mesh = pill({.segments = 24, .jitter = .2, .random_diagonals = true}).mesh;
  const Surface surface(mesh.faces, weld(mesh));
  for (std::size_t v = 0; v < mesh.p0.size(); v += 2) {  // frames of the halves differ
    const Vec3d t = mesh.t0[v];
    mesh.t0[v] = mesh.b0[v];
    mesh.b0[v] = -t;
  }
  validate(mesh);
  const NormalRecord f = deform_factors(mesh, surface);
  for (const NormalModeRow& mode : rows(Method::lbs)) {
    const SkinnedMesh<double> posed = skinned(mesh, f, pill_pose(), mode.mode);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      const int first = surface.representative(surface.vertex_of(v));
      EXPECT_LT(length(posed.n[static_cast<std::size_t>(v)] - posed.n[static_cast<std::size_t>(first)]),
                kRounding)
          << mode.name;
    }
  }
}

TEST(Skin, CollapsedAndHugePosesStayFinite) {
  Random random(7);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(2, random), 4, 4, random);
  const NormalRecord f = factors_of(mesh);
  Mat4x3d flat = identity_transform<double>(), line = flat, point = flat;
  flat[2] = line[2] = line[1] = point[2] = point[1] = point[0] = Vec3d(0.0);
  for (const Mat4x3d& M : {flat, line, point, identity_transform<double>() * 1e-20,
                           identity_transform<double>() * 1e20, identity_transform<double>() * 1e30}) {
    const Pose pose = make_pose(std::vector<Mat4x3d>(4, M));
    for (const NormalModeRow& mode : rows(Method::lbs))
      for (const GuardRow& guard : guards()) {
        const auto wide = skin<double>(mesh, Full(mesh, f), pose, {.mode = mode.mode, .guard = guard.usual});
        const auto narrow = skin<float>(mesh, Full(mesh, f), pose, {.mode = mode.mode, .guard = guard.usual});
        for (std::size_t v = 0; v < mesh.p0.size(); ++v)
          for (const Vec3d& n :
               {wide.n[v], wide.t[v], wide.b[v], Vec3d(narrow.n[v]), Vec3d(narrow.t[v]), Vec3d(narrow.b[v])})
            ASSERT_NEAR(length(n), 1, 1e-6) << mode.name;
      }
  }
}

TEST(Skin, DirectionsThatCollapseFallBackToRest) {
  Random random(8);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 2, 2, random);
  const Mat4x3d point = Mat4x3d(Vec3d(0.0), Vec3d(0.0), Vec3d(0.0), Vec3d(1, 2, 3));
  const NormalRecord f = factors_of(mesh, 2);
  for (const NormalModeRow& mode : rows(Method::lbs)) {
    const SkinnedMesh<double> posed = skinned(mesh, f, make_pose({point, point}), mode.mode);
    EXPECT_EQ(posed.n, mesh.n0) << mode.name;
    EXPECT_EQ(posed.t, mesh.t0) << mode.name;
    EXPECT_EQ(posed.b, mesh.b0) << mode.name;
  }
}

// Whichever lanes of a block they stand in.
TEST(Skin, DirectionsThatCollapseAmongOthersFallBackToRest) {
  Random random(9);
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 2, 2, random);
  std::vector<char> collapsed;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    collapsed.push_back(random.below(3) == 0);
    if (!collapsed[v]) continue;
    const std::size_t first = 2 * v, second = first + 1;
    mesh.bone[first] = 0;
    mesh.bone[second] = 1;
    mesh.weight[first] = 1;
    mesh.weight[second] = 0;
  }
  const Mat4x3d turn = test_rigs::random_rigid_pose(1, random).M[0];
  const Pose pose = make_pose({Mat4x3d(Vec3d(0.0), Vec3d(0.0), Vec3d(0.0), Vec3d(1, 2, 3)), turn});
  const auto posed = skin<float>(mesh, factors_of(mesh, 2), pose, {.mode = NormalMode::standard});
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const auto expected = [&](Vec3d rest) { return collapsed[v] ? rest : Mat3d(turn) * rest; };
    EXPECT_LT(length(Vec3d(posed.n[v]) - expected(mesh.n0[v])), kFloat) << v;
    EXPECT_LT(length(Vec3d(posed.t[v]) - expected(mesh.t0[v])), kFloat) << v;
    EXPECT_LT(length(Vec3d(posed.b[v]) - expected(mesh.b0[v])), kFloat) << v;
  }
}

TEST(Skin, PaddingToTheKernelsSlotsChangesNothing) {
  Random random(9);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 8, 3, random);
  const Pose pose = test_rigs::random_affine_pose(8, random, .4);
  const NormalRecord five = factors_of(mesh, 5);
  NormalRecord eight = five;  // the same slots and three unused ones
  eight.slots = 8;
  const std::size_t size = mesh.p0.size() * 8;
  eight.bone.assign(size, 0);
  eight.weight.assign(size, 0);
  eight.alpha.assign(size, 0);
  eight.beta.assign(size, 0);
  eight.gradient.assign(size, Vec3d(0.0));
  eight.smooth_weight.assign(size, 0);
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (int k = 0; k < 5; ++k) {
      eight.bone[eight.at(v, k)] = five.bone[five.at(v, k)];
      eight.weight[eight.at(v, k)] = five.weight[five.at(v, k)];
      eight.alpha[eight.at(v, k)] = five.alpha[five.at(v, k)];
      eight.beta[eight.at(v, k)] = five.beta[five.at(v, k)];
      eight.gradient[eight.at(v, k)] = five.gradient[five.at(v, k)];
      eight.smooth_weight[eight.at(v, k)] = five.smooth_weight[five.at(v, k)];
    }
  for (const NormalModeRow& mode : rows(Method::lbs)) {
    const SkinnedMesh<double> a = skinned(mesh, five, pose, mode.mode),
                              b = skinned(mesh, eight, pose, mode.mode);
    for (std::size_t v = 0; v < a.n.size(); ++v) {
      EXPECT_EQ(a.n[v], b.n[v]) << mode.name;
      EXPECT_EQ(a.t[v], b.t[v]) << mode.name;
      EXPECT_EQ(a.p[v], b.p[v]) << mode.name;
    }
  }
}

// In double, where both poses are exact enough, a pivot changes nothing; in float it takes away what distance
// costs.
TEST(Skin, PivotChangesNoResultButFloatsError_Sec4_3) {
  const RiggedMesh mesh = cylinder({}, {.segments = 24}).mesh;
  const NormalRecord factors = deform_factors(mesh, Surface(mesh.faces, weld(mesh)));
  const Full data(mesh, factors);
  Pose far = cylinder_bend(.8);
  for (Mat4x3d& m : far.M) m[3] += Vec3d(3e5, -2e5, 4e5);
  const Pose pivoted = centred(far);
  for (const NormalMode mode : row(Method::lbs).modes) {
    const SkinOptions options{.mode = mode};
    const auto plain = skin<double>(mesh, data, far, options),
               same = skin<double>(mesh, data, pivoted, options);
    const auto near = skin<float>(mesh, data, pivoted, options),
               rounded = skin<float>(mesh, data, far, options);
    double pivot_error = 0, plain_error = 0;
    for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
      EXPECT_LT(length(plain.p[v] - same.p[v]), 1e-9);
      EXPECT_LT(length(plain.n[v] - same.n[v]), 1e-8);
      EXPECT_LT(length(plain.p[v] - Vec3d(near.p[v])), .05);  // floats near 4e5 are 0.03 apart
      pivot_error = std::max(pivot_error, length(plain.n[v] - Vec3d(near.n[v])));
      plain_error = std::max(plain_error, length(plain.n[v] - Vec3d(rounded.n[v])));
    }
    EXPECT_LT(pivot_error, 2e-6) << row(mode).name;
    const bool translations_first =
        mode == NormalMode::deform || mode == NormalMode::smoothed || mode == NormalMode::deform_vectors;
    if (translations_first) {
      EXPECT_LT(plain_error, 2e-6) << row(mode).name;
    } else if (mode != NormalMode::standard) {
      EXPECT_GT(plain_error, 1e-3) << row(mode).name;
    }
  }
}

TEST(Skin, ThreadCountDoesNotChangeAByte) {
  Random random(10);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(5, random), 8, 4, random);
  const NormalRecord f = factors_of(mesh);
  const Pose pose = test_rigs::random_rigid_pose(8, random);
  const auto one = skin<float>(mesh, f, pose, {.threads = 1});
  for (const int threads : {2, 3, 0}) {
    const auto many = skin<float>(mesh, f, pose, {.threads = threads});
    EXPECT_EQ(std::memcmp(one.n.data(), many.n.data(), one.n.size() * sizeof(Vec3f)), 0);
    EXPECT_EQ(std::memcmp(one.p.data(), many.p.data(), one.p.size() * sizeof(Vec3f)), 0);
  }
}

TEST(Skin, WhatDoesNotBelongTogetherIsAnError) {
  Random random(11);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 4, 3, random);
  const NormalRecord good = factors_of(mesh);
  const auto error = [&](const NormalRecord& f, int bones) -> std::string {
    try {
      skin<float>(mesh, f, rest_pose(bones));
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(error(good, 4), "accepted");
  EXPECT_EQ(error(good, 9), "accepted");  // bones that move nothing
  EXPECT_THAT(error(good, 3), HasSubstr("pose"));
  EXPECT_THAT(error(good, 0), HasSubstr("pose"));
  EXPECT_THAT(error({}, 4), HasSubstr("deform factors"));
  const RiggedMesh smaller = test_rigs::bind(test_meshes::sphere(1), 4, 3, random);
  EXPECT_THAT(error(factors_of(smaller), 4), HasSubstr("deform factors"));
  for (const auto& spoil : std::vector<std::function<void(NormalRecord&)>>{
           [](NormalRecord& f) { f.weight.pop_back(); }, [](NormalRecord& f) { f.alpha.pop_back(); },
           [](NormalRecord& f) { f.beta.pop_back(); }, [](NormalRecord& f) { f.gradient.pop_back(); },
           [](NormalRecord& f) { f.bone.pop_back(); }, [](NormalRecord& f) { f.bone[7] = 4; },
           [](NormalRecord& f) { f.bone[7] = -1; }, [](NormalRecord& f) { f.slots = 3; }}) {
    NormalRecord f = good;
    spoil(f);
    EXPECT_THAT(error(f, 4), HasSubstr("deform factors"));
  }
}

// Gradients and smooth weights may be left out: the modes that read neither give the same bytes, the others
// say what they miss.
TEST(Skin, FactorsWithoutDerivativesServeTheModesThatReadNone) {
  Random random(12);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 4, 3, random);
  const Surface surface(mesh.faces, weld(mesh));
  const NormalRecord factors = deform_factors(mesh, surface),
                     light = deform_factors(mesh, surface, {.gradients = false, .smooth_weights = false});
  const NormalRecord vectors = test_skin_data::vectors_of(mesh, factors);
  const FrameRecord frames = test_skin_data::frames_of(mesh, factors);
  const RotationCentres centres = rotation_centres(mesh, surface);
  const auto data_of = [&](const NormalRecord& f) {
    SkinData data(f);
    data.vectors = &vectors;
    data.frames = &frames;
    data.centres = &centres;
    return data;
  };
  const Pose pose = test_rigs::random_rigid_pose(4, random);
  int modes = 0, refused = 0;
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes) {
      SCOPED_TRACE(std::string(method.name) + " " + std::string(row(mode).name));
      const SkinOptions options{.method = method.method, .mode = mode};
      ++modes;
      const KernelReads& reads = kernel_row(method.method, mode).traits.reads;
      if (reads.gradients || reads.smooth) {
        ++refused;
        try {
          skin<double>(mesh, data_of(light), pose, options);
          ADD_FAILURE() << "accepted";
        } catch (const InputError& e) {
          EXPECT_THAT(e.what(), HasSubstr("are missing; the normal mode needs them"));
        }
        continue;
      }
      const auto expected = skin<double>(mesh, data_of(factors), pose, options),
                 actual = skin<double>(mesh, data_of(light), pose, options);
      EXPECT_EQ(actual.p, expected.p);
      EXPECT_EQ(actual.n, expected.n);
      EXPECT_EQ(actual.t, expected.t);
    }
  EXPECT_EQ(refused, 9);  // three exact Jacobians, smoothed in each method
  EXPECT_GT(modes, 2 * refused);
}

TEST(Skin, KernelSlotsAreTheSmallestThatHold) {
  const int expected[] = {1, 1, 2, 3, 4, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16};
  for (int slots = 0; slots <= kMaxSlots; ++slots) EXPECT_EQ(kernel_slots(slots), expected[slots]);
  EXPECT_THROW(kernel_slots(kMaxSlots + 1), InputError);
}

TEST(Skin, NormalSideFollowsTheTable) {
  for (const double orientation : {1.0, -1.0})
    for (const double handedness : {1.0, -1.0}) {
      const auto side = [&](NormalMode mode) { return normal_side(row(mode).side, handedness, orientation); };
      EXPECT_EQ(side(NormalMode::standard), 1);
      EXPECT_EQ(side(NormalMode::inverse_transpose), 1);
      EXPECT_EQ(side(NormalMode::cofactors), orientation);
      for (const NormalMode mode :
           {NormalMode::tangent_pair, NormalMode::deform_naive, NormalMode::deform_eq13, NormalMode::deform,
            NormalMode::smoothed, NormalMode::deform_vectors})
        EXPECT_EQ(side(mode), orientation * handedness);
    }
}

// Standard skinning reads bones and weights only: any source of them will do.
TEST(Skin, StandardModesDoWithoutFactors) {
  Random random(31);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 4, 3, random);
  const Surface surface(mesh.faces, weld(mesh));
  const NormalRecord factors = deform_factors(mesh, surface);
  const RotationCentres centres = rotation_centres(mesh, surface);
  const Pose pose = test_rigs::random_rigid_pose(4, random);
  SkinData with = factors, without;
  with.centres = without.centres = &centres;
  for (const MethodRow& method : methods()) {
    SCOPED_TRACE(method.name);
    const SkinOptions options{.method = method.method, .mode = NormalMode::standard};
    const auto expected = skin<double>(mesh, with, pose, options),
               actual = skin<double>(mesh, without, pose, options);
    EXPECT_EQ(actual.p, expected.p);
    EXPECT_EQ(actual.n, expected.n);
    try {
      skin<double>(mesh, without, pose, {.method = method.method, .mode = method.derivative});
      ADD_FAILURE() << "accepted";
    } catch (const InputError& e) {
      EXPECT_STREQ(e.what(), "deform factors: are missing; the normal mode needs them");
    }
  }
}

// What is not asked for is not there, and what is asked for does not depend on it.
TEST(Skin, OutputsAreThoseAskedFor) {
  Random random(32);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 4, 3, random);
  const NormalRecord factors = deform_factors(mesh, Surface(mesh.faces, weld(mesh)));
  const Pose pose = test_rigs::random_rigid_pose(4, random);
  const SkinnedMesh<double> all = skin<double>(mesh, factors, pose);
  for (const Outputs outputs : {Outputs::positions, Outputs::normals, Outputs::tangents, Outputs::frame}) {
    const SkinnedMesh<double> some = skin<double>(mesh, factors, pose, {.outputs = outputs});
    const std::vector<Vec3d> none;
    EXPECT_EQ(some.p, all.p);
    EXPECT_EQ(some.n, outputs >= Outputs::normals ? all.n : none);
    EXPECT_EQ(some.t, outputs >= Outputs::tangents ? all.t : none);
    EXPECT_EQ(some.b, outputs >= Outputs::frame ? all.b : none);
  }
}

}  // namespace
}  // namespace skinlight
