// What is made of clips: rows of metrics.csv against loops of this test's own, and ratios of rows made up.
#include "repro/study/clip_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "skinlight/samples/procedural.h"

namespace skinlight::repro {
namespace {

constexpr double kAcos = 2e-6;  // degrees: what acos of a rounded cosine loses near zero

// A tube whose lower bone bends about x, by .9 radians at the end of "bend" and by -.5 of "back", which is shorter.
Model bending_tube() {
  Model model;
  model.mesh = cylinder({}, {.segments = 12, .jitter = .2, .random_diagonals = true}).mesh;
  model.skeleton.nodes.resize(2);
  model.skeleton.bone_node = {0, 1};
  model.skeleton.inverse_bind.assign(2, identity_transform<double>());
  for (const auto& [name, duration, radians] : {std::tuple{"bend", 2., .9}, {"back", .5, -.5}})
    model.clips.push_back({name,
                           duration,
                           {{1,
                             Path::rotation,
                             Interpolation::linear,
                             {0, duration},
                             {0, 0, 0, 1, std::sin(radians / 2), 0, 0, std::cos(radians / 2)}}}});
  return model;
}

std::vector<NormalSource> sources_of(const Character& model) {
  std::vector<NormalSource> sources;
  for (const auto& [name, method, mode] : {std::tuple{"plain", Method::lbs, NormalMode::standard},
                                           {"turned", Method::dqs, NormalMode::standard},
                                           {"better", Method::lbs, NormalMode::deform}})
    sources.push_back({name, model.data(method, mode), {.method = method, .mode = mode}});
  return sources;
}

struct PooledError {
  double mean = 0, rms = 0, max = 0;
};

// Frames alike, the vertices of each by deformed area.
PooledError pooled(const Character& model, const std::vector<Pose>& poses, const NormalSource& source,
                   Truth of) {
  PooledError all;
  for (const Pose& pose : poses) {
    const PosedTruth truth = posed_truth(model, pose, source.options.method);
    const std::vector<Vec3d> n = skin<double>(model.mesh(), source.data, pose, source.options).n;
    double area = 0, sum = 0, squares = 0;
    for (std::size_t v = 0; v < n.size(); ++v) {
      const double degrees = std::acos(std::clamp(dot(n[v], truth.normals(of)[v]), -1., 1.)) * 180 / M_PI;
      area += truth.areas[v];
      sum += truth.areas[v] * degrees;
      squares += truth.areas[v] * degrees * degrees;
      all.max = std::max(all.max, degrees);
    }
    all.mean += sum / area / static_cast<double>(poses.size());
    all.rms += squares / area / static_cast<double>(poses.size());
  }
  all.rms = std::sqrt(all.rms);
  return all;
}

// `rows` of measurements, a source after the other, each against both truths.
void expect_rows(std::span<const Measurement> rows, const std::string& pose, const Character& model,
                 const std::vector<Pose>& poses) {
  const std::vector<NormalSource> sources = sources_of(model);
  ASSERT_EQ(rows.size(), 2 * sources.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Truth truth = i % 2 == 0 ? Truth::transported : Truth::recomputed;
    const Measurement& m = rows[i];
    EXPECT_EQ(m.rig, "tube");
    EXPECT_EQ(m.family, "model");
    EXPECT_EQ(m.resolution, 0);
    EXPECT_EQ(m.vertices, model.mesh().vertex_count());
    EXPECT_EQ(m.pose, pose);
    EXPECT_EQ(m.method, sources[i / 2].method);
    EXPECT_EQ(m.truth, name(truth));
    EXPECT_EQ(m.error.weighting, "deformed area, frames alike");
    const PooledError right = pooled(model, poses, sources[i / 2], truth);
    EXPECT_GT(right.mean, .01);
    EXPECT_NEAR(m.error.mean, right.mean, kAcos) << pose << " " << m.method << " " << m.truth;
    EXPECT_NEAR(m.error.rms, right.rms, kAcos) << pose << " " << m.method << " " << m.truth;
    EXPECT_NEAR(m.error.max, right.max, kAcos) << pose << " " << m.method << " " << m.truth;
  }
}

TEST(ClipStudy, PosesArePooledAlikeForEachSourceAndTruth) {
  const Character model(bending_tube(), {}, 1);
  const std::vector<Pose> poses = {cylinder_bend(.8), cylinder_twist(1.3), cylinder_bend(.2)};
  Results results;
  measure_poses("tube", "three", model, poses, sources_of(model), results);
  expect_rows(results.measurements, "three", model, poses);
}

TEST(ClipStudy, ClipsAreSampledEvenlyFromTheirFirstToTheirLastSecond) {
  const Character model(bending_tube(), {}, 1);
  const std::vector<Clip>& clips = model.model().clips;
  Results results;
  measure_clips("tube", model, clips, 3, sources_of(model), results);
  ASSERT_EQ(results.measurements.size(), 12u);
  const auto at = [&](std::size_t clip, double seconds) {
    return pose_at(model.model().skeleton, clips[clip], seconds);
  };
  const std::span<const Measurement> rows(results.measurements);
  expect_rows(rows.first(6), "bend", model, {at(0, 0), at(0, 1), at(0, 2)});
  expect_rows(rows.last(6), "back", model, {at(1, 0), at(1, .25), at(1, .5)});
}

TEST(ClipStudy, ASingleFrameIsTheFirst) {
  Model tube = bending_tube();
  tube.clips.resize(1);
  std::rotate(tube.clips[0].channels[0].values.begin(), tube.clips[0].channels[0].values.begin() + 4,
              tube.clips[0].channels[0].values.end());  // bent at the start
  const Character model(tube, {}, 1);
  Results results;
  measure_clips("tube", model, tube.clips, 1, sources_of(model), results);
  expect_rows(results.measurements, "bend", model, {pose_at(tube.skeleton, tube.clips[0], 0)});
}

Measurement row_of(double mean, const char* rig, const char* pose, const char* method,
                   Truth truth = Truth::transported) {
  Measurement m{rig, "model", 0, 5, pose, method, std::string(name(truth)), {}};
  m.error.mean = mean;
  m.error.rms = 1e4 * mean;
  return m;
}

TEST(ClipStudy, RatiosAreOfTheSameClipOfTheSameModel) {
  Results r;
  r.measurements = {row_of(2, "fox", "run", "new"),
                    row_of(900, "fox", "run", "new", Truth::recomputed),
                    row_of(7, "cat", "run", "old"),
                    row_of(5, "fox", "run", "old"),
                    row_of(3, "fox", "walk", "new"),
                    row_of(4, "fox", "walk", "old"),
                    row_of(21, "cat", "run", "new"),
                    row_of(600, "cat", "run", "other"),
                    row_of(300, "fox", "run", "old", Truth::recomputed)};
  const std::vector<ClipRatio> ratios = clip_ratios(r, "new", "old", Truth::transported);
  const std::vector<std::tuple<std::string, std::string, double>> expected = {
      {"fox", "run", 2. / 5}, {"fox", "walk", 3. / 4}, {"cat", "run", 21. / 7}};
  ASSERT_EQ(ratios.size(), expected.size());
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    EXPECT_EQ(ratios[i].model, std::get<0>(expected[i]));
    EXPECT_EQ(ratios[i].clip, std::get<1>(expected[i]));
    EXPECT_DOUBLE_EQ(ratios[i].ratio, std::get<2>(expected[i]));
  }
  const std::vector<ClipRatio> recomputed = clip_ratios(r, "new", "old", Truth::recomputed);
  ASSERT_EQ(recomputed.size(), 1u);
  EXPECT_DOUBLE_EQ(recomputed[0].ratio, 3);
  EXPECT_TRUE(clip_ratios(r, "other", "new", Truth::recomputed).empty());
  EXPECT_THROW(clip_ratios(r, "old", "other", Truth::transported), std::out_of_range);
}

// Of the fox's means 2.5 and 10, of the cat's 21 and 7: the root of 1/4 times 3.
TEST(ClipStudy, TheTypicalRatioIsTheGeometricMeanOverTheModels) {
  Results r;
  r.measurements = {row_of(2, "fox", "run", "new"),
                    row_of(12, "fox", "run", "old"),
                    row_of(3, "fox", "walk", "new"),
                    row_of(8, "fox", "walk", "old"),
                    row_of(21, "cat", "run", "new"),
                    row_of(7, "cat", "run", "old"),
                    row_of(1, "dog", "run", "new"),
                    row_of(9, "dog", "run", "old"),
                    row_of(1, "fox", "run", "new", Truth::recomputed)};
  const char* models[] = {"fox", "cat"};
  EXPECT_NEAR(typical_ratio(r, models, "new", "old", Truth::transported), std::sqrt(.75), 1e-14);
  const char* one[] = {"dog"};
  EXPECT_NEAR(typical_ratio(r, one, "new", "old", Truth::transported), 1. / 9, 1e-14);
}

TEST(ClipStudy, AnimatedModelsAreOfTheCatalogueAndDifferent) {
  for (const char* const* name = std::begin(kAnimatedModels); name != std::end(kAnimatedModels); ++name) {
    EXPECT_EQ(model(*name).name, *name);
    EXPECT_EQ(std::count(std::begin(kAnimatedModels), std::end(kAnimatedModels), std::string(*name)), 1);
  }
}

}  // namespace
}  // namespace skinlight::repro
