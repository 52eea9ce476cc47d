// The acceptance figures of the pill of [TPS14 Fig. 2]: RMS degrees against the analytic normals, weighted by
// deformed area, for 12, 24, 48 and 96 segments. The figures were measured on an independent implementation.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "skinlight/mesh/normals.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/truth.h"

namespace skinlight {
namespace {

// All that compute J from the same gradients.
constexpr NormalMode kExactModes[] = {NormalMode::inverse_transpose, NormalMode::cofactors,
                                      NormalMode::tangent_pair,      NormalMode::deform_naive,
                                      NormalMode::deform_eq13,       NormalMode::deform};

constexpr std::array kSegments = {12, 24, 48, 96};
constexpr double kShown = .005;    // the figures are known to 3 digits ...
constexpr double kRelative = .02;  // ... or, below one degree, to 2

struct PosedPill {
  ProceduralRig rig;
  Surface surface;
  NormalRecord factors;

  explicit PosedPill(const Tessellation& t)
      : rig(pill(t)),
        surface(rig.mesh.faces, weld(rig.mesh)),
        factors(deform_factors(rig.mesh, surface, {.max_slots = 2})) {}

  SkinnedMesh<double> skinned(NormalMode mode, GuardOptions guard = {}) const {
    return skin<double>(rig.mesh, factors, pill_pose(), {.mode = mode, .guard = guard});
  }
  NormalError error(const std::vector<Vec3d>& normals) const {
    const std::vector<Vec3d> p = skinned(NormalMode::standard).p;
    return angular_error(normals, analytic_lbs_normals(rig, pill_pose()), vertex_areas(surface, p),
                         "deformed area");
  }
  NormalError error(NormalMode mode, GuardOptions guard = {}) const { return error(skinned(mode, guard).n); }
};

TEST(Pill, StandardNormalsAreSixteenDegreesOffAtAnyResolution_Fig2) {
  constexpr std::array kExpected = {16.158, 16.184, 16.197, 16.200};
  for (std::size_t i = 0; i < 4; ++i) {
    const NormalError e = PosedPill({.segments = kSegments[i]}).error(NormalMode::standard);
    EXPECT_NEAR(e.rms, kExpected[i], kShown);
    if (kSegments[i] >= 24) {
      EXPECT_GT(e.max, 40);
    }
    EXPECT_EQ(e.flips, 0);
  }
}

TEST(Pill, DeformFactorsConvergeWithSecondOrder_Eq13) {
  constexpr std::array kExpected = {1.239, .4105, .1004, .0268};
  std::array<double, 4> rms{};
  for (std::size_t i = 0; i < 4; ++i) {
    rms[i] = PosedPill({.segments = kSegments[i]}).error(NormalMode::deform).rms;
    EXPECT_NEAR(rms[i], kExpected[i], kRelative * kExpected[i]);
  }
  EXPECT_GT(std::log2(rms[0] / rms[3]) / 3, 1.7);  // three halvings of the edges
}

TEST(Pill, DeformFactorsConvergeOnJitteredMeshesToo_Eq13) {
  const auto rms = [](int segments) {
    double sum = 0;
    for (const std::uint64_t seed : {1, 2, 3})
      sum += PosedPill({.segments = segments, .jitter = .3, .random_diagonals = true, .seed = seed})
                 .error(NormalMode::deform)
                 .rms;
    return sum / 3;
  };
  EXPECT_GT(std::log2(rms(12) / rms(96)) / 3, .85);
}

TEST(Pill, AnalyticGradientsLeaveNoError_Eq2_7_8_10_13) {
  PosedPill run({.segments = 48, .jitter = .3, .random_diagonals = true});
  run.factors = deform_factors_from_gradients(run.rig.mesh, run.rig.gradient);
  for (const NormalMode mode : kExactModes) EXPECT_LT(run.error(mode).max, 1e-9) << row(mode).name;
}

TEST(Pill, FormulasAgreeOnTheSameGradients_Eq2_7_8_10_13) {
  const PosedPill run({.segments = 48, .jitter = .3, .random_diagonals = true});
  const std::vector<Vec3d> stable = run.skinned(NormalMode::deform).n;
  for (const NormalMode mode : kExactModes) {
    const std::vector<Vec3d> n = run.skinned(mode).n;
    for (std::size_t v = 0; v < n.size(); ++v)
      EXPECT_LT(angle_between(n[v], stable[v]), 1e-9) << row(mode).name;
  }
}

// The clamp caps the tilt at atan(c): refinement does not help.
TEST(Pill, ClampLeavesAResidueThatDoesNotConverge_Sec4_4) {
  for (const int segments : {96, 192}) {
    const NormalError e =
        PosedPill({.segments = segments}).error(NormalMode::deform, {Guard::clamp, kPaperClamp});
    EXPECT_NEAR(e.rms, .21, .02);
    EXPECT_NEAR(e.max, 1.14, .03);
  }
}

// The recommended guard has nothing to do where nothing flips: the pill leans by 43 degrees at most.
TEST(Pill, RecommendedGuardKeepsTheConvergence_Sec4_4) {
  const PosedPill run({.segments = 96});
  EXPECT_EQ(run.skinned(NormalMode::deform, kRecommendedGuard).n, run.skinned(NormalMode::deform).n);
}

TEST(Pill, FloatIsAsGoodAsDouble) {
  const PosedPill run({.segments = 96});
  const auto narrow = skin<float>(run.rig.mesh, run.factors, pill_pose());
  std::vector<Vec3d> n;
  for (const Vec3f& v : narrow.n) n.emplace_back(v);
  EXPECT_NEAR(run.error(n).rms, run.error(NormalMode::deform).rms, 1e-5);
}

// Recomputing from the posed triangles, the paper's own ground truth, is less accurate than its method here:
// .140 to .148 for the averaging schemes (and .132 to .135 by angles when the mean is not weighted by area).
TEST(Pill, RecomputedNormalsAreLessAccurateThanDeformFactors_Sec6) {
  const PosedPill run({.segments = 96});
  const NormalError recomputed =
      run.error(recomputed_normals(run.surface, run.skinned(NormalMode::standard).p));
  EXPECT_NEAR(recomputed.rms, .1455, .003);  // face areas
  EXPECT_GT(recomputed.rms, 3 * run.error(NormalMode::deform).rms);
}

// The weighting matters enough to be stated: 15.1 with rest areas.
TEST(Pill, RestAreasGiveAnotherFigure) {
  const PosedPill run({.segments = 96});
  const NormalError e =
      angular_error(run.skinned(NormalMode::standard).n, analytic_lbs_normals(run.rig, pill_pose()),
                    vertex_areas(run.surface, run.rig.mesh.p0), "rest area");
  EXPECT_NEAR(e.rms, 15.1, .05);
}

}  // namespace
}  // namespace skinlight
