// What guards do to whole meshes [TPS14 Sec. 4.4]. Their kernels are proven in guards_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "skinlight/core/error.h"
#include "testing/rigs.h"
#include "testing/skin_data.h"

namespace skinlight {
namespace {

using test_skin_data::factors_of;
using test_skin_data::skinned;

// Guards that change a jagged rig's normals: the usual ones, and test-then-fix behind the paper's clamp.
std::vector<GuardOptions> acting_guards() {
  std::vector<GuardOptions> all = {{Guard::test_then_fix, kPaperClamp}};
  for (const GuardRow& guard : guards())
    if (guard.guard != Guard::none) all.push_back(guard.usual);
  return all;
}

// Exporters write bones that scale by 100: guards are meant in units of the rest surface.
TEST(Skin, ScaleOfThePoseDoesNotChangeTheGuards_Sec4_4) {
  Random random(5);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 4, random);
  const NormalRecord f = factors_of(mesh);
  const Pose pose = test_rigs::random_rigid_pose(6, random, 1, .6);
  const SkinnedMesh<double> unguarded = skinned(mesh, f, pose, NormalMode::deform);
  for (const GuardOptions& guard : acting_guards()) {
    const SkinnedMesh<double> one = skinned(mesh, f, pose, NormalMode::deform, guard);
    double effect = 0;
    for (std::size_t v = 0; v < one.n.size(); ++v)
      effect = std::max(effect, length(one.n[v] - unguarded.n[v]));
    EXPECT_GT(effect, .1) << row(guard.guard).name;  // the guard acts here
    for (const double scale : {.01, 100.0, 351.9}) {
      std::vector<Mat4x3d> M = pose.M;
      for (Mat4x3d& m : M) m = m * scale;
      const SkinnedMesh<double> scaled = skinned(mesh, f, make_pose(M), NormalMode::deform, guard);
      for (std::size_t v = 0; v < one.n.size(); ++v)
        EXPECT_LT(length(one.n[v] - scaled.n[v]), 1e-10) << row(guard.guard).name;
    }
  }
}

// A mirrored texture or mirroring bones change signs, not what a guard does.
TEST(Skin, MirrorsDoNotChangeTheGuards_Sec4_4) {
  Random random(15);
  RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 4, random);
  const NormalRecord f = factors_of(mesh);
  const Pose pose = test_rigs::random_rigid_pose(6, random, 1, .6);
  RiggedMesh other_uv = mesh;
  test_rigs::mirror_uv(other_uv);
  const NormalRecord other_f = factors_of(other_uv);
  for (const GuardOptions& guard : acting_guards()) {
    const SkinnedMesh<double> one = skinned(mesh, f, pose, NormalMode::deform, guard),
                              uv = skinned(other_uv, other_f, pose, NormalMode::deform, guard),
                              bones = skinned(mesh, f, test_rigs::mirrored(pose), NormalMode::deform, guard);
    for (std::size_t v = 0; v < one.n.size(); ++v) {
      EXPECT_LT(length(one.n[v] - uv.n[v]), 1e-10) << row(guard.guard).name;
      EXPECT_LT(length(Vec3d(-one.n[v].x, one.n[v].y, one.n[v].z) - bones.n[v]), 1e-10)
          << row(guard.guard).name;
    }
  }
}

// Guards shorten what is added to T t0: modes without such a term ignore them.
TEST(Skin, GuardsActOnDeformSmoothedAndDeformVectorsOnly) {
  Random random(6);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(2, random), 6, 4, random);
  const NormalRecord f = factors_of(mesh);
  const Pose pose = test_rigs::random_rigid_pose(6, random);
  for (const NormalMode mode : row(Method::lbs).modes)
    for (const GuardOptions& guard : acting_guards()) {
      const bool same = skinned(mesh, f, pose, mode).n == skinned(mesh, f, pose, mode, guard).n;
      const bool guarded =
          mode == NormalMode::deform || mode == NormalMode::smoothed || mode == NormalMode::deform_vectors;
      EXPECT_EQ(same, !guarded) << row(mode).name;
    }
}

// What the guards are for, on a rig: no normal turns away from T n0, in float as on a GPU.
TEST(Skin, JointAndTestThenFixLeaveNoFlips_Sec4_4) {
  Random random(16);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 6, 4, random);
  const NormalRecord f = factors_of(mesh);
  const auto flips = [&](const Pose& pose, const GuardOptions& guard) {
    const auto standard = skin<float>(mesh, f, pose, {.mode = NormalMode::standard});
    const auto posed = skin<float>(mesh, f, pose, {.guard = guard});
    int count = 0;
    for (std::size_t v = 0; v < posed.n.size(); ++v) count += dot(posed.n[v], standard.n[v]) < 0;
    return count;
  };
  int unguarded = 0, clamped = 0;
  for (int round = 0; round < 20; ++round) {
    const Pose pose = test_rigs::random_rigid_pose(6, random, 1, .6);
    unguarded += flips(pose, {});
    clamped += flips(pose, {Guard::clamp, kPaperClamp});
    EXPECT_EQ(flips(pose, {Guard::joint, .9}), 0);
    EXPECT_EQ(flips(pose, {Guard::test_then_fix, kPaperClamp}), 0);
    EXPECT_EQ(flips(pose, kRecommendedGuard), 0);
  }
  EXPECT_GT(unguarded, 200);
  EXPECT_GT(clamped, 50);
}

TEST(Skin, GuardWithoutMeaningIsAnError) {
  Random random(17);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 2, 2, random);
  const NormalRecord f = factors_of(mesh, 2);
  const double nan = std::nan("");
  const auto error_of = [&](GuardOptions guard) -> std::string {
    try {
      skinned(mesh, f, rest_pose(2), NormalMode::deform, guard);
    } catch (const InputError& error) {
      return error.what();
    }
    return "done";
  };
  EXPECT_EQ(error_of({Guard::clamp, -1}), "c = -1.000000 of the guard: must not be negative");
  EXPECT_EQ(error_of({Guard::clamp, nan}), "c = nan of the guard: must not be negative");
  EXPECT_EQ(error_of({Guard::joint, 1}), "c = 1.000000 of the guard: must be below 1");
  EXPECT_EQ(error_of({Guard::joint, nan}), "c = nan of the guard: must not be negative");
  EXPECT_EQ(error_of({Guard::test_then_fix, 1, 1}), "k = 1.000000 of the guard: must lie in [0, 1)");
  EXPECT_EQ(error_of({Guard::test_then_fix, 1, nan}), "k = nan of the guard: must lie in [0, 1)");
  EXPECT_EQ(error_of({Guard::none, nan, nan}), "done");
  EXPECT_EQ(error_of({Guard::clamp, 0}), "done");
  EXPECT_EQ(error_of({Guard::test_then_fix, std::numeric_limits<double>::infinity(), 0}), "done");
}

TEST(Guards, NamesRoundTripAndUnknownOnesListTheRest) {
  for (const GuardRow& guard : guards()) {
    EXPECT_EQ(guard_from_name(guard.name), guard.guard);
    EXPECT_EQ(row(guard.guard).name, guard.name);
    EXPECT_EQ(guard.usual.guard, guard.guard);
  }
  try {
    guard_from_name("bogus");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "guard 'bogus': unknown; choose one of none, clamp, joint, test-then-fix");
  }
}

}  // namespace
}  // namespace skinlight
