#include "repro/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "skinlight/core/angle.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/truth/posed_truth.h"

namespace skinlight::repro {
namespace {

constexpr double kDegrees = 180 / M_PI;
constexpr double kRounding = 1e-12;

MethodCase way(const std::string& name, NormalMode mode, Method method = Method::lbs) {
  SkinOptions options;
  options.method = method;
  options.mode = mode;
  return {name, name, options, kExactGradients};
}

const Tessellation kCoarse = {.segments = 12, .jitter = .2, .random_diagonals = true, .seed = 5};

Experiment pills() {
  Experiment e;
  e.rigs = {{"small", "pills", 12, [] { return pill(kCoarse); }},
            {"tube", "tubes", 8, [] { return cylinder({}, {.segments = 8}); }}};
  e.poses = {{"moved", pill_pose}, {"bent", [] { return cylinder_bend(.7); }}};
  e.methods = {way("plain", NormalMode::standard), way("right", NormalMode::deform)};
  return e;
}

const Progress kSilent = [](const std::string&) {};

Results measured(const Experiment& experiment) {
  Results results;
  results.formulas_agree_rad = std::nan("");
  measure_rigs(experiment, 1, kSilent, results);
  return results;
}

// What measure_rigs() has to find, by loops of its own.
struct Expected {
  double mean = 0, rms = 0, max = 0;
  int flips = 0;
};

Expected expected_error(const std::vector<Vec3d>& n, std::span<const Vec3d> truth,
                        const std::vector<double>& areas) {
  Expected e;
  double total = 0;
  for (std::size_t v = 0; v < n.size(); ++v) {
    const double degrees = std::acos(std::clamp(dot(n[v], truth[v]), -1.0, 1.0)) * kDegrees;
    e.mean += areas[v] * degrees;
    e.rms += areas[v] * degrees * degrees;
    e.max = std::fmax(e.max, degrees);
    e.flips += degrees > 90 ? 1 : 0;
    total += areas[v];
  }
  e.mean /= total;
  e.rms = std::sqrt(e.rms / total);
  return e;
}

TEST(MeasureRigs, EveryRigPoseMethodAndTruthHasItsOwnRow) {
  const Experiment experiment = pills();
  const Results results = measured(experiment);
  // Against three truths, and the recomputed one itself against the analytic one.
  EXPECT_EQ(results.measurements.size(), 2u * 2u * (2u * 3u + 1u));
  constexpr double kAcos = 2e-6;  // degrees: what acos of a rounded cosine loses near zero
  for (const RigCase& rig_case : experiment.rigs) {
    const Character rig(rig_case.make(), kExactGradients, 1);
    for (const PoseCase& pose_case : experiment.poses) {
      const Pose pose = pose_case.make();
      const PosedTruth truth = posed_truth(rig, pose);
      for (const MethodCase& method : experiment.methods) {
        const auto n =
            skin<double>(rig.mesh(), rig.data(Method::lbs, method.options.mode), pose, method.options).n;
        const std::vector<Vec3d> analytic = rig.analytic_normals(pose, Method::lbs);
        for (const Truth of : {Truth::analytic, Truth::transported, Truth::recomputed}) {
          const NormalError& found = results.error(rig_case.name, pose_case.name, method.name, of);
          const Expected e =
              expected_error(n, of == Truth::analytic ? std::span(analytic) : truth.normals(of), truth.areas);
          EXPECT_NEAR(found.mean, e.mean, kAcos) << rig_case.name << pose_case.name << method.name;
          EXPECT_NEAR(found.rms, e.rms, kAcos) << rig_case.name << pose_case.name << method.name;
          EXPECT_NEAR(found.max, e.max, kAcos) << rig_case.name << pose_case.name << method.name;
          EXPECT_EQ(found.flips, e.flips);
          EXPECT_EQ(found.vertices, rig.mesh().vertex_count());
          EXPECT_EQ(found.weighting, "deformed area");
        }
      }
    }
  }
}

TEST(MeasureRigs, RowsNameTheRigsFamilyAndResolution) {
  const Measurement first = measured(pills()).measurements.front();
  EXPECT_EQ(first.rig, "small");
  EXPECT_EQ(first.family, "pills");
  EXPECT_EQ(first.resolution, 12);
  EXPECT_EQ(first.vertices, pill(kCoarse).mesh.vertex_count());
  EXPECT_EQ(first.pose, "moved");
  EXPECT_EQ(first.method, "plain");
  EXPECT_EQ(first.truth, "analytic");
}

TEST(MeasureRigs, EachSkinningMethodIsHeldToItsOwnTruth) {
  Experiment experiment = pills();
  experiment.rigs.resize(1);
  experiment.poses = {{"bent", [] { return cylinder_bend(1.2); }}};
  experiment.methods = {way("dqs", NormalMode::exact, Method::dqs), way("lbs", NormalMode::deform)};
  const Results results = measured(experiment);
  // Exact derivatives with exact gradients: right, each against the surface that its own method makes.
  constexpr double kExact = 1e-5;  // degrees
  EXPECT_LT(results.error("small", "bent", "dqs", Truth::analytic).max, kExact);
  EXPECT_LT(results.error("small", "bent", "lbs", Truth::analytic).max, kExact);
}

// The largest difference over all rigs, poses and formulas, wherever it stands among them.
TEST(MeasureRigs, FormulasThatDisagreeAnywhereAreSeen) {
  Experiment experiment = pills();
  experiment.methods.push_back(way("cofactors", NormalMode::cofactors));
  double largest = 0;
  for (const RigCase& rig_case : experiment.rigs) {
    const Character rig(rig_case.make(), kExactGradients, 1);
    for (const PoseCase& pose : experiment.poses) {
      const auto normals = [&](std::size_t method) {
        const SkinOptions& options = experiment.methods[method].options;
        return skin<double>(rig.mesh(), rig.data(Method::lbs, options.mode), pose.make(), options).n;
      };
      const auto plain = normals(0), right = normals(1);
      for (std::size_t v = 0; v < plain.size(); ++v)
        largest = std::fmax(largest, angle_between(plain[v], right[v]));
    }
  }
  ASSERT_GT(largest, .1);
  for (const std::vector<std::string>& same : {std::vector<std::string>{"plain", "right"},
                                               {"right", "cofactors", "plain"},
                                               {"right", "plain", "cofactors"}}) {
    experiment.same_normal = same;
    for (int round = 0; round < 2; ++round) {
      EXPECT_NEAR(measured(experiment).formulas_agree_rad, largest, 1e-9) << same[0] << round;
      std::swap(experiment.rigs[0], experiment.rigs[1]);
      std::swap(experiment.poses[0], experiment.poses[1]);
      std::swap(experiment.methods[0], experiment.methods[2]);
    }
  }
  experiment.same_normal = {"right", "cofactors"};
  EXPECT_LT(measured(experiment).formulas_agree_rad, 1e-9);
  experiment.same_normal = {};
  EXPECT_TRUE(std::isnan(measured(experiment).formulas_agree_rad));
}

// A clip's error whose numbers are all different.
ClipError made_up_clip(const std::string& name, double start) {
  ClipError clip;
  clip.clip = name;
  clip.times = {.25, .5, .75, 1};  // the last frame has no area
  double next = start;
  for (int way = 0; way < 2; ++way)
    for (const Truth truth : {Truth::transported, Truth::recomputed}) {
      ClipModeError mode;
      mode.truth = truth;
      mode.error = {"deformed area, frames alike", 3 * 7, next + 1, next + 2, next + 3, next + 4, next + 5, 1,
                    static_cast<int>(next) + 6};
      NormalError with_area;
      with_area.worst_vertex = 0;
      mode.frames.assign(3, with_area);
      mode.frames.emplace_back();
      mode.worst_frame = 2 - way;
      mode.worst_mean = next + 7;
      clip.modes.push_back(mode);
      next += 10;
    }
  return clip;
}

TEST(AddClips, EachWayAndTruthGoesToItsRow) {
  Experiment experiment;
  experiment.methods = {way("plain", NormalMode::standard), way("right", NormalMode::deform)};
  Results results;
  add_clips("hero", 1, experiment, {made_up_clip("Run", 0), made_up_clip("Jump", 100)}, results);
  ASSERT_EQ(results.measurements.size(), 8u);
  const auto mean = [&](const char* clip, const char* method, Truth truth) {
    return results.error("hero", clip, method, truth).mean;
  };
  EXPECT_EQ(mean("Run", "plain", Truth::transported), 1);
  EXPECT_EQ(mean("Run", "plain", Truth::recomputed), 11);
  EXPECT_EQ(mean("Run", "right", Truth::transported), 21);
  EXPECT_EQ(mean("Run", "right", Truth::recomputed), 31);
  EXPECT_EQ(mean("Jump", "right", Truth::recomputed), 131);
  for (const Measurement& m : results.measurements) {
    EXPECT_EQ(m.family, "model");
    EXPECT_EQ(m.resolution, 1);
    EXPECT_EQ(m.vertices, 7);  // of one frame
  }
}

TEST(WorstFrame, IsWhereStandardNormalsAreWorstAgainstTheTransportedTruth) {
  std::vector<ClipError> clips = {made_up_clip("a", 0), made_up_clip("b", 50), made_up_clip("c", 20)};
  EXPECT_EQ(worst_frame(clips).clip, 1u);
  EXPECT_EQ(worst_frame(clips).time, .75);  // of frame 2
  // Other ways and truths do not count, nor does the first of ties give way to the second.
  clips[0].modes[1].worst_mean = clips[0].modes[2].worst_mean = 1000;
  EXPECT_EQ(worst_frame(clips).clip, 1u);
  clips[2].modes[0].worst_mean = clips[1].modes[0].worst_mean;
  EXPECT_EQ(worst_frame(clips).clip, 1u);
  clips[2].modes[0].worst_mean *= 1.001;
  clips[2].modes[0].worst_frame = 0;
  EXPECT_EQ(worst_frame(clips).clip, 2u);
  EXPECT_EQ(worst_frame(clips).time, .25);
}

TEST(WithRecomputedNormals, RestNormalsAreTheFacesByArea) {
  ProceduralRig rig = pill(kCoarse);
  // Faces around a position, by area: twice the area is the length of the cross product.
  std::map<std::array<double, 3>, Vec3d> around;
  const auto at = [&](int v) -> Vec3d& {
    const Vec3d p = rig.mesh.p0[static_cast<std::size_t>(v)];
    return around.try_emplace({p.x, p.y, p.z}, Vec3d(0.0)).first->second;
  };
  for (const auto& face : rig.mesh.faces) {
    const auto p = [&](int corner) {
      return rig.mesh.p0[static_cast<std::size_t>(face[static_cast<std::size_t>(corner)])];
    };
    for (int corner = 0; corner < 3; ++corner)
      at(face[static_cast<std::size_t>(corner)]) += cross(p(1) - p(0), p(2) - p(0));
  }
  for (Vec3d& n : rig.mesh.n0) n = normalize(n + Vec3d(.3, -.1, .2));
  Model model;
  model.mesh = rig.mesh;
  const Model mended = with_recomputed_normals(Character(model, {}, 1));
  ASSERT_EQ(mended.mesh.vertex_count(), model.mesh.vertex_count());
  for (int v = 0; v < mended.mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    EXPECT_LT(length(mended.mesh.n0[i] - normalize(at(v))), kRounding) << v;
    EXPECT_NEAR(dot(mended.mesh.n0[i], mended.mesh.t0[i]), 0, kRounding);
  }
  EXPECT_THAT(mended.mesh.faces, testing::ElementsAreArray(model.mesh.faces));
}

}  // namespace
}  // namespace skinlight::repro
