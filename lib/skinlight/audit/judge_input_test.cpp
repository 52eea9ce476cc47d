// What judge() refuses and repairs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "skinlight/audit/test_judge.h"

namespace skinlight {
namespace {

using namespace test_judge;
using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// With everything optional given.
JudgeInput full_input() {
  JudgeInput in = random_case(1, true).input;
  in.uv.assign(in.positions.size(), Vec2d(0, 0));
  in.posed = in.positions;
  in.normals = in.rest_normals;
  in.tangents = in.rest_tangents;
  in.sides = in.rest_sides;
  return in;
}

struct Refusal {
  const char* element;
  const char* reason;
  std::function<void(JudgeInput&)> spoil;
};

const Refusal kRefusals[] = {
    {"positions", "empty", [](JudgeInput& in) { in.positions.clear(); }},
    {"positions, vertex 5", "not finite", [](JudgeInput& in) { in.positions[5].y = kNan; }},
    {"positions, vertex 5", "too large", [](JudgeInput& in) { in.positions[5].y = 1e200; }},
    {"faces", "empty", [](JudgeInput& in) { in.faces.clear(); }},
    {"faces, face 3", "vertex 258 does not exist", [](JudgeInput& in) { in.faces[3][1] = 258; }},
    {"faces, face 3", "vertex -1 does not exist", [](JudgeInput& in) { in.faces[3][2] = -1; }},
    {"faces", "no area",
     [](JudgeInput& in) {
       in.faces.assign(1, {0, 0, 1});
     }},
    {"pose", "no bones", [](JudgeInput& in) { in.pose.clear(); }},
    {"pose, bone 2", "not finite", [](JudgeInput& in) { in.pose[2][3].z = INFINITY; }},
    {"weights", "slots", [](JudgeInput& in) { in.influences = 0; }},
    {"bones", "774 entries, expected 1032", [](JudgeInput& in) { in.influences = 4; }},
    {"weights", "773 entries, expected 774", [](JudgeInput& in) { in.weights.pop_back(); }},
    {"bones and weights, vertex 4", "bone 9 does not exist", [](JudgeInput& in) { in.bones[12] = 9; }},
    {"bones and weights, vertex 4", "weight is not finite", [](JudgeInput& in) { in.weights[12] = kNan; }},
    {"normals", "257 entries, expected 258", [](JudgeInput& in) { in.normals.pop_back(); }},
    {"normals", "0 entries", [](JudgeInput& in) { in.normals.clear(); }},
    {"normals, vertex 6", "not finite", [](JudgeInput& in) { in.normals[6].x = kNan; }},
    {"normals, vertex 6", "no length", [](JudgeInput& in) { in.normals[6] = Vec3d(0.0); }},
    {"rest normals", "257 entries", [](JudgeInput& in) { in.rest_normals.pop_back(); }},
    {"rest normals, vertex 6", "no length", [](JudgeInput& in) { in.rest_normals[6] = Vec3d(0.0); }},
    {"rest tangents", "257 entries", [](JudgeInput& in) { in.rest_tangents.pop_back(); }},
    {"rest tangents, vertex 6", "parallel", [](JudgeInput& in) { in.rest_tangents[6] = in.rest_normals[6]; }},
    {"rest tangents, vertex 6", "neither 1 nor -1", [](JudgeInput& in) { in.rest_sides[6] = 0; }},
    {"uv", "257 entries", [](JudgeInput& in) { in.uv.pop_back(); }},
    {"uv, vertex 6", "not finite", [](JudgeInput& in) { in.uv[6].x = kNan; }},
    {"posed positions", "257 entries", [](JudgeInput& in) { in.posed.pop_back(); }},
    {"posed positions, vertex 6", "not finite", [](JudgeInput& in) { in.posed[6].x = -INFINITY; }},
    {"tangents", "257 entries", [](JudgeInput& in) { in.tangents.pop_back(); }},
    {"tangents, vertex 6", "no length", [](JudgeInput& in) { in.tangents[6] = Vec3d(0.0); }},
    {"tangents, vertex 6", "neither 1 nor -1", [](JudgeInput& in) { in.sides[6] = kNan; }},
    {"tangents' w", "257 entries", [](JudgeInput& in) { in.sides.pop_back(); }},
    {"tangents", "rest tangents",
     [](JudgeInput& in) {
       in.rest_tangents.clear();
       in.rest_sides.clear();
       in.uv.clear();
     }},
    {"tolerance", "degrees", [](JudgeInput& in) { in.tolerance = -1; }},
    {"tolerance", "degrees", [](JudgeInput& in) { in.tolerance = kNan; }},
};

TEST(JudgeInput, EveryUnusableArrayIsNamed) {
  EXPECT_NO_THROW(judge(full_input()));
  for (const Refusal& refusal : kRefusals) {
    JudgeInput in = full_input();
    refusal.spoil(in);
    try {
      judge(in);
      ADD_FAILURE() << refusal.element << ": " << refusal.reason << ": not refused";
    } catch (const InputError& e) {
      EXPECT_EQ(e.element(), refusal.element) << e.what();
      EXPECT_THAT(e.reason(), HasSubstr(refusal.reason));
    }
  }
}

TEST(JudgeInput, WhatIsOptionalMayBeLeftOut) {
  JudgeInput in = full_input();
  in.rest_normals.clear();
  in.rest_tangents.clear();
  in.rest_sides.clear();
  in.uv.clear();
  in.posed.clear();
  in.tangents.clear();
  in.sides.clear();
  const Judgement judgement = judge(in);
  EXPECT_FALSE(judgement.has_tangents);
  EXPECT_FALSE(judgement.has_sides);
  EXPECT_LT(judgement.position_offset, 0);
}

TEST(JudgeInput, WeightsThatDoNotSumTo1AreDividedOutWithAWarning) {
  JudgeInput in = full_input();
  const double mean = judge(in).normals.transported.mean;
  for (double& w : in.weights) w *= 3;
  const Judgement judgement = judge(in);
  EXPECT_NEAR(judgement.normals.transported.mean, mean, 1e-9);
  ASSERT_EQ(judgement.warnings.size(), 1u);
  EXPECT_EQ(judgement.warnings[0].count, 258);
  EXPECT_THAT(judgement_text(judgement), HasSubstr("warning: vertex 0"));
}

// Seams: twins with the same position, normal and weights are one point of the surface, however often it is
// stored.
TEST(JudgeInput, UnindexedMeshesGiveTheSameErrors) {
  JudgeInput in = full_input();
  in.posed.clear();
  const Judgement indexed = judge(in);
  JudgeInput split;
  split.influences = in.influences;
  split.pose = in.pose;
  for (const Face& f : in.faces) {
    const int first = static_cast<int>(split.positions.size());
    split.faces.push_back({first, first + 1, first + 2});
    for (const int corner : f) {
      const auto v = static_cast<std::size_t>(corner);
      split.positions.push_back(in.positions[v]);
      split.normals.push_back(in.normals[v]);
      split.rest_normals.push_back(in.rest_normals[v]);
      for (std::size_t k = 3 * v; k < 3 * v + 3; ++k) {
        split.bones.push_back(in.bones[k]);
        split.weights.push_back(in.weights[k]);
      }
    }
  }
  const Judgement unindexed = judge(split);
  EXPECT_EQ(unindexed.vertices, 1536);
  EXPECT_EQ(unindexed.welded, indexed.welded);
  EXPECT_NEAR(unindexed.normals.transported.mean, indexed.normals.transported.mean, 1e-9);
  EXPECT_NEAR(unindexed.normals.recomputed.rms, indexed.normals.recomputed.rms, 1e-9);
}

}  // namespace
}  // namespace skinlight
