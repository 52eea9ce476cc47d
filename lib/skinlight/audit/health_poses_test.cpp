// Findings over poses name the worst element and pose with its size, whichever comes first, in whatever unit
// and scale the rig is posed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>

#include "skinlight/character/clip_error.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/random.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/truth.h"
#include "testing/health.h"

namespace skinlight {
namespace {

using namespace test_health;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kRounding = 1e-9;

Clip bend(double degrees) {
  const double half = degrees / kDegrees / 2;
  return clip_of(1, Path::rotation, {std::sin(half), 0, 0, std::cos(half)});
}

Clip twist(double degrees) {
  const double half = degrees / kDegrees / 2;
  return clip_of(1, Path::rotation, {0, 0, std::sin(half), std::cos(half)});
}

// The rig below a root that its clips scale by 100, as exporters do.
Model posed_large(Model model) {
  for (Clip& clip : model.clips)
    clip.channels.push_back(clip_of(0, Path::scale, {100, 100, 100}).channels[0]);
  return model;
}

// Seen in a mirror by its clips.
Model posed_mirrored(Model model) {
  for (Clip& clip : model.clips) clip.channels.push_back(clip_of(0, Path::scale, {-1, 1, 1}).channels[0]);
  return model;
}

void expect_same(const Health& health, const Health& expected, const std::string& kind) {
  ASSERT_EQ(kinds(health).count(kind), 1u) << kind;
  const Finding &a = finding(health, kind), &b = finding(expected, kind);
  EXPECT_NEAR(a.size, b.size, 1e-7 * std::abs(b.size)) << kind;
  EXPECT_EQ(a.count, b.count) << kind;
  EXPECT_EQ(a.detail, b.detail) << kind;
}

// All of one bone above, of the other below: normals between flip when it bends.
Model jumping() {
  Model model = pill_model();
  for (int v = 0; v < model.mesh.vertex_count(); ++v) {
    const bool up = model.mesh.p0[at(v)].z > 0;
    set_weights(model.mesh, v, {up ? 0 : 1, up ? 1 : 0}, {1, 0});
  }
  return model;
}

// Angles between standard normals and those of deform factors, degrees: where these turn over.
std::vector<double> turned_by_factors(Model model, const Clip& clip) {
  normalize_weights(model.mesh, model.warnings);
  const NormalRecord factors =
      deform_factors(model.mesh, Surface(model.mesh.faces, weld(model.mesh)), {.max_slots = 4});
  const Pose pose = pose_at(model.skeleton, clip, clip.duration);
  const auto standard = skin<double>(model.mesh, factors, pose, {.mode = NormalMode::standard}).n;
  const auto deform = skin<double>(model.mesh, factors, pose, {.mode = NormalMode::deform}).n;
  std::vector<double> degrees;
  for (std::size_t v = 0; v < standard.size(); ++v)
    degrees.push_back(std::acos(std::clamp(dot(standard[v], deform[v]), -1.0, 1.0)) * 180 / M_PI);
  return degrees;
}

Model with_clip(const Clip& clip) {
  Model model = pill_model();
  model.clips = {clip};
  return model;
}

// The size of a finding where it begins: told of the rig at `there`, not of the one at `absent`.
double size_at_first(const std::string& kind, double absent, double there,
                     const std::function<Model(double)>& rig) {
  for (int step = 0; step < 20; ++step) {
    const double middle = (absent + there) / 2;
    (kinds(health_of(rig(middle))).count(kind) != 0 ? there : absent) = middle;
  }
  EXPECT_EQ(kinds(health_of(rig(absent))).count(kind), 0u) << kind;
  return finding(health_of(rig(there)), kind).size;
}

// The constants once more, from outside: one that moved by a hundredth is seen.
TEST(HealthPoses, FindingsBeginAtTheirThresholds) {
  const double left = size_at_first("blend-collapses", 90, 175, [](double d) { return with_clip(twist(d)); });
  EXPECT_LE(left, 3) << "per cent of the volume";
  EXPECT_GT(left, .99 * 3);
  const double off =
      size_at_first("standard-normals-off", 0, 60, [](double d) { return with_clip(bend(d)); });
  EXPECT_GE(off, 1) << "degrees on average";
  EXPECT_LT(off, 1.01);
}

TEST(HealthPoses, SmallMeshesAreSeenInManyPoses) {
  for (const auto& [clips, poses] : {std::pair(4, 32), {24, 96}, {60, 120}}) {
    Model model = pill_model();
    model.clips.assign(at(clips), at_rest());
    const Health health = health_of(model);
    EXPECT_EQ(health.poses, poses);
    EXPECT_EQ(health.posed_by, std::to_string(clips) + " clips");
  }
}

// What a finding says of the worse of two clips, in either order.
void expect_the_wild_clip(const std::function<Model()>& rig, const Clip& milder, const Clip& wilder,
                          const std::string& kind, const std::string& said) {
  Model alone = rig();
  alone.clips = {named("wild", wilder)};
  const Health expected = health_of(alone);
  ASSERT_EQ(kinds(expected).count(kind), 1u) << kind;
  for (const bool first : {true, false}) {
    Model model = rig();
    model.clips = {named("mild", milder), named("wild", wilder)};
    if (first) std::swap(model.clips[0], model.clips[1]);
    const Health health = health_of(model);
    ASSERT_EQ(kinds(health).count(kind), 1u) << kind;
    const Finding &f = finding(health, kind), &e = finding(expected, kind);
    EXPECT_NEAR(f.size, e.size, kRounding) << kind << first;
    EXPECT_EQ(f.index, e.index) << kind << first;
    EXPECT_THAT(f.detail, HasSubstr(said)) << kind << first;
  }
}

TEST(HealthPoses, TheWorstPoseIsTold) {
  expect_the_wild_clip(pill_model, bend(40), bend(70), "standard-normals-off", "on average in wild at ");
  expect_the_wild_clip(jumping, bend(60), bend(90), "normals-flip", "in wild at ");
  expect_the_wild_clip(pill_model, twist(165), twist(179), "blend-collapses", "in wild at ");
  expect_the_wild_clip(pill_model, clip_of(1, Path::scale, {1.1, 1, 1}), clip_of(1, Path::scale, {1.5, 1, 1}),
                       "bones-non-rigid", "in wild at ");
  expect_the_wild_clip(pill_model, at_rest(), clip_of(0, Path::scale, {-1, 1, 1}), "bones-mirrored",
                       "in wild at ");
}

TEST(HealthPoses, BlendsThatCrossAMirrorAreToldInTheirPose) {
  Model model = pill_model();
  int blended = 0;
  double largest = 0;
  for (int v = 0; v < model.mesh.vertex_count(); ++v) {
    const double lesser = std::min(model.mesh.weights_of(v)[0], model.mesh.weights_of(v)[1]);
    if (lesser > 0) ++blended;
    largest = std::max(largest, lesser);
  }
  ASSERT_GT(blended, 0);
  model.clips = {named("plain", at_rest()), named("half", clip_of(1, Path::scale, {-1, 1, 1}))};
  const Finding f = finding(health_of(model), "blend-crosses-mirror");
  EXPECT_EQ(f.count, blended);
  EXPECT_NEAR(f.size, largest, kRounding);
  EXPECT_THAT(f.detail, StartsWith("in half at "));
  model.clips = {named("whole", clip_of(0, Path::scale, {-1, 1, 1}))};
  EXPECT_EQ(kinds(health_of(model)).count("blend-crosses-mirror"), 0u);
}

// Of a clip that holds one pose, from outside: the posed triangles carry the rest normals.
struct Off {
  NormalError standard, deform;
};
Off off_in(Model model, const Clip& clip) {
  normalize_weights(model.mesh, model.warnings);
  const Surface surface(model.mesh.faces, weld(model.mesh));
  const NormalRecord factors = deform_factors(model.mesh, surface, {.max_slots = 4});
  const Pose pose = pose_at(model.skeleton, clip, clip.duration);
  const auto of = [&](NormalMode mode) {
    const auto posed = skin<double>(model.mesh, factors, pose, {.mode = mode});
    const std::vector<Vec3d> truth =
        transported_normals(model.mesh, surface, posed.p, blended_linear(model.mesh, pose));
    return angular_error(posed.n, truth, vertex_areas(surface, posed.p), "");
  };
  return {of(NormalMode::standard), of(NormalMode::deform)};
}

std::string two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

TEST(HealthPoses, StandardNormalsAreOffTheTruthByTheMeanOfTheWorstPose) {
  Model model = pill_model();
  const Clip mild = bend(30), wild = bend(75);
  const Off less = off_in(model, mild), more = off_in(model, wild);
  ASSERT_GT(more.standard.mean, less.standard.mean);
  for (const bool first : {true, false}) {
    model.clips = {first ? wild : mild, first ? mild : wild};
    const Finding f = finding(health_of(model), "standard-normals-off");
    EXPECT_NEAR(f.size, more.standard.mean, 1e-6);
    EXPECT_EQ(f.count, model.mesh.vertex_count());
    EXPECT_EQ(f.index, more.standard.worst_vertex);
    EXPECT_THAT(f.detail, HasSubstr("; the worst vertex, over all poses, by " +
                                    std::to_string(std::lround(more.standard.max)) + " degrees"));
    EXPECT_THAT(
        f.detail,
        HasSubstr("over all poses by " + two_digits((less.standard.mean + more.standard.mean) / 2) +
                  " degrees, those of deform by " + two_digits((less.deform.mean + more.deform.mean) / 2)));
  }
}

// Vertices weigh by their area: a thousand tiny triangles count little.
TEST(HealthPoses, StandardNormalsAreWeightedByTheSurface) {
  Model model = pill_model();
  for (int i = 0; i < 1000; ++i)
    append_triangle(model.mesh, {5, 0, 0}, {5, 1e-3, 0}, {5, 0, 1e-3}, kUnwrapped);
  const Clip clip = bend(75);
  model.clips = {clip};
  const Finding f = finding(health_of(model), "standard-normals-off");
  EXPECT_NEAR(f.size, off_in(pill_model(), clip).standard.mean, 1e-2);
}

// As clip_error() measures it, which compare prints. With one slot alone what bake writes is what standard normals are.
TEST(HealthPoses, StandardNormalsAreToldOfWhereCompareFindsBetterOnes) {
  std::set<std::string> cheapest;
  int not_told = 0;
  for (const int slots : {4, 1})
    for (const double noise : {.02, .1, .3}) {
      Model model = pill_model();
      Random random(7);
      for (int v = 0; v < model.mesh.vertex_count(); ++v) {
        const double w = model.mesh.weights_of(v)[model.mesh.bones_of(v)[0] == 0 ? 0 : 1];
        const double upper = std::clamp(w + random.uniform(-noise, noise), 0., 1.);
        set_weights(model.mesh, v, {0, 1}, {upper, 1 - upper});
      }
      model.clips = {bend(40)};
      Model kept = model;
      normalize_weights(kept.mesh, kept.warnings);
      limit_influences(kept.mesh, slots);
      const NormalMode modes[] = {NormalMode::standard, NormalMode::deform, NormalMode::smoothed,
                                  NormalMode::deform_vectors};
      std::vector<SkinOptions> ways;
      for (const NormalMode mode : modes) ways.push_back({.mode = mode});
      const ClipError measured = clip_error(Character(kept, {.max_slots = slots}), model.clips[0], 2, ways);
      const auto mean = [&](std::size_t way) { return measured.of(way, Truth::transported).error.mean; };
      ASSERT_GT(mean(0), 1) << "else nobody tells of it";
      std::size_t better = 1;
      while (better < std::size(modes) && mean(0) <= 1.1 * mean(better)) ++better;
      const Health health = health_of(model, {}, {.max_influences = slots});
      const std::string what = std::to_string(slots) + " slots, noise " + std::to_string(noise);
      if (better == std::size(modes)) {
        EXPECT_EQ(kinds(health).count("standard-normals-off"), 0u) << what;
        ++not_told;
        continue;
      }
      const std::string name(row(modes[better]).name);
      const Finding f = finding(health, "standard-normals-off");
      EXPECT_NEAR(f.size, mean(0), 1e-6) << what;
      EXPECT_THAT(f.detail, HasSubstr("those of " + name + " by " + two_digits(mean(better)))) << what;
      cheapest.insert(name);
    }
  EXPECT_FALSE(cheapest.empty());
  EXPECT_GT(not_told, 0);
}

// What is more than a tenth better, but by less than a twentieth of a degree over all poses, is not worth its bytes. No normals
// are better by more than standard ones are off.
TEST(HealthPoses, StandardNormalsOfManyCalmPosesWillDo) {
  Model model = pill_model();
  const Clip wild = bend(45);
  const Off off = off_in(model, wild);
  ASSERT_GT(off.standard.mean, 1) << "else nobody tells of it";
  const int few = static_cast<int>((off.standard.mean - off.deform.mean) / .05) - 1;
  const int many = static_cast<int>(off.standard.mean / .05);
  ASSERT_GT(few, .8 * many);
  for (const int calm : {few, many}) {
    model.clips = {wild};
    for (int i = 0; i < calm; ++i) model.clips.push_back(at_rest());
    EXPECT_EQ(kinds(health_of(model)).count("standard-normals-off"), calm == few ? 1u : 0u) << calm;
  }
}

TEST(HealthPoses, APoseWithoutAreaIsNotMeasured) {
  Model model = pill_model();
  Clip gone = bend(75);
  gone.channels.push_back(clip_of(0, Path::scale, {0, 0, 0}).channels[0]);
  model.clips = {named("gone", gone)};
  EXPECT_EQ(kinds(health_of(model)).count("standard-normals-off"), 0u);
  EXPECT_EQ(kinds(health_of(model)).count("normals-flip"), 0u);
  model.clips = {bend(75)};
  const double size = finding(health_of(model), "standard-normals-off").size;
  model.clips.push_back(named("gone", gone));
  EXPECT_NEAR(finding(health_of(model), "standard-normals-off").size, size, 1e-9);
}

TEST(HealthPoses, NormalsFlipWhenTheyTurnByMoreThan90Degrees) {
  int flipped = 0, nearly = 0;
  for (const double degrees : {10., 15., 20., 30., 45., 60., 90.}) {
    Model model = jumping();
    model.clips = {bend(degrees)};
    const std::vector<double> errors = turned_by_factors(model, model.clips[0]);
    const auto over = [&](double limit) {
      return static_cast<int>(
          std::count_if(errors.begin(), errors.end(), [&](double e) { return e > limit; }));
    };
    const Health health = health_of(model);
    EXPECT_EQ(kinds(health).count("normals-flip"), over(90) > 0 ? 1u : 0u) << degrees;
    if (over(90) > 0) {
      EXPECT_EQ(finding(health, "normals-flip").count, over(90)) << degrees;
    }
    flipped += over(90);
    nearly += over(60) - over(90);
  }
  EXPECT_GT(flipped, 0) << "otherwise nothing was tested";
  EXPECT_GT(nearly, 0);
}

TEST(HealthPoses, DoNotDependOnTheUnitOrTheScaleOfPoses) {
  Model flips = jumping();
  flips.clips = {bend(90)};
  Model collapses = pill_model();
  collapses.clips = {twist(175)};
  Model stretched = pill_model();
  stretched.clips = {clip_of(1, Path::scale, {1.1, 1, 1})};
  for (const auto& [model, kind] :
       {std::pair(flips, "normals-flip"), {collapses, "blend-collapses"}, {stretched, "bones-non-rigid"}}) {
    const Health expected = health_of(model);
    expect_same(health_of(enlarged(model)), expected, kind);
    expect_same(health_of(posed_large(model)), expected, kind);
    expect_same(health_of(posed_mirrored(model)), expected, kind);
  }
}

// Empty slots may name any bone: those of readers name the strongest, these the third.
TEST(HealthPoses, EmptySlotsDoNotCountForCollapses) {
  Model model = three_bones();
  const RawAttributes raw = raw_attributes(model.mesh);
  model.clips = {twist(175)};
  const Finding expected = finding(check_health(Character(model), raw), "blend-collapses");
  EXPECT_GT(expected.size, .1) << "percent: something is left";
  model.clips[0].channels.push_back(clip_of(2, Path::scale, {.01, .01, .01}).channels[0]);
  const Health health = check_health(Character(model), raw);
  ASSERT_EQ(kinds(health).count("blend-collapses"), 1u);
  EXPECT_EQ(finding(health, "blend-collapses").count, expected.count);
  EXPECT_NEAR(finding(health, "blend-collapses").size, expected.size, kRounding);
}

TEST(HealthPoses, WhatDroppedInfluencesCost) {
  for (const bool first : {true, false}) {
    Model model = three_bones();
    const int v = rigid_vertex(model.mesh);
    const std::vector<double> more = {.5, .3, .2}, less = {.6, .3, .1};
    set_weights(model.mesh, v, {0, 1, 2}, first ? more : less);
    set_weights(model.mesh, v + 1, {0, 1, 2}, first ? less : more);
    model.clips = {clip_of(2, Path::rotation, {std::sqrt(.5), 0, 0, std::sqrt(.5)})};
    const int worst = first ? v : v + 1;
    const Health health = health_of(model, {}, {.max_influences = 2});
    const Finding& f = finding(health, "influences-over-limit");
    EXPECT_EQ(f.count, 2);
    EXPECT_THAT(f.detail, HasSubstr("at most 20.0 %"));
    // The third bone turns by 90 degrees about x, around z = -.5: .2 of that is lost.
    const Vec3d p = model.mesh.p0[at(worst)] - Vec3d(0, 0, -.5);
    const double moves = .2 * length(Vec3d(p.x, -p.z, p.y) - p), size = std::sqrt(4. + 4. + 36.);
    char text[64];
    std::snprintf(text, sizeof text, "move by %.2g %% of the size", 100 * moves / size);
    EXPECT_THAT(f.detail, HasSubstr(text));
    for (const Model& rig : {enlarged(model), posed_large(model)})
      expect_same(health_of(rig, {}, {.max_influences = 2}), health, "influences-over-limit");
  }
}

// One target that turns the whole mesh about x, by one radian, whose normals the file leaves alone, at the end of a clip
// without bones.
Model turned_by_a_morph_target(Model model, double radians = 1) {
  const double c = std::cos(radians), s = std::sin(radians);
  MorphTarget target;
  for (int v = 0; v < model.mesh.vertex_count(); ++v) {
    const Vec3d p = model.mesh.p0[at(v)];
    target.vertex.push_back(v);
    target.dp.push_back({0, c * p.y - s * p.z - p.y, s * p.y + c * p.z - p.z});
  }
  model.morphs = {target};
  model.morph_weights = {0};
  Clip clip = named("face", at_rest());
  clip.channels.clear();
  clip.morph_channels = {{0, 1, Interpolation::linear, {0, 1}, {0, 1}}};
  model.clips = {clip};
  return model;
}

TEST(HealthPoses, MorphTargetsMoveAsTheClipSays) {
  const Model model = turned_by_a_morph_target(pill_model());
  const Finding f = finding(health_of(model), "standard-normals-off");
  EXPECT_GT(f.size, 20) << "of the 57 degrees of the turn";
  EXPECT_THAT(f.detail, HasSubstr("in face at 1.00 s"));
  EXPECT_EQ(kinds(health_of(model)).count("normals-flip"), 0u);
  Model still = model;
  still.clips[0].morph_channels.clear();
  EXPECT_EQ(kinds(health_of(still)).count("standard-normals-off"), 0u);
}

// The file's normals, which a target leaves alone, point the other way in the end; those of the surface do not.
TEST(HealthPoses, MorphTargetsThatTurnASurfaceOverFlipNoNormals) {
  const Model model = turned_by_a_morph_target(pill_model(), 2.5);
  EXPECT_GT(finding(health_of(model), "standard-normals-off").size, 90);
  EXPECT_EQ(kinds(health_of(model)).count("normals-flip"), 0u);
}

TEST(HealthPoses, DroppedInfluencesMoveWhatMorphTargetsMoved) {
  Model model = turned_by_a_morph_target(three_bones());
  const int v = rigid_vertex(model.mesh);
  set_weights(model.mesh, v, {0, 1, 2}, {.5, .3, .2});
  model.clips[0].channels = clip_of(2, Path::rotation, {std::sqrt(.5), 0, 0, std::sqrt(.5)}).channels;
  // The third bone turns by 90 degrees about x, around z = -.5.
  const Vec3d p = model.mesh.p0[at(v)] + model.morphs[0].dp[at(v)] - Vec3d(0, 0, -.5);
  const double moves = .2 * length(Vec3d(p.x, -p.z, p.y) - p), size = std::sqrt(4. + 4. + 36.);
  char text[64];
  std::snprintf(text, sizeof text, "move by %.2g %% of the size", 100 * moves / size);
  EXPECT_THAT(finding(health_of(model, {}, {.max_influences = 2}), "influences-over-limit").detail,
              HasSubstr(text));
}

TEST(HealthPoses, OverflowIsThatOfTheDeformFactors) {
  Model model = three_bones();
  model.clips = {at_rest()};
  for (int v = 0; v < model.mesh.vertex_count(); v += 7)
    if (std::abs(model.mesh.p0[at(v)].z) < 1) set_weights(model.mesh, v, {2, 0, 1}, {1, 0, 0});
  const Finding f = finding(health_of(model, {}, {.max_influences = 2}), "one-ring-overflow");
  normalize_weights(model.mesh, model.warnings);
  limit_influences(model.mesh, 2);
  const Overflow expected =
      deform_factors(model.mesh, Surface(model.mesh.faces, weld(model.mesh)), {.max_slots = 2}).overflow;
  EXPECT_NEAR(f.size, 100 * expected.largest_share, 1e-6);
  EXPECT_GT(f.size, 2) << "percent";
  EXPECT_EQ(f.index, expected.worst_vertex);
  EXPECT_EQ(f.count, expected.vertices);
}

TEST(HealthPoses, BonesThatMoveNothingAreNotJudged) {
  Model model = pill_model();
  model.skeleton.nodes.push_back({.name = "prop", .parent = 0});
  model.skeleton.bone_node.push_back(2);
  model.skeleton.inverse_bind.push_back(moved({0, 0, -2}));
  model.mesh.bone_count = 3;
  model.clips = {clip_of(1, Path::scale, {1.1, 1, 1})};
  model.clips[0].channels.push_back(clip_of(2, Path::scale, {3, 1, 1}).channels[0]);
  const Finding f = finding(health_of(model), "bones-non-rigid");
  EXPECT_EQ(f.name, "bone 1 (lower)");
  EXPECT_EQ(f.count, 1) << "the scaled one of the two that move something; the third does not count";
}

TEST(HealthPoses, OneBoneWithoutABindMatrixIsNoOddity) {
  Model model = pill_model();
  model.skeleton.nodes.resize(1);
  model.skeleton.nodes[0].translation = Vec3d(0.0);
  model.skeleton.bone_node = {0};
  model.skeleton.inverse_bind = {identity_transform<double>()};
  model.mesh.bone_count = 1;
  for (int v = 0; v < model.mesh.vertex_count(); ++v) set_weights(model.mesh, v, {0, 0}, {1, 0});
  EXPECT_EQ(kinds(health_of(model)).count("inverse-bind-missing"), 0u);
}

TEST(HealthPoses, TheFirstPoseThatMirrorsIsNamed) {
  Model model = pill_model();
  const Clip mirror = clip_of(0, Path::scale, {-1, 1, 1});
  model.clips = {at_rest(), named("first", mirror), named("second", mirror)};
  EXPECT_THAT(finding(health_of(model), "bones-mirrored").detail, StartsWith("in first at "));
}

// The number behind `before` in a text.
double number_after(const std::string& text, const std::string& before) {
  const std::size_t found = text.find(before);
  if (found == std::string::npos) throw std::out_of_range(text);
  return std::stod(text.substr(found + before.size()));
}

TEST(HealthPoses, PrecisionIsJudgedInTheFarthestPose) {
  const auto placed = [](const std::string& name, double distance) {
    Clip clip = named(name, bend(30));
    clip.channels.push_back(clip_of(0, Path::translation, {0, distance, 2}).channels[0]);
    return clip;
  };
  for (const bool first : {true, false}) {
    Model model = pill_model();
    model.clips = {placed(first ? "far" : "near", first ? 1e7 : 10),
                   placed(first ? "near" : "far", first ? 10 : 1e7)};
    const Finding f = finding(health_of(model), "precision-lost");
    EXPECT_THAT(f.detail, HasSubstr("in far at "));
    const double times = 1e7 / std::sqrt(4. + 4. + 36.);
    EXPECT_NEAR(number_after(f.detail, "; "), times, .01 * times) << f.detail;
    EXPECT_LT(number_after(f.detail, "from the origin; "), f.size / 100) << f.detail;
  }
}

// Exporters write a scale of 100: distances are told in the character's own size.
TEST(HealthPoses, PrecisionIsToldInTheSizeThatPosesGive) {
  Model model = pill_model();
  model.clips = {bend(30)};
  model.clips[0].channels.push_back(clip_of(0, Path::translation, {0, 1e8, 2}).channels[0]);
  const double times = 1e8 / 100 / std::sqrt(4. + 4. + 36.);
  const Finding f = finding(health_of(posed_large(model)), "precision-lost");
  EXPECT_NEAR(number_after(f.detail, "; "), times, .01 * times) << f.detail;
}

// A character modelled far away, whose bones rest there: they do not move, it is far all the same.
TEST(HealthPoses, PrecisionIsThatOfWhereVerticesAre) {
  Model model = pill_model();
  const Vec3d far(0, 1e6, 0);
  for (Vec3d& p : model.mesh.p0) p = p + far;
  model.skeleton.nodes[0].translation = model.skeleton.nodes[0].translation + far;
  for (Mat4x3d& m : model.skeleton.inverse_bind) m[3] = m[3] - far;
  model.clips = {bend(30)};
  const double times = 1e6 / std::sqrt(4. + 4. + 36.);
  const Finding f = finding(health_of(model), "precision-lost");
  EXPECT_NEAR(number_after(f.detail, "; "), times, .01 * times) << f.detail;
}

}  // namespace
}  // namespace skinlight
