// Dual quaternion skinning of whole meshes: scale, mirrors, fallbacks, sides, against finite differences in
// Eigen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/skin.h"
#include "testing/rigs.h"
#include "testing/skin_data.h"

namespace skinlight {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using testing::HasSubstr;

constexpr double kRounding = 1e-12;
constexpr NormalMode kModes[] = {NormalMode::standard, NormalMode::deform, NormalMode::exact};

double angle(Vec3d a, Vec3d b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

NormalRecord factors_of(const RiggedMesh& mesh, int max_slots = 4) {
  return deform_factors(mesh, Surface(mesh.faces, weld(mesh)), {.max_slots = max_slots});
}
SkinnedMesh<double> skinned(const RiggedMesh& mesh, const NormalRecord& f, const Pose& pose,
                            NormalMode mode) {
  return skin<double>(mesh, f, pose, {.method = Method::dqs, .mode = mode});
}

Pose scaled(Pose pose, double scale) {
  for (Mat4x3d& m : pose.M)
    for (int c = 0; c < 3; ++c) m[c] = m[c] * scale;
  return make_pose(pose.M);
}

// [KCZO07 Eq. 4] for a pose of scale times rotations, a vertex at p with the weights w of its slots.
Vector3d blended(const Pose& pose, double scale, std::span<const int> bone, const std::vector<double>& w,
                 const Vector3d& p) {
  Eigen::Vector4d real(0, 0, 0, 0), dual(0, 0, 0, 0), first(0, 0, 0, 0);
  for (std::size_t k = 0; k < w.size(); ++k) {
    const Mat4x3d& M = pose.M[static_cast<std::size_t>(bone[k])];
    Matrix3d R;
    R << eigen(M[0]), eigen(M[1]), eigen(M[2]);
    const Quaterniond r(Matrix3d(R / scale)), d(.5 * (Quaterniond(0, M[3].x, M[3].y, M[3].z) * r).coeffs());
    if (k == 0) first = r.coeffs();
    const double side = r.coeffs().dot(first) < 0 ? -1 : 1;
    real += w[k] * side * r.coeffs();
    dual += w[k] * side * d.coeffs();
  }
  const Quaterniond c0(real / real.norm()), ce(dual / real.norm());
  return c0 * (scale * p) + 2 * (ce * c0.conjugate()).vec();
}

struct Case {
  std::string name;
  RiggedMesh mesh;
  Pose pose;
  double scale;  // negative: mirrored
};

std::vector<Case> cases() {
  Random random(1);
  std::vector<Case> all;
  for (const int slots : {1, 2, 3, 4}) {
    const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(3, random), 6, slots, random);
    RiggedMesh mirrored_uv = mesh;
    test_rigs::mirror_uv(mirrored_uv);
    const Pose pose = test_rigs::random_rigid_pose(6, random, 1.5, .3);
    const std::string name = std::to_string(slots) + " slots";
    all.push_back({name, mesh, pose, 1});
    all.push_back({name + ", mirrored uv", mirrored_uv, pose, 1});
    all.push_back({name + ", mirrored pose", mesh, test_rigs::mirrored(pose), -1});
    all.push_back({name + ", both mirrored", mirrored_uv, test_rigs::mirrored(pose), -1});
    all.push_back({name + ", scale 100", mesh, scaled(pose, 100), 100});
    all.push_back({name + ", scale 100, mirrored", mesh, test_rigs::mirrored(scaled(pose, 100)), -100});
  }
  return all;
}

TEST(DqsSkin, PositionsAreTheBlendedMotionsForEveryScaleAndMirror_KCZO07_Eq4) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const NormalRecord f = factors_of(c.mesh);
    for (const NormalMode mode : kModes) {
      const SkinnedMesh<double> posed = skinned(c.mesh, f, c.pose, mode);
      for (int v = 0; v < c.mesh.vertex_count(); ++v) {
        const std::vector<double> w(c.mesh.weights_of(v).begin(), c.mesh.weights_of(v).end());
        const Vector3d expected =
            blended(c.pose, c.scale, c.mesh.bones_of(v), w, eigen(c.mesh.p0[static_cast<std::size_t>(v)]));
        ASSERT_LT((eigen(posed.p[static_cast<std::size_t>(v)]) - expected).norm(),
                  kRounding * (1 + std::abs(c.scale)));
      }
    }
  }
}

// Central differences of step 1e-5 of numbers near 1: 1e-10 of third derivatives and 1e-11 of rounding.
TEST(DqsSkin, ExactTangentsAreDifferencesOfThePositionsForEveryScaleAndMirror) {
  constexpr double kStep = 1e-5, kDifference = 1e-7;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const NormalRecord f = factors_of(c.mesh);
    const SkinnedMesh<double> posed = skinned(c.mesh, f, c.pose, NormalMode::exact);
    for (int v = 0; v < c.mesh.vertex_count(); ++v) {
      const auto i = static_cast<std::size_t>(v);
      const std::span<const int> bone(f.bone.data() + f.at(v, 0), static_cast<std::size_t>(f.slots));
      const auto tangent = [&](const std::vector<double>& factor, Vec3d along) {
        const auto at = [&](double step) {
          std::vector<double> w;
          for (int k = 0; k < f.slots; ++k) w.push_back(f.weight[f.at(v, k)] + step * factor[f.at(v, k)]);
          return blended(c.pose, c.scale, bone, w, eigen(c.mesh.p0[i] + along * step));
        };
        const Vector3d d = (at(kStep) - at(-kStep)) / (2 * kStep);
        return Vec3d(d.x(), d.y(), d.z());
      };
      const Vec3d t = tangent(f.alpha, c.mesh.t0[i]), b = tangent(f.beta, c.mesh.b0[i]);
      if (length(cross(t, b)) < .05 * c.scale * c.scale) continue;  // angles lose digits for good reasons
      EXPECT_LT(angle(posed.t[i], t), kDifference);
      EXPECT_LT(angle(posed.b[i], b), kDifference);
      EXPECT_LT(angle(posed.n[i], cross(t, b) * (c.mesh.handedness[i] * c.pose.orientation)),
                10 * kDifference);
    }
  }
}

TEST(DqsSkin, EveryModePointsOutwards) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const NormalRecord f = factors_of(c.mesh);
    const std::vector<Vec3d> exact = skinned(c.mesh, f, c.pose, NormalMode::exact).n;
    for (const NormalMode mode : {NormalMode::standard, NormalMode::deform}) {
      const std::vector<Vec3d> n = skinned(c.mesh, f, c.pose, mode).n;
      int wrong = 0;
      for (std::size_t v = 0; v < n.size(); ++v) wrong += dot(n[v], exact[v]) < 0;
      // Rigs of one influence jump from bone to bone and turn some vertices inside out; a wrong sign would
      // turn all.
      EXPECT_LE(wrong, c.mesh.vertex_count() / 4) << row(mode).name;
    }
  }
}

TEST(DqsSkin, FloatFollowsDouble) {
  for (const Case& c : cases()) {
    if (std::abs(c.scale) > 1) continue;
    SCOPED_TRACE(c.name);
    const NormalRecord f = factors_of(c.mesh);
    for (const NormalMode mode : kModes) {
      const SkinnedMesh<double> wide = skinned(c.mesh, f, c.pose, mode);
      const SkinnedMesh<float> narrow = skin<float>(c.mesh, f, c.pose, {.method = Method::dqs, .mode = mode});
      for (std::size_t v = 0; v < wide.p.size(); ++v) {
        EXPECT_LT(length(Vec3d(narrow.p[v]) - wide.p[v]), 3e-6);
        EXPECT_LT(length(Vec3d(narrow.t[v]) - wide.t[v]), 3e-5);
      }
    }
  }
}

// Blending one bone with itself is that bone: linear and dual quaternion skinning are one.
TEST(DqsSkin, OneInfluenceIsLinearBlendSkinning) {
  Random random(2);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(3), 5, 1, random);
  const std::vector<Vec3d> zero(mesh.bone.size(), Vec3d(0.0));
  const NormalRecord f = deform_factors_from_gradients(mesh, zero);
  const Pose pose = test_rigs::random_rigid_pose(5, random, 3, 2);
  const SkinnedMesh<double> linear = skin<double>(mesh, f, pose, {.mode = NormalMode::standard});
  for (const NormalMode mode : kModes) {
    const SkinnedMesh<double> posed = skinned(mesh, f, pose, mode);
    for (std::size_t v = 0; v < posed.p.size(); ++v) {
      EXPECT_LT(length(posed.p[v] - linear.p[v]), 10 * kRounding);
      EXPECT_LT(length(posed.n[v] - linear.n[v]), 10 * kRounding);
    }
  }
}

TEST(DqsSkin, RestPoseAndCommonMotionsAreExact) {
  Random random(3);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 4, random);
  const NormalRecord f = factors_of(mesh);
  for (const Mat4x3d& M : {identity_transform<double>(), test_rigs::random_rigid(random, 3, 5)})
    for (const NormalMode mode : kModes) {
      const SkinnedMesh<double> posed = skinned(mesh, f, make_pose(std::vector<Mat4x3d>(6, M)), mode);
      for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
        EXPECT_LT(length(posed.p[v] - transform_point(M, mesh.p0[v])), 10 * kRounding);
        EXPECT_LT(length(posed.n[v] - Mat3d(M) * mesh.n0[v]), 1e2 * kRounding) << row(mode).name;
        EXPECT_LT(length(posed.t[v] - Mat3d(M) * mesh.t0[v]), 1e2 * kRounding) << row(mode).name;
      }
    }
}

TEST(DqsSkin, TwinsOfASeamGetTheSameNormal) {
  const RiggedMesh mesh =
      cylinder({.half_blend = 2, .ramp = Ramp::smootherstep}, {.segments = 24, .jitter = .2}).mesh;
  const Surface surface(mesh.faces, weld(mesh));
  const NormalRecord f = factors_of(mesh, 2);
  for (const NormalMode mode : kModes) {
    const SkinnedMesh<double> posed = skinned(mesh, f, cylinder_bend(1), mode);
    for (int v = 0; v < mesh.vertex_count(); ++v)
      EXPECT_LT(angle(posed.n[static_cast<std::size_t>(v)],
                      posed.n[static_cast<std::size_t>(surface.representative(surface.vertex_of(v)))]),
                kRounding);
  }
}

TEST(DqsSkin, BonesThatAreNotRigidGiveFiniteUnitResults) {
  Random random(4);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 4, 3, random);
  const NormalRecord f = factors_of(mesh);
  Mat4x3d flat = identity_transform<double>(), point = flat;
  flat[2] = point[0] = point[1] = point[2] = Vec3d(0.0);
  std::vector<Pose> poses = {make_pose(std::vector<Mat4x3d>(4, flat)),
                             make_pose(std::vector<Mat4x3d>(4, point)),
                             test_rigs::random_affine_pose(4, random)};
  poses.push_back(poses.back());
  for (int c = 0; c < 4; ++c) poses.back().M[1][c].y = -poses.back().M[1][c].y;  // one bone mirrors
  for (const Pose& pose : poses)
    for (const NormalMode mode : kModes) {
      const SkinnedMesh<float> posed = skin<float>(mesh, f, pose, {.method = Method::dqs, .mode = mode});
      for (std::size_t v = 0; v < posed.p.size(); ++v) {
        ASSERT_TRUE(is_finite(Vec3d(posed.p[v])));
        for (const Vec3f& u : {posed.t[v], posed.b[v], posed.n[v]}) ASSERT_NEAR(length(Vec3d(u)), 1, 1e-6);
      }
    }
}

TEST(DqsSkin, ModesItLacksAreErrorsThatListTheOthers) {
  Random random(5);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 3, 2, random);
  const NormalRecord f = factors_of(mesh);
  const RotationCentres centres = rotation_centres(mesh, Surface(mesh.faces, weld(mesh)));
  SkinData data(f);
  data.centres = &centres;
  const NormalRecord vectors = test_skin_data::vectors_of(mesh, f);
  data.vectors = &vectors;
  const FrameRecord frames = test_skin_data::frames_of(mesh, f);
  data.frames = &frames;
  const auto error = [&](Method method, NormalMode mode) -> std::string {
    try {
      skin<float>(mesh, data, rest_pose(3), {.method = method, .mode = mode});
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  for (const MethodRow& method : methods())
    for (const NormalModeRow& mode : normal_modes()) {
      const bool has = std::count(method.modes.begin(), method.modes.end(), mode.mode) > 0;
      EXPECT_EQ(error(method.method, mode.mode) == "accepted", has) << method.name << " " << mode.name;
    }
  EXPECT_EQ(error(Method::dqs, NormalMode::cofactors),
            "skinning method 'dqs': has no normal mode 'cofactors'; choose one of standard, deform, exact, "
            "smoothed, deform-frames");
  EXPECT_THAT(error(Method::lbs, NormalMode::exact), HasSubstr("'lbs': has no normal mode 'exact'"));
}

}  // namespace
}  // namespace skinlight
