#include "skinlight/character/character.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/morph.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/centre_field.h"
#include "skinlight/truth/truth.h"
#include "testing/error_of.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using test_errors::error_of;

using testing::HasSubstr;

RiggedMesh tube() { return cylinder({}, {.segments = 16, .jitter = .2}).mesh; }

// A terrain on six bones, so that one-rings carry more of them than four slots hold.
RiggedMesh many_bones() {
  Random random(5);
  return test_rigs::bind(test_meshes::terrain(6, .3, random), 6, 3, random);
}

TEST(Characters, HoldWhatTheFunctionsComputeOfTheMesh) {
  const RiggedMesh mesh = many_bones();
  const Character character(mesh);
  const Surface surface(mesh.faces, weld(mesh));
  EXPECT_EQ(character.surface().vertex_count(), surface.vertex_count());
  const NormalRecord factors = deform_factors(mesh, surface);
  EXPECT_EQ(character.factors().slots, 4);
  EXPECT_EQ(character.factors().bone, factors.bone);
  EXPECT_EQ(character.factors().alpha, factors.alpha);
  EXPECT_EQ(character.factors().smooth_weight, factors.smooth_weight);
  const NormalRecord vectors = deform_vectors(mesh, surface);
  EXPECT_EQ(character.vectors().averaging, Averaging::area);
  EXPECT_EQ(character.vectors().bone, vectors.bone);
  EXPECT_EQ(character.vectors().along_t, vectors.along_t);
  const RotationCentres centres = rotation_centres(mesh, surface);
  EXPECT_EQ(character.centres().centre, centres.centre);
  EXPECT_EQ(character.centres().along_t, centres.along_t);
  EXPECT_TRUE(character.morph_tangents().empty());
}

TEST(Characters, ComputeAPartOnceForAllTheirCopies) {
  const Character character(tube());
  const NormalRecord* factors = &character.factors();
  const Character copy = character, wider = copy.with({.max_slots = 5});
  EXPECT_EQ(&copy.factors(), factors);
  EXPECT_EQ(&copy.surface(), &character.surface());
  EXPECT_EQ(&wider.surface(), &character.surface());
  EXPECT_NE(&wider.factors(), factors);
  EXPECT_EQ(&character.with({.max_slots = 5}).factors(), &wider.factors());
}

TEST(Characters, ArePreparedAsTheyAreAsked) {
  const RiggedMesh mesh = many_bones();
  const Character usual(mesh);
  EXPECT_EQ(usual.factors().slots, 4);
  EXPECT_GT(usual.with({.max_slots = kAllSlots}).factors().slots, 4);
  EXPECT_EQ(usual.with({.max_slots = 5}).vectors().slots, 5);
  const Character other = usual.with({.averaging = Averaging::uniform});
  EXPECT_EQ(other.factors().averaging, Averaging::uniform);
  EXPECT_EQ(other.vectors().averaging, Averaging::uniform);
  EXPECT_NE(other.factors().alpha, usual.factors().alpha);
  EXPECT_TRUE(usual.with({.gradients = false}).factors().gradient.empty());
  EXPECT_FALSE(usual.factors().gradient.empty());
}

// A morph target that moves each vertex by its weight of a bone times what that bone moves by: the same surface, so the same
// normals, whichever way they are averaged.
TEST(Characters, MorphTargetsAreAveragedAsWeightsAre) {
  Random random(11);
  Model model;
  model.mesh = test_rigs::bind(test_meshes::terrain(6, .3, random), 2, 2, random);
  const RiggedMesh& mesh = model.mesh;
  const Vec3d shift(.4, -.3, .5);
  MorphTarget target;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    double weight = 0;
    for (std::size_t s = 0; s < 2; ++s)
      if (mesh.bones_of(v)[s] == 1) weight += mesh.weights_of(v)[s];
    target.vertex.push_back(v);
    target.dp.push_back(weight * shift);
  }
  model.morphs.push_back(target);
  Pose rest, moved;
  rest.M = {identity_transform<double>(), identity_transform<double>()};
  moved = rest;
  moved.M[1][3] = shift;
  for (const Averaging averaging : all_averagings()) {
    SCOPED_TRACE(name(averaging));
    const Character character(model, {.averaging = averaging});
    const SkinOptions deform{.mode = NormalMode::deform};
    const SkinData data = character.data(Method::lbs, NormalMode::deform);
    const std::vector<Vec3d> by_bone = skin<double>(mesh, data, moved, deform).n;
    const double whole[] = {1};
    const RiggedMesh morph = morphed(mesh, model.morphs, character.morph_tangents(), whole);
    const std::vector<Vec3d> by_morph = skin<double>(morph, data, rest, deform).n;
    double largest = 0;
    for (std::size_t v = 0; v < by_bone.size(); ++v)
      largest = std::max(largest, length(by_bone[v] - by_morph[v]));
    EXPECT_LT(largest, 1e-12);
  }
}

TEST(Characters, CentresAreAveragedAsWeightsAre) {
  const RiggedMesh mesh = many_bones();
  const Surface surface(mesh.faces, weld(mesh));
  const Character usual(mesh);
  for (const Averaging averaging : all_averagings())
    EXPECT_EQ(usual.with({.averaging = averaging}).centres().along_t,
              rotation_centres(mesh, surface, {.averaging = averaging}).along_t)
        << name(averaging);
}

TEST(Characters, GiveAMethodWhatItReadsAndNoMore) {
  const Character character(many_bones());
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes) {
      const SkinData data = character.data(method.method, mode);
      EXPECT_EQ(data.factors != nullptr, mode != NormalMode::standard && mode != NormalMode::deform_vectors &&
                                             mode != NormalMode::deform_frames);
      EXPECT_EQ(data.frames != nullptr, mode == NormalMode::deform_frames);
      EXPECT_EQ(data.vectors != nullptr, mode == NormalMode::deform_vectors);
      EXPECT_EQ(data.centres != nullptr, method.method == Method::crs);
      Random random(1);
      const Pose pose = test_rigs::random_rigid_pose(6, random);
      EXPECT_NO_THROW(skin<double>(character.mesh(), data, pose, {.method = method.method, .mode = mode}));
    }
}

// Metres from nanometres, and back: a scale of all bones changes no direction. Floats end where their squares do.
TEST(Characters, KeepTheirNormalsWhenThePoseIsScaled) {
  Random random(3);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::terrain(6, .3, random), 4, 4, random);
  const Character character(mesh);
  const Pose pose = test_rigs::random_rigid_pose(4, random);
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes) {
      const SkinData data = character.data(method.method, mode);
      const SkinOptions how{.method = method.method, .mode = mode};
      const std::vector<Vec3d> plain = skin<double>(mesh, data, pose, how).n;
      const auto farthest = [&](double scale, auto zero) {
        Pose scaled = pose;
        for (Mat4x3d& m : scaled.M)
          for (int c = 0; c < 4; ++c) m[c] = m[c] * scale;
        const auto posed = skin<decltype(zero)>(mesh, data, scaled, how).n;
        double largest = 0;
        for (std::size_t v = 0; v < plain.size(); ++v)
          largest = std::max(largest, length(Vec3d(posed[v]) - plain[v]));
        return largest;
      };
      for (const double scale : {1e-40, 1e-9, 1e-3, 1e10, 1e40})
        EXPECT_LT(farthest(scale, 0.0), 1e-9) << method.name << " " << row(mode).name << " " << scale;
      for (const double scale : {1e-6, 1e-3, 1e8})
        EXPECT_LT(farthest(scale, 0.0f), 1e-3) << method.name << " " << row(mode).name << " " << scale;
    }
}

TEST(Characters, OfProceduralRigsKnowTheirExactGradients) {
  const ProceduralRig rig = cuboid({.across = 3, .along = 12, .shared = true});
  const Character character(rig), exact = character.with({.exact_gradients = true});
  ASSERT_TRUE(character.has_exact_gradients());
  EXPECT_EQ(exact.factors().alpha, deform_factors_from_gradients(rig.mesh, rig.gradient).alpha);
  EXPECT_NE(exact.factors().alpha, character.factors().alpha);
  const CentreField field = centre_field(rig);
  EXPECT_EQ(exact.centres().along_t, centres_of(rig, field).along_t);
  const Pose pose = cuboid_pose(60, 30);
  for (const Method method : {Method::lbs, Method::dqs, Method::crs})
    EXPECT_EQ(character.analytic_normals(pose, method), analytic_normals(rig, pose, method, &field));
}

TEST(Characters, WithoutExactGradientsSaySo) {
  const Character character(tube());
  EXPECT_FALSE(character.has_exact_gradients());
  const Pose pose = cylinder_bend(.5);
  EXPECT_THAT(error_of([&] { character.with({.exact_gradients = true}).factors(); }),
              HasSubstr("exact gradients"));
  EXPECT_THAT(error_of([&] { character.with({.exact_gradients = true}).centres(); }),
              HasSubstr("exact gradients"));
  EXPECT_THAT(error_of([&] { character.analytic_normals(pose, Method::lbs); }), HasSubstr("exact gradients"));
}

// What failed once fails again, and is not taken for an empty result.
TEST(Characters, AnErrorLeavesNothingBehind) {
  const Character character(many_bones(), {.max_slots = 2});
  for (int time = 0; time < 2; ++time)
    EXPECT_THAT(error_of([&] { character.factors(); }), HasSubstr("more than the 2 slots"));
  EXPECT_EQ(character.with({.max_slots = 3}).factors().slots, 3);
}

TEST(Characters, HaveFramesOfFiveSlotsOrOfAsManyAsAreWanted) {
  const Character character(many_bones());
  ASSERT_LT(character.mesh().slots, kFrameSlots);
  EXPECT_EQ(character.frames(Method::dqs).slots, kFrameSlots);
  EXPECT_EQ(character.with({.max_slots = 6}).frames(Method::dqs).slots, 6);
}

TEST(Characters, HaveFramesOfTheMethodsThatBlendRotationsInTheirWay) {
  const Character character(tube());
  EXPECT_THAT(error_of([&] { character.frames(Method::lbs); }), HasSubstr("no normal mode 'deform-frames'"));
  EXPECT_THAT(error_of([&] { character.frames(Method::dib); }), HasSubstr("no normal mode 'deform-frames'"));
  EXPECT_TRUE(character.frames(Method::dqs).frame_centre.empty());
  EXPECT_FALSE(character.frames(Method::crs).frame_centre.empty());
  EXPECT_EQ(character.frames(Method::sbs).frame_t, character.frames(Method::dqs).frame_t);
  EXPECT_NE(character.frames(Method::log).frame_t, character.frames(Method::dqs).frame_t);
}

TEST(Characters, OutliveTheOneTheyWereCopiedFrom) {
  std::optional<Character> first(tube());
  const SkinData data = first->data(Method::lbs, NormalMode::deform);
  const Character second = *first;
  first.reset();
  Random random(2);
  EXPECT_NO_THROW(skin<double>(second.mesh(), data, test_rigs::random_rigid_pose(2, random)));
}

TEST(Characters, AnswerThreadsThatAskAtTheSameTimeAlike) {
  const Character character(many_bones(), {}, 1);
  constexpr int kThreads = 8;
  std::vector<const void*> factors(kThreads), centres(kThreads), surfaces(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      centres[i] = &character.centres();
      factors[i] = &character.factors();
      surfaces[i] = &character.surface();
    });
  for (std::thread& t : threads) t.join();
  EXPECT_THAT(factors, testing::Each(&character.factors()));
  EXPECT_THAT(centres, testing::Each(&character.centres()));
  EXPECT_THAT(surfaces, testing::Each(&character.surface()));
}

}  // namespace
}  // namespace skinlight
