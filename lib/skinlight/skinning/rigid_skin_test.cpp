// Whole meshes skinned by the methods that blend rigid motions: what they have in common. Their positions and
// tangents are proven in rigid_kernels_test.cpp and, with analytic gradients, in truth/rigid_truth_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/error.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/skin.h"
#include "testing/methods.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

constexpr double kRounding = 1e-12;

// A rig with all that its methods read.
struct Subject {
  RiggedMesh mesh;
  NormalRecord factors;
  RotationCentres centres;
  FrameRecord frames;

  explicit Subject(RiggedMesh m, int max_slots = 4) : mesh(std::move(m)) {
    const Surface surface(mesh.faces, weld(mesh));
    factors = deform_factors(mesh, surface, {.max_slots = max_slots});
    centres = rotation_centres(mesh, surface);
    frames = deform_frames(
        mesh, surface, {.blend = FrameBlend::rotation_centres, .centres = &centres, .max_slots = max_slots});
  }
  SkinData data() const {
    SkinData all(factors);
    all.centres = &centres;
    all.frames = &frames;
    return all;
  }
  template <class Real = double>
  SkinnedMesh<Real> posed(const Pose& pose, Method method, NormalMode mode, GuardOptions guard = {}) const {
    return skin<Real>(mesh, data(), pose, {.method = method, .mode = mode, .guard = guard});
  }
};

Subject subject(Random& random, int slots = 4, int max_slots = 4) {
  return Subject(test_rigs::bind(test_meshes::bumpy_sphere(3, random), 6, slots, random), max_slots);
}

// Every method in each of its modes.
template <class Visit>
void each_mode(Visit visit) {
  for (const Method method : test_methods::that_blend_rotations())
    for (const NormalMode mode : row(method).modes) {
      SCOPED_TRACE(std::string(row(method).name) + " " + std::string(row(mode).name));
      visit(method, mode);
    }
}

void expect_near(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, length(a[v] - b[v]));
  EXPECT_LT(largest, tolerance);
}

TEST(RigidSkin, RestPoseAndCommonMotionsAreExactForEveryScaleAndMirror) {
  Random random(1);
  const Subject s(test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 4, random));
  for (const double scale : {1.0, 100.0, -1.0, -3.0})
    for (const Mat4x3d& motion : {identity_transform<double>(), test_rigs::random_rigid(random, 3, 5)}) {
      Mat4x3d M = motion;
      for (int c = 0; c < 3; ++c) M[c] = M[c] * scale;
      const Pose pose = make_pose(std::vector<Mat4x3d>(6, M));
      each_mode([&](Method method, NormalMode mode) {
        const auto posed = s.posed(pose, method, mode);
        std::vector<Vec3d> p, n, t;
        for (std::size_t v = 0; v < s.mesh.p0.size(); ++v) {
          p.push_back(transform_point(M, s.mesh.p0[v]));
          n.push_back(Mat3d(M) * s.mesh.n0[v] / std::abs(scale));
          t.push_back(Mat3d(M) * s.mesh.t0[v] / std::abs(scale));
        }
        expect_near(posed.p, p, 100 * kRounding * (1 + std::abs(scale)));
        expect_near(posed.n, n, 1e3 * kRounding);
        expect_near(posed.t, t, 1e3 * kRounding);
      });
    }
}

// Exporters write scales of 100: the same as a rest mesh, and its centres, a hundred times as large.
TEST(RigidSkin, ScaleOfTheBonesIsScaleOfTheRestMesh) {
  Random random(2);
  const Subject s = subject(random);
  Subject large = s;
  for (Vec3d& p : large.mesh.p0) p *= 100;
  for (Vec3d& c : large.centres.centre) c *= 100;
  for (double& a : large.factors.alpha) a /= 100;  // weights change as much over a hundred times the length
  for (double& b : large.factors.beta) b /= 100;
  for (double& x : large.frames.frame_alpha) x /= 100;
  for (double& x : large.frames.frame_beta) x /= 100;
  for (Vec3d& c : large.frames.frame_centre) c *= 100;
  const Pose pose = test_rigs::random_rigid_pose(6, random, 1.5, 30);
  Pose scaled = pose;
  for (Mat4x3d& m : scaled.M)
    for (int c = 0; c < 3; ++c) m[c] = m[c] * 100;
  scaled = make_pose(scaled.M);
  each_mode([&](Method method, NormalMode mode) {
    const auto a = s.posed(scaled, method, mode), b = large.posed(pose, method, mode);
    expect_near(a.p, b.p, 1e-9);
    expect_near(a.n, b.n, 1e-8);
    expect_near(a.t, b.t, 1e-8);
  });
}

// A pose seen in a mirror is the mirrored surface. Not so for LOG, which blends M[s] with the mirror in them.
TEST(RigidSkin, MirroredPosesAreMirroredSurfaces) {
  Random random(3);
  const Subject s = subject(random);
  const Pose pose = test_rigs::random_rigid_pose(6, random, 1.5, .3);
  each_mode([&](Method method, NormalMode mode) {
    if (method == Method::log) return;
    auto a = s.posed(pose, method, mode);
    const auto b = s.posed(test_rigs::mirrored(pose), method, mode);
    for (auto* values : {&a.p, &a.n, &a.t})
      for (Vec3d& v : *values) v.x = -v.x;
    expect_near(a.p, b.p, 1e-10);
    expect_near(a.n, b.n, 1e-8);
    expect_near(a.t, b.t, 1e-8);
  });
}

// The pivot is an aid for floats: no method may see another motion because of it.
TEST(RigidSkin, PivotChangesNoResult) {
  Random random(4);
  const Subject s = subject(random);
  const Pose pose = test_rigs::random_rigid_pose(6, random, 1.5, .3);
  each_mode([&](Method method, NormalMode mode) {
    const auto a = s.posed(pose, method, mode), b = s.posed(with_pivot(pose, {3, -2, 5}), method, mode);
    expect_near(a.p, b.p, 1e-10);
    expect_near(a.n, b.n, 1e-8);
  });
}

// [BTGM19 Sec. 5]: on one bone all methods are equal.
TEST(RigidSkin, OneInfluenceIsLinearBlendSkinning_BTGM19_5) {
  Random random(5);
  const Subject s(test_rigs::bind(test_meshes::sphere(3), 5, 1, random), 1);
  const Pose pose = test_rigs::random_rigid_pose(5, random, 3, 2);
  const auto linear = skin<double>(s.mesh, s.factors, pose, {.mode = NormalMode::standard});
  each_mode([&](Method method, NormalMode mode) {
    const auto posed = s.posed(pose, method, mode);
    expect_near(posed.p, linear.p, 100 * kRounding);
    if (mode == NormalMode::standard) expect_near(posed.n, linear.n, 100 * kRounding);
  });
}

// Where a vertex has no centre it is its own, and moves linearly, tangents too.
TEST(RigidSkin, VerticesWithoutACentreAreSkinnedLinearly) {
  Random random(6);
  Subject s = subject(random);
  s.centres.has_centre.assign(s.centres.has_centre.size(), 0);
  const Pose pose = test_rigs::random_rigid_pose(6, random, 1.5, .3);
  const auto linear = skin<double>(s.mesh, s.factors, pose, {.mode = NormalMode::deform});
  const auto posed = s.posed(pose, Method::crs, NormalMode::exact);
  expect_near(posed.p, linear.p, 100 * kRounding);
  for (std::size_t v = 0; v < posed.n.size(); ++v)
    if (length(cross(linear.t[v], linear.b[v])) > .05) {
      EXPECT_LT(length(posed.n[v] - linear.n[v]), 1e-9);
    }
}

TEST(RigidSkin, SmoothedReadsTheAveragedWeightsForTangentsOnly) {
  Random random(7);
  const Subject s = subject(random);
  Subject same = s;
  same.factors.smooth_weight = s.factors.weight;
  const Pose pose = test_rigs::random_rigid_pose(6, random, 1, .3);
  for (const Method method : test_methods::that_blend_rotations()) {
    SCOPED_TRACE(row(method).name);
    const auto exact = s.posed(pose, method, NormalMode::exact),
               smoothed = s.posed(pose, method, NormalMode::smoothed),
               at_own = same.posed(pose, method, NormalMode::smoothed);
    expect_near(smoothed.p, exact.p, kRounding);
    expect_near(at_own.t, exact.t, 1e-9);
    double most = 0;
    for (std::size_t v = 0; v < exact.n.size(); ++v)
      most = std::max(most, length(exact.n[v] - smoothed.n[v]));
    EXPECT_GT(most, .01);
  }
}

TEST(RigidSkin, FloatFollowsDoubleUpToSixteenSlots) {
  Random random(8);
  for (const int slots : {2, 4, 6}) {
    const Subject s = subject(random, slots, slots == 6 ? kAllSlots : 4);
    const Pose pose = test_rigs::random_rigid_pose(6, random, 1.5, .3);
    each_mode([&](Method method, NormalMode mode) {
      const auto wide = s.posed<double>(pose, method, mode);
      const auto narrow = s.posed<float>(pose, method, mode);
      for (std::size_t v = 0; v < wide.p.size(); ++v) {
        EXPECT_LT(length(Vec3d(narrow.p[v]) - wide.p[v]), 1e-5);
        EXPECT_LT(length(Vec3d(narrow.t[v]) - wide.t[v]), 1e-4);
      }
    });
  }
}

TEST(RigidSkin, BonesThatAreNotRigidGiveFiniteUnitResults) {
  Random random(9);
  const Subject s(test_rigs::bind(test_meshes::sphere(2), 4, 3, random));
  Mat4x3d flat = identity_transform<double>(), point = flat;
  flat[2] = point[0] = point[1] = point[2] = Vec3d(0.0);
  std::vector<Pose> poses = {make_pose(std::vector<Mat4x3d>(4, flat)),
                             make_pose(std::vector<Mat4x3d>(4, point)),
                             test_rigs::random_affine_pose(4, random)};
  poses.push_back(poses.back());
  for (int c = 0; c < 4; ++c) poses.back().M[1][c].y = -poses.back().M[1][c].y;  // one bone mirrors
  std::vector<Mat4x3d> opposite;  // half a turn apart, about all axes
  for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)})
    opposite.push_back(test_rigs::transform(test_rigs::rotation(axis, M_PI), {0, 0, 0}));
  opposite.push_back(identity_transform<double>());
  poses.push_back(make_pose(opposite));
  for (const Pose& pose : poses)
    each_mode([&](Method method, NormalMode mode) {
      for (const GuardRow& guard : guards()) {
        const auto posed = s.posed<float>(pose, method, mode, guard.usual);
        for (std::size_t v = 0; v < posed.p.size(); ++v) {
          ASSERT_TRUE(is_finite(Vec3d(posed.p[v])));
          for (const Vec3f& u : {posed.t[v], posed.b[v], posed.n[v]}) ASSERT_NEAR(length(Vec3d(u)), 1, 1e-6);
        }
      }
    });
}

// On a careless rig exact normals turn away from the blended rotation's; with a guard none does, and where
// nothing flips test-then-fix without a clamp changes nothing. Deform frames take none.
TEST(RigidSkin, GuardsAct_TPS14_4_4) {
  Random random(10);
  const Subject s(test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 3, random));
  Subject averaged = s;  // what smoothed tangents are turned by
  averaged.factors.weight = s.factors.smooth_weight;
  const Pose pose = test_rigs::random_rigid_pose(6, random, 1, .3);
  for (const Method method : test_methods::that_blend_rotations()) {
    SCOPED_TRACE(row(method).name);
    const auto flips = [&](GuardOptions guard, NormalMode mode) {
      const Subject& turned = mode == NormalMode::smoothed ? averaged : s;
      const auto n = s.posed(pose, method, mode, guard).n,
                 standard = turned.posed(pose, method, NormalMode::standard).n;
      int count = 0;
      for (std::size_t v = 0; v < n.size(); ++v) count += dot(n[v], standard[v]) < 0;
      return count;
    };
    for (const NormalMode mode : row(method).modes) {
      if (mode == NormalMode::standard || mode == NormalMode::deform) continue;
      SCOPED_TRACE(row(mode).name);
      EXPECT_GT(flips({}, mode), 10);
      if (!kernel_row(method, mode).guards) {
        for (const GuardRow& guard : guards())
          EXPECT_TRUE(s.posed(pose, method, mode, guard.usual).n == s.posed(pose, method, mode).n);
        continue;
      }
      EXPECT_EQ(flips({Guard::clamp, .7}, mode), 0);  // rigid T: safe up to 1/sqrt(2)
      EXPECT_EQ(flips({Guard::joint, .9}, mode), 0);
      EXPECT_EQ(flips(kRecommendedGuard, mode), 0);
    }
    const auto free = s.posed(pose, method, NormalMode::exact).n,
               fixed = s.posed(pose, method, NormalMode::exact, kRecommendedGuard).n;
    int kept = 0;
    for (std::size_t v = 0; v < free.size(); ++v) kept += length(free[v] - fixed[v]) < 1e-9;
    EXPECT_GT(kept, s.mesh.vertex_count() / 2);
  }
}

// Bones about one axis through a joint: SBS and DQS are one method, on every vertex [KZ05].
TEST(RigidSkin, SphericalBlendingIsDualQuaternionsAtAHinge_KZ05) {
  const ProceduralRig rig = cylinder({.half_blend = 2, .ramp = Ramp::smootherstep}, {.segments = 24});
  const NormalRecord f = deform_factors_from_gradients(rig.mesh, rig.gradient);
  for (const Pose& pose : {cylinder_bend(1.2), cylinder_twist(2)}) {
    const auto sbs = skin<double>(rig.mesh, f, pose, {.method = Method::sbs, .mode = NormalMode::exact}),
               dqs = skin<double>(rig.mesh, f, pose, {.method = Method::dqs, .mode = NormalMode::exact});
    expect_near(sbs.p, dqs.p, kRounding);
    expect_near(sbs.n, dqs.n, 1e-10);
  }
}

TEST(RigidSkin, CentresThatAreMissingOrOfAnotherMeshAreErrors) {
  Random random(11);
  Subject s = subject(random);
  const SkinOptions options{.method = Method::crs, .mode = NormalMode::standard};
  const auto error = [&](const SkinData& data) -> std::string {
    try {
      skin<float>(s.mesh, data, rest_pose(6), options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(error(s.data()), "accepted");
  EXPECT_EQ(error(s.factors),
            "skinning method 'crs': needs rotation centres; compute them with rotation_centres()");
  s.centres.along_b.pop_back();
  EXPECT_THAT(error(s.data()), HasSubstr("rotation centres: has "));
}

}  // namespace
}  // namespace skinlight
