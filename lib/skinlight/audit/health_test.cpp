// Each defect planted in a rig that has none: check_health() finds it, says where and how much, and finds
// nothing else.
#include "skinlight/audit/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"
#include "skinlight/skinning/skin.h"
#include "testing/health.h"

namespace skinlight {
namespace {

using namespace test_health;
using testing::HasSubstr;

TEST(Health, NothingIsWrongWithThePill) {
  const Health health = health_of(pill_model());
  EXPECT_EQ(kinds(health), kNothingWrong);
  EXPECT_EQ(health.count(Severity::error) + health.count(Severity::warning), 0);
  EXPECT_EQ(health.count(Severity::note), 3);
  EXPECT_EQ(health.influences, 2);
  EXPECT_EQ(health.poses, 8);
  EXPECT_EQ(health.posed_by, "bends of 60 degrees");
  EXPECT_LT(health.positions, health.vertices);
}

TEST(Health, WeightsAreSeenBeforeTheyAreRepaired) {
  struct Plant {
    std::string kind;
    std::vector<int> bones;
    std::vector<double> weights;
    double size;
  };
  for (const Plant& plant :
       {Plant{"weights-negative", {0, 1}, {1.25, -.25}, .25}, Plant{"weights-zero", {0, 1}, {0, 0}, 0},
        Plant{"weights-unnormalised", {0, 1}, {1.5, 0}, .5},
        Plant{"weights-unnormalised", {0, 1}, {.998, 0}, .002},
        Plant{"joints-duplicate", {0, 0}, {.75, .25}, .25}}) {
    Model model = pill_model();
    const int v = rigid_vertex(model.mesh);
    set_weights(model.mesh, v, plant.bones, plant.weights);
    const Health health = health_of(model);
    EXPECT_EQ(kinds(health), with(kNothingWrong, plant.kind));
    const Finding& f = finding(health, plant.kind);
    EXPECT_EQ(f.index, v) << plant.kind;
    EXPECT_EQ(f.part, Part::vertex);
    EXPECT_EQ(f.name, "mesh vertex " + std::to_string(v));
    EXPECT_EQ(f.count, 1) << plant.kind;
    EXPECT_EQ(f.of, model.mesh.vertex_count());
    EXPECT_NEAR(f.size, plant.size, 1e-12) << plant.kind;
  }
}

TEST(Health, TheWorstVertexIsNamedAndAllAreCounted) {
  Model model = pill_model();
  const int v = rigid_vertex(model.mesh);
  set_weights(model.mesh, v, {0, 1}, {1.1, 0});
  set_weights(model.mesh, v + 1, {0, 1}, {1.7, 0});
  set_weights(model.mesh, v + 2, {0, 1}, {1.2, 0});
  const Finding f = finding(health_of(model), "weights-unnormalised");
  EXPECT_EQ(f.count, 3);
  EXPECT_EQ(f.index, v + 1);
  EXPECT_NEAR(f.size, .7, 1e-12);
  EXPECT_THAT(f.detail, HasSubstr("1.7"));
}

TEST(Health, NumbersThatAreNoneAreFoundOnce) {
  const Model model = pill_model();
  const Health health = health_of(model, [](RawAttributes& raw) { raw.weight[10] = NAN; });
  EXPECT_EQ(kinds(health), with(kNothingWrong, "weights-not-finite"));
  EXPECT_EQ(finding(health, "weights-not-finite").index, 10 / model.mesh.slots);
}

// A negative weight beside another of the same bone is one that stands twice as well.
TEST(Health, DuplicatesCountByTheSmallerSize) {
  for (const std::vector<double>& weights : {std::vector<double>{1.25, -.25}, {-.25, 1.25}}) {
    Model model = pill_model();
    const int v = rigid_vertex(model.mesh);
    set_weights(model.mesh, v, {0, 0}, weights);
    const Health health = health_of(model);
    EXPECT_EQ(kinds(health), with(with(kNothingWrong, "joints-duplicate"), "weights-negative"));
    EXPECT_EQ(finding(health, "joints-duplicate").index, v);
    EXPECT_NEAR(finding(health, "joints-duplicate").size, .25, 1e-12);
  }
}

TEST(Health, TwinsOfOtherWeightsTear) {
  Model model = pill_model();
  const int v = seam_vertex(model.mesh);
  set_weights(model.mesh, v, {0, 1}, {.9, .1});
  const Health health = health_of(model);
  EXPECT_EQ(kinds(health), with(kNothingWrong, "twins-split-weights"));
  const Finding& f = finding(health, "twins-split-weights");
  EXPECT_EQ(f.index, v);
  EXPECT_NEAR(f.size, .1, 1e-12);
  EXPECT_EQ(f.count, 1);
}

TEST(Health, PositionsAndHardEdgesAreCounted) {
  Model model = pill_model();
  const Health before = health_of(model);
  const int v = seam_vertex(model.mesh);
  // Turned by 10 degrees about the tangent.
  const double angle = M_PI / 18;
  model.mesh.n0[at(v)] = model.mesh.n0[at(v)] * std::cos(angle) + model.mesh.b0[at(v)] * std::sin(angle);
  compute_tangent_frames(model.mesh);
  const Health health = health_of(model);
  EXPECT_EQ(kinds(health), with(kNothingWrong, "hard-edges"));
  const Finding& f = finding(health, "hard-edges");
  EXPECT_EQ(f.count, 1);
  EXPECT_NEAR(f.size, 10, 1e-6);
  EXPECT_EQ(model.mesh.p0[at(f.index)], model.mesh.p0[at(v)]);
  EXPECT_EQ(finding(health, "positions-split").count, before.vertices - before.positions);
  EXPECT_EQ(finding(health, "positions-split").size, 2);
  // The same edge is none of the file's where one of the two has no normal in it.
  for (const int lacking : {v, f.index})
    EXPECT_EQ(kinds(health_of(model, [&](RawAttributes& raw) { raw.normal[at(lacking)] = Vec3d(0.0); })),
              with(kNothingWrong, "normals-missing"))
        << lacking;
}

TEST(Health, TrianglesWithoutAreaOrNearlySo) {
  Model flat = pill_model();
  flat.mesh.faces.push_back({3, 3, 4});
  const Health degenerate = health_of(flat);
  EXPECT_EQ(kinds(degenerate), with(kNothingWrong, "triangles-degenerate"));
  EXPECT_EQ(finding(degenerate, "triangles-degenerate").index, degenerate.triangles - 1);

  Model thin = pill_model();
  append_triangle(thin.mesh, {0, 0, 4}, {1, 0, 4}, {.5, 1. / 2000, 4}, kUnwrapped);
  const Health sliver = health_of(thin);
  EXPECT_EQ(kinds(sliver), with(kNothingWrong, "triangles-sliver"));
  EXPECT_NEAR(finding(sliver, "triangles-sliver").size, 2000, 1e-6);
  EXPECT_EQ(finding(sliver, "triangles-sliver").index, sliver.triangles - 1);

  Model well = pill_model();
  append_triangle(well.mesh, {0, 0, 4}, {1, 0, 4}, {.5, 1. / 500, 4}, kUnwrapped);
  EXPECT_EQ(kinds(health_of(well)), kNothingWrong) << "thin, but not too thin";
}

TEST(Health, TheTextureMayBeMissingOrFlat) {
  Model flat = pill_model();
  append_triangle(flat.mesh, {0, 0, 4}, {1, 0, 4}, {0, 1, 4}, {{.5, .5}, {.5, .5}, {.5, .5}});
  const Health health = health_of(flat);
  EXPECT_EQ(kinds(health), with(kNothingWrong, "uv-degenerate"));
  EXPECT_EQ(finding(health, "uv-degenerate").count, 1);

  Model bare = pill_model();
  bare.mesh.uv.clear();
  compute_tangent_frames(bare.mesh);
  EXPECT_EQ(kinds(health_of(bare)), (Kinds{"positions-split", "standard-normals-off", "uv-missing"}));
}

TEST(Health, NormalsThatTheFileLacks) {
  const Health health = health_of(pill_model(), [](RawAttributes& raw) { raw.normal[5] = Vec3d(0.0); });
  EXPECT_EQ(kinds(health), with(kNothingWrong, "normals-missing"));
  EXPECT_EQ(finding(health, "normals-missing").index, 5);
}

TEST(Health, TangentsOfTheWrongHand) {
  Model model = pill_model();
  for (FrameSource& source : model.mesh.frame_source) source = FrameSource::file;
  EXPECT_EQ(kinds(health_of(model)), (Kinds{"positions-split", "standard-normals-off"}));
  const int v = rigid_vertex(model.mesh);
  const Health health = health_of(model, [&](RawAttributes& raw) { raw.tangent_sign[at(v)] *= -1; });
  EXPECT_EQ(kinds(health), (Kinds{"positions-split", "standard-normals-off", "tangents-handedness"}));
  EXPECT_EQ(finding(health, "tangents-handedness").index, v);
  EXPECT_EQ(finding(health, "tangents-handedness").count, 1);
}

TEST(Health, TheSkeletonsOddities) {
  Model spare = pill_model();
  spare.skeleton.nodes.push_back({.name = "prop", .parent = 0});
  spare.skeleton.bone_node.push_back(2);
  spare.skeleton.inverse_bind.push_back(moved({0, 0, -2}));
  spare.mesh.bone_count = 3;
  const Health unused = health_of(spare);
  EXPECT_EQ(kinds(unused), with(kNothingWrong, "bones-unused"));
  EXPECT_EQ(finding(unused, "bones-unused").name, "bone 2 (prop)");

  const Health unbound = health_of(pill_model(), [](RawAttributes& raw) { raw.unbound = {1}; });
  EXPECT_EQ(kinds(unbound), with(kNothingWrong, "inverse-bind-missing"));
  EXPECT_EQ(finding(unbound, "inverse-bind-missing").name, "bone 1 (lower)");
  Model identities = pill_model();  // which the file gives
  identities.skeleton.nodes[0].translation = identities.skeleton.nodes[1].translation = Vec3d(0.0);
  for (Mat4x3d& m : identities.skeleton.inverse_bind) m = identity_transform<double>();
  EXPECT_EQ(kinds(health_of(identities)), kNothingWrong);

  EXPECT_EQ(kinds(health_of(pill_model(), [](RawAttributes& raw) { raw.moved_meshes = {1}; })),
            with(kNothingWrong, "mesh-node-transform"));
}

TEST(Health, JumpsOfWeightFlipNormals) {
  Model model = pill_model();
  for (int v = 0; v < model.mesh.vertex_count(); ++v) {
    const bool up = model.mesh.p0[at(v)].z > 0;
    set_weights(model.mesh, v, {up ? 0 : 1, up ? 1 : 0}, {1, 0});
  }
  const Health health = health_of(model);
  EXPECT_EQ(kinds(health), with(with(kNothingWrong, "normals-flip"), "one-ring-wider"));
  const Finding& f = finding(health, "normals-flip");
  EXPECT_LT(std::abs(model.mesh.p0[at(f.index)].z), .3) << "beside the jump";
  EXPECT_GT(f.size, .7) << "second terms below 1 / sqrt 2 cannot flip a normal";
  EXPECT_THAT(f.detail, HasSubstr("bend"));
}

TEST(Health, JumpsAlongShortEdgesAreFoundInAnyPose) {
  Model model = pill_model();
  model.clips = {clip_of(1, Path::rotation, {0, 0, 0, 1})};  // nothing moves
  const double tiny = 1e-3;
  const int v = append_triangle(model.mesh, {0, 0, 4}, {tiny, 0, 4}, {0, tiny, 4}, kUnwrapped);
  EXPECT_EQ(kinds(health_of(model)), kNothingWrongUnbent);
  set_weights(model.mesh, v, {1, 0}, {1, 0});
  const Health health = health_of(model);
  EXPECT_EQ(kinds(health), with(kNothingWrongUnbent, "weights-jump"));
  const Finding& f = finding(health, "weights-jump");
  EXPECT_EQ(f.index, v);
  EXPECT_EQ(f.count, 3);
  EXPECT_NEAR(f.size, std::sqrt(4. + 4. + 49.) / tiny, 60) << "the box is 2 x 2 x 7";
}

TEST(Health, InfluencesOverTheLimitCostWhatBlendingSays) {
  Model model = three_bones();
  const RiggedMesh& mesh = model.mesh;
  const int v = rigid_vertex(mesh);
  set_weights(model.mesh, v, {0, 1, 2}, {.5, .3, .2});
  // The third bone turns by 90 degrees about x, the others rest.
  model.clips = {clip_of(2, Path::rotation, {std::sqrt(.5), 0, 0, std::sqrt(.5)})};
  EXPECT_EQ(kinds(health_of(model)).count("influences-over-limit"), 0u);
  const Health health = health_of(model, {}, {.max_influences = 2});
  EXPECT_EQ(kinds(health), with(kNothingWrongUnbent, "influences-over-limit"));
  const Finding& f = finding(health, "influences-over-limit");
  EXPECT_EQ(f.index, v);
  EXPECT_EQ(f.count, 1);
  // Kept: n0 itself. With all: .8 n0 + .2 times n0 turned, (x, -z, y).
  const Vec3d n = mesh.n0[at(v)], blended = n * .8 + Vec3d(n.x, -n.z, n.y) * .2;
  EXPECT_NEAR(f.size, std::acos(dot(n, blended) / length(blended)) * 180 / M_PI, 1e-9);
  EXPECT_THAT(f.detail, HasSubstr("20.0 %"));
}

TEST(Health, OneRingsThatTouchMoreBonesThanThereAreSlots) {
  Model model = three_bones();
  model.clips = {clip_of(1, Path::rotation, {0, 0, 0, 1})};  // nothing moves
  int v = 0;                                                 // where the two others blend
  while (!(std::abs(model.mesh.p0[at(v)].z) < .3 && model.mesh.p0[at(v)].x < -.5)) ++v;
  set_weights(model.mesh, v, {2, 0, 1}, {1, 0, 0});
  const Health health = health_of(model, {}, {.max_influences = 2});
  EXPECT_EQ(kinds(health), with(kNothingWrongUnbent, "one-ring-overflow"));
  const Finding& f = finding(health, "one-ring-overflow");
  EXPECT_GE(f.count, 5) << "v and its neighbours";
  EXPECT_LE(f.count, 9);
  EXPECT_LT(length(model.mesh.p0[at(f.index)] - model.mesh.p0[at(v)]), .5);
  EXPECT_EQ(kinds(health_of(model)), with(kNothingWrongUnbent, "one-ring-wider")) << "four slots suffice";
}

TEST(Health, TwistsCollapseBlends) {
  Model model = pill_model();
  model.clips = {clip_of(1, Path::rotation, {0, 0, 1, 0})};  // half a turn about the axis
  const Health health = health_of(model);
  EXPECT_EQ(kinds(health), with(kNothingWrong, "blend-collapses"));
  const Finding& f = finding(health, "blend-collapses");
  EXPECT_LT(std::abs(model.mesh.p0[at(f.index)].z), .2) << "where both bones weigh the same";
  EXPECT_LT(f.size, 3);
  model.clips = {clip_of(1, Path::rotation, {0, 0, std::sin(M_PI / 4), std::cos(M_PI / 4)})};
  EXPECT_EQ(kinds(health_of(model)).count("blend-collapses"), 0u) << "a quarter of a turn keeps half";
}

TEST(Health, BonesThatDeform) {
  Model stretched = pill_model();
  stretched.clips = {clip_of(1, Path::scale, {1.1, 1, 1})};
  const Health health = health_of(stretched);
  EXPECT_EQ(kinds(health).count("bones-non-rigid"), 1u);
  const Finding& f = finding(health, "bones-non-rigid");
  EXPECT_EQ(f.name, "bone 1 (lower)");
  EXPECT_EQ(f.count, 1);
  // The common scale is taken from the other bone, whose scale is 1.
  EXPECT_NEAR(f.size, (1.21 - 1) / 2, 1e-9);
  EXPECT_THAT(f.detail, HasSubstr("test at "));

  Model mirrored = pill_model();
  mirrored.clips = {clip_of(0, Path::scale, {-1, 1, 1})};
  EXPECT_EQ(kinds(health_of(mirrored)), with(kNothingWrongUnbent, "bones-mirrored"));

  Model one_mirrored = pill_model();
  one_mirrored.clips = {clip_of(1, Path::scale, {1, 1, -1})};
  EXPECT_EQ(finding(health_of(one_mirrored), "bones-non-rigid").size, 2);

  Model scaled = pill_model();
  scaled.clips = {clip_of(0, Path::scale, {100, 100, 100})};
  EXPECT_EQ(kinds(health_of(scaled)), kNothingWrongUnbent) << "all alike: exporters do that";
}

TEST(Health, FloatsFarFromTheOrigin) {
  const auto bent_at = [](double distance) {
    Model model = pill_model();
    model.clips = {clip_of(0, Path::translation, {0, distance, 2})};
    const Clip bend = clip_of(1, Path::rotation, {std::sin(.25), 0, 0, std::cos(.25)});
    model.clips[0].channels.push_back(bend.channels[0]);
    return health_of(model);
  };
  EXPECT_EQ(kinds(bent_at(100)), kNothingWrong);
  const Health health = bent_at(1e6);
  EXPECT_EQ(kinds(health), with(kNothingWrong, "precision-lost"));
  // Floats near 1e6 are 1/16 apart; half of it, times a weight gradient of .6 per unit, is an angle of 1
  // degree.
  EXPECT_GT(finding(health, "precision-lost").size, .3);
  EXPECT_LT(finding(health, "precision-lost").size, 6);
  EXPECT_THAT(finding(health, "precision-lost").detail, HasSubstr("centred"));
}

// One per cent on either side of a tenth of a degree: among many bends of a pill far away there are two where
// 99 % of the normals are just within it and just beyond.
TEST(Health, FloatsAreJudgedByATenthOfADegree) {
  const auto bent_by = [](double radians) {
    Model model = pill_model();
    model.clips = {clip_of(0, Path::translation, {0, 1e5, 2})};
    model.clips[0].channels.push_back(
        clip_of(1, Path::rotation, {std::sin(radians / 2), 0, 0, std::cos(radians / 2)}).channels[0]);
    return model;
  };
  const Character pill(bent_by(0));
  const auto lost_by = [&](double radians) {
    const Pose pose = pose_at(pill.model().skeleton, bent_by(radians).clips[0], 0);
    const std::vector<Vec3d> exact = skin<double>(pill.mesh(), pill.factors(), pose, {}).n;
    const std::vector<Vec3f> single = skin<float>(pill.mesh(), pill.factors(), pose, {}).n;
    std::vector<double> degrees;
    for (std::size_t v = 0; v < exact.size(); ++v)
      degrees.push_back(angle_between(Vec3d(single[v]), exact[v]) * 180 / M_PI);
    std::sort(degrees.begin(), degrees.end());
    return degrees[(99 * degrees.size() + 99) / 100 - 1];
  };
  double within = 0, beyond = 0;
  for (double radians = .4; radians < .8 && (within == 0 || beyond == 0); radians += .0007) {
    const double lost = lost_by(radians);
    if (lost > .099 && lost < .1) within = radians;
    if (lost > .1 && lost < .101) beyond = radians;
  }
  ASSERT_GT(std::min(within, beyond), 0);
  EXPECT_EQ(kinds(health_of(bent_by(within))), kNothingWrong);
  EXPECT_EQ(kinds(health_of(bent_by(beyond))), with(kNothingWrong, "precision-lost"));
}

TEST(Health, ComesInOrderAndWithAdvice) {
  Model model = pill_model();
  model.mesh.faces.push_back({3, 3, 4});
  set_weights(model.mesh, rigid_vertex(model.mesh), {0, 1}, {1.5, 0});
  const Health health = health_of(model);
  for (std::size_t i = 1; i < health.findings.size(); ++i)
    EXPECT_GE(health.findings[i - 1].kind->severity, health.findings[i].kind->severity);
  EXPECT_EQ(health.count(Severity::error), 1);
  EXPECT_EQ(health.count(Severity::warning), 1);
  for (const Finding& f : health.findings) {
    EXPECT_EQ(f.kind->advice.back(), '.') << f.kind->id;
    EXPECT_FALSE(f.name.empty());
    EXPECT_TRUE(std::isfinite(f.size));
    EXPECT_LE(f.count, f.of);
  }
}

TEST(Health, DoesNotDependOnTheThreads) {
  const Health one = health_of(pill_model(), {}, {}, 1), three = health_of(pill_model(), {}, {}, 3);
  ASSERT_EQ(one.findings.size(), three.findings.size());
  for (std::size_t i = 0; i < one.findings.size(); ++i) {
    EXPECT_EQ(one.findings[i].size, three.findings[i].size);
    EXPECT_EQ(one.findings[i].index, three.findings[i].index);
    EXPECT_EQ(one.findings[i].detail, three.findings[i].detail);
  }
}

TEST(Health, RefusesLimitsOutOfRange) {
  for (const int limit : {0, -1, 17})
    EXPECT_THROW(health_of(pill_model(), {}, {.max_influences = limit}), InputError) << limit;
}

TEST(Health, RefusesAttributesOfAnotherModel) {
  EXPECT_THROW(health_of(pill_model(), [](RawAttributes& raw) { raw.normal.pop_back(); }), InputError);
  EXPECT_THROW(health_of(pill_model(), [](RawAttributes& raw) { raw.weight.pop_back(); }), InputError);
  EXPECT_THROW(check_health(Character(pill_model()), {}), InputError);
}

TEST(Health, KindsAreStableIds) {
  Kinds seen;
  for (const FindingKind& kind : finding_kinds()) {
    EXPECT_TRUE(seen.emplace(kind.id).second) << kind.id;
    for (const char c : kind.id) EXPECT_TRUE((c >= 'a' && c <= 'z') || c == '-') << kind.id;
    EXPECT_EQ(&finding_kind(kind.id), &kind);
  }
  EXPECT_THROW(finding_kind("nope"), std::out_of_range);
}

}  // namespace
}  // namespace skinlight
