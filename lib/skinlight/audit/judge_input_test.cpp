// What judge() refuses and repairs, and how it weighs explanations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "testing/judge.h"

namespace skinlight {
namespace {

using namespace test_judge;
using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// With everything optional given.
JudgeInput full_input() {
  JudgeInput in = random_case(1, true).input;
  in.rig.uv.assign(in.rig.positions.size(), Vec2d(0, 0));
  in.posed = in.rig.positions;
  in.normals = in.rig.rest_normals;
  in.tangents = in.rig.rest_tangents;
  in.sides = in.rig.rest_sides;
  return in;
}

struct Refusal {
  const char* element;
  const char* reason;
  std::function<void(JudgeInput&)> spoil;
};

const Refusal kRefusals[] = {
    {"positions", "empty", [](JudgeInput& in) { in.rig.positions.clear(); }},
    {"positions, vertex 5", "not finite", [](JudgeInput& in) { in.rig.positions[5].y = kNan; }},
    {"positions, vertex 5", "too large", [](JudgeInput& in) { in.rig.positions[5].y = 1e200; }},
    {"faces", "empty", [](JudgeInput& in) { in.rig.faces.clear(); }},
    {"faces, face 3", "vertex 258 does not exist", [](JudgeInput& in) { in.rig.faces[3][1] = 258; }},
    {"faces, face 3", "vertex -1 does not exist", [](JudgeInput& in) { in.rig.faces[3][2] = -1; }},
    {"faces", "no area",
     [](JudgeInput& in) {
       in.rig.faces.assign(1, {0, 0, 1});
     }},
    {"pose", "no area",
     [](JudgeInput& in) {
       in.posed.clear();
       for (Mat4x3d& m : in.pose) m[0] = m[1] = m[2] = m[3] = Vec3d(0.0);
     }},
    {"posed positions", "no area",
     [](JudgeInput& in) { in.posed.assign(in.rig.positions.size(), Vec3d(1, 2, 3)); }},
    {"pose", "no bones", [](JudgeInput& in) { in.pose.clear(); }},
    {"pose, bone 2", "not finite", [](JudgeInput& in) { in.pose[2][3].z = INFINITY; }},
    {"weights", "slots", [](JudgeInput& in) { in.rig.influences = 0; }},
    {"bones", "774 entries, expected 1032", [](JudgeInput& in) { in.rig.influences = 4; }},
    {"weights", "773 entries, expected 774", [](JudgeInput& in) { in.rig.weights.pop_back(); }},
    {"bones, vertex 4", "bone 9 does not exist", [](JudgeInput& in) { in.rig.bones[12] = 9; }},
    {"weights, vertex 4", "weight is negative", [](JudgeInput& in) { in.rig.weights[12] = -.1; }},
    {"weights, vertex 4", "weight is not finite", [](JudgeInput& in) { in.rig.weights[12] = kNan; }},
    {"normals", "257 entries, expected 258", [](JudgeInput& in) { in.normals.pop_back(); }},
    {"normals", "0 entries", [](JudgeInput& in) { in.normals.clear(); }},
    {"normals, vertex 6", "not finite", [](JudgeInput& in) { in.normals[6].x = kNan; }},
    {"normals, vertex 6", "no length", [](JudgeInput& in) { in.normals[6] = Vec3d(0.0); }},
    {"rest normals", "257 entries", [](JudgeInput& in) { in.rig.rest_normals.pop_back(); }},
    {"rest normals, vertex 6", "no length", [](JudgeInput& in) { in.rig.rest_normals[6] = Vec3d(0.0); }},
    {"rest tangents", "257 entries", [](JudgeInput& in) { in.rig.rest_tangents.pop_back(); }},
    {"rest tangents, vertex 6", "parallel",
     [](JudgeInput& in) { in.rig.rest_tangents[6] = in.rig.rest_normals[6]; }},
    {"rest tangents, vertex 6", "parallel",
     [](JudgeInput& in) {
       in.rig.rest_tangents[6] = in.rig.rest_normals[6] * 1000 + in.rig.rest_tangents[6] * .5;
     }},
    {"rest tangents, vertex 6", "neither 1 nor -1", [](JudgeInput& in) { in.rig.rest_sides[6] = 0; }},
    {"uv", "257 entries", [](JudgeInput& in) { in.rig.uv.pop_back(); }},
    {"uv, vertex 6", "not finite", [](JudgeInput& in) { in.rig.uv[6].x = kNan; }},
    {"posed positions", "257 entries", [](JudgeInput& in) { in.posed.pop_back(); }},
    {"posed positions, vertex 6", "not finite", [](JudgeInput& in) { in.posed[6].x = -INFINITY; }},
    {"tangents", "257 entries", [](JudgeInput& in) { in.tangents.pop_back(); }},
    {"tangents, vertex 6", "no length", [](JudgeInput& in) { in.tangents[6] = Vec3d(0.0); }},
    {"tangents, vertex 6", "neither 1 nor -1", [](JudgeInput& in) { in.sides[6] = kNan; }},
    {"tangents' w", "257 entries", [](JudgeInput& in) { in.sides.pop_back(); }},
    {"tangents", "rest tangents",
     [](JudgeInput& in) {
       in.rig.rest_tangents.clear();
       in.rig.rest_sides.clear();
       in.rig.uv.clear();
     }},
    {"tolerance", "degrees", [](JudgeInput& in) { in.tolerance = -1; }},
    {"tolerance", "degrees", [](JudgeInput& in) { in.tolerance = kNan; }},
    {"tolerance", "degrees", [](JudgeInput& in) { in.tolerance = INFINITY; }},
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
  in.rig.rest_normals.clear();
  in.rig.rest_tangents.clear();
  in.rig.rest_sides.clear();
  in.rig.uv.clear();
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
  for (double& w : in.rig.weights) w *= 3;
  const Judgement judgement = judge(in);
  EXPECT_NEAR(judgement.normals.transported.mean, mean, 1e-9);
  ASSERT_EQ(judgement.warnings.size(), 1u);
  EXPECT_EQ(judgement.warnings[0].count, 258);
  EXPECT_THAT(judgement_text(judgement), HasSubstr("warning: vertex 0"));
}

// Only where it is log-matrix blending that poses.
TEST(JudgeInput, LogarithmsThatTearTheSurfaceAreTold) {
  const auto turn_about_z = [](double degrees) {
    const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
    return Mat4x3d(Vec3d(c, s, 0), Vec3d(-s, c, 0), Vec3d(0, 0, 1), Vec3d(0.0));
  };
  JudgeInput in = full_input();
  in.posed.clear();
  for (std::size_t s = 0; s < in.pose.size(); ++s) in.pose[s] = turn_about_z(s % 2 == 0 ? 170 : 190);
  for (const Method method : {Method::log, Method::dqs}) {
    in.method = method;
    const Judgement judgement = judge(in);
    ASSERT_EQ(judgement.warnings.size(), method == Method::log ? 1u : 0u);
    if (method == Method::dqs) continue;
    EXPECT_THAT(judgement.warnings[0].reason, HasSubstr("340 degrees apart: log-matrix blending tears"));
    EXPECT_THAT(judgement.warnings[0].element, HasSubstr(" and "));
    EXPECT_THAT(judgement_text(judgement), HasSubstr("warning: bones "));
  }
}

TEST(JudgeInput, RestNormalsMayHaveAnyLength) {
  JudgeInput in = full_input();
  const Judgement unit = judge(in);
  Random random(2);
  for (Vec3d& n : in.rig.rest_normals) n = n * random.uniform(.1, 10);
  for (Vec3d& t : in.rig.rest_tangents) t = t * random.uniform(.1, 10);
  const Judgement scaled = judge(in);
  EXPECT_NEAR(scaled.normals.transported.mean, unit.normals.transported.mean, 1e-9);
  EXPECT_NEAR(scaled.tangents.transported.mean, unit.tangents.transported.mean, 1e-9);
}

TEST(JudgeInput, RestNormalsThatAreMissingAreAveragedByArea) {
  JudgeInput in = full_input();
  std::fill(in.pose.begin(), in.pose.end(), identity_transform<double>());
  in.posed.clear();
  in.rig.rest_normals.clear();
  in.normals.assign(in.rig.positions.size(), Vec3d(0.0));
  for (const Face& f : in.rig.faces) {
    const auto p = [&](std::size_t c) { return in.rig.positions[static_cast<std::size_t>(f[c])]; };
    for (const int v : f) in.normals[static_cast<std::size_t>(v)] += cross(p(1) - p(0), p(2) - p(0));
  }
  EXPECT_LT(judge(in).normals.transported.max, 1e-6);
}

TEST(JudgeInput, InfluencesBeyondTheSlotsAreDroppedWithAWarning) {
  for (const int influences : {16, 20}) {
    Random random(3);
    const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(2, random), 20, influences, random);
    JudgeInput in;
    in.rig.positions = mesh.p0;
    in.rig.faces = mesh.faces;
    in.rig.influences = influences;
    in.rig.bones = mesh.bone;
    in.rig.weights = mesh.weight;
    in.pose = test_rigs::random_rigid_pose(20, random).M;
    in.rig.rest_normals = in.normals = mesh.n0;
    double dropped = 0;  // by the worst vertex: bind() sorts
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      double sum = 0;
      for (std::size_t k = 16; k < static_cast<std::size_t>(influences); ++k) sum += mesh.weights_of(v)[k];
      dropped = std::max(dropped, sum);
    }
    const Judgement judgement = judge(in);
    EXPECT_EQ(judgement.influences, 16);
    ASSERT_EQ(judgement.warnings.size(), influences > 16 ? 1u : 0u);
    if (influences > 16) {
      EXPECT_EQ(judgement.warnings[0].element, "weights");
      EXPECT_THAT(judgement.warnings[0].reason, HasSubstr("weights up to " + std::to_string(dropped)));
    }
  }
}

TEST(JudgeInput, PositionsAreOffByAShareOfThePosedSize) {
  Case c = random_case(4, true);
  c.input.normals = c.input.rig.rest_normals;
  const std::vector<Vec3d> exact =
      c.per_vertex([&](int v) { return (c.T(v) * c.p0(v) + c.translation(v)).eval(); });
  Vec3d low = exact[0], high = low;
  for (const Vec3d& p : exact)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], p[i]);
      high[i] = std::max(high[i], p[i]);
    }
  for (const double unit : {1., 100.})
    for (const bool first : {true, false}) {
      JudgeInput in = c.input;
      in.posed = exact;
      in.posed[first ? 20 : 90] += Vec3d(0, .1, 0) * length(high - low);
      in.posed[first ? 90 : 20] += Vec3d(.04, 0, 0) * length(high - low);
      for (Vec3d& p : in.posed) p = p * unit;
      for (Vec3d& p : in.rig.positions) p = p * unit;
      for (Mat4x3d& m : in.pose) m[3] = m[3] * unit;
      const Judgement judgement = judge(in);
      EXPECT_NEAR(judgement.position_offset, .1, 1e-9);
      EXPECT_EQ(judgement.position_offset_vertex, first ? 20 : 90);
    }
}

TEST(JudgeInput, OfPositionsEquallyFarOffTheFirstIsNamed) {
  JudgeInput in = full_input();
  std::fill(in.pose.begin(), in.pose.end(), identity_transform<double>());
  for (std::size_t i = 0; i < in.rig.weights.size(); ++i) in.rig.weights[i] = i % 3 == 0 ? 1 : 0;
  const Judgement judgement = judge(in);
  EXPECT_EQ(judgement.position_offset, 0);
  EXPECT_EQ(judgement.position_offset_vertex, 0);
}

// Bones that stretch, each its own way, whose normal matrices are blended in place of the bones.
TEST(JudgeInput, BlendedNormalMatricesAreRecognised) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Case c = random_case(seed, false);
    for (std::size_t s = 0; s < c.input.pose.size(); ++s)
      for (int column = 0; column < 3; ++column)
        c.input.pose[s][column] = c.input.pose[s][column] * (s % 2 == 0 ? .7 : 1.4);
    c.use_pose();
    const auto blended = [&](int v, const Eigen::Vector3d& d) {
      Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
      for (int k = 0; k < c.input.rig.influences; ++k)
        sum += c.weight(v, k) * c.M(c.slot(v, k)).inverse().transpose();
      return (sum * d).eval();
    };
    c.input.normals = c.per_vertex([&](int v) { return blended(v, c.n0(v)); });
    c.input.tangents = c.per_vertex([&](int v) { return blended(v, c.t0(v)); });
    const Judgement judgement = judge(c.input);
    EXPECT_EQ(judgement.normals.diagnosis.fits[0].id, "blended-normal-matrices");
    EXPECT_LT(judgement.normals.diagnosis.fits[0].mean, 1e-9);
    EXPECT_EQ(judgement.tangents.diagnosis.fits[0].id, "like-a-normal-per-bone");
    EXPECT_LT(judgement.tangents.diagnosis.fits[0].mean, 1e-9);
  }
}

TEST(JudgeInput, BonesThatTurnAndScaleAlikeAreTheirNormalMatrices) {
  Case c = random_case(4, true);
  for (Mat4x3d& m : c.input.pose)
    for (int column = 0; column < 3; ++column) m[column] = m[column] * 1.4;
  c.use_pose();
  c.input.normals = c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).eval(); });
  c.input.tangents = c.per_vertex([&](int v) { return (c.T(v) * c.t0(v)).eval(); });
  const Judgement judgement = judge(c.input);
  for (const Judged* judged : {&judgement.normals, &judgement.tangents})
    for (const Fit& fit : judged->diagnosis.fits) {
      EXPECT_NE(fit.id, "blended-normal-matrices");
      EXPECT_NE(fit.id, "like-a-normal-per-bone");
    }
}

TEST(JudgeInput, TheFirstSlotIsTheStrongestWhereWeightsAreSorted) {
  Case c = random_case(5, true);
  c.input.normals = c.per_vertex([&](int v) { return (c.M(c.strongest(v)) * c.n0(v)).eval(); });
  const auto first_bone_is_the_same = [&] {
    const Diagnosis diagnosis = judge(c.input).normals.diagnosis;
    const std::vector<int>& same = diagnosis.verdict.same_here;
    EXPECT_EQ(diagnosis.fits[static_cast<std::size_t>(diagnosis.verdict.named)].id, "one-bone");
    return std::any_of(same.begin(), same.end(),
                       [&](int i) { return diagnosis.fits[static_cast<std::size_t>(i)].id == "first-bone"; });
  };
  EXPECT_FALSE(first_bone_is_the_same());
  c.input.rig.bones = c.mesh.bone;  // sorted
  c.input.rig.weights = c.mesh.weight;
  EXPECT_TRUE(first_bone_is_the_same());
}

// Directions in the xy plane, at these angles from x.
std::vector<Vec3d> directions(const std::vector<double>& degrees) {
  std::vector<Vec3d> d;
  for (const double a : degrees) d.emplace_back(std::cos(a * M_PI / 180), std::sin(a * M_PI / 180), 0);
  return d;
}

Explanation explanation(std::string id, std::vector<Vec3d> v) {
  return {std::move(id), ExplanationKind::approximation, "", "", std::move(v)};
}

TEST(Diagnosis, SharesAreThoseOfTheWeightWithinTheTolerance) {
  const std::vector<double> weights = {1, 2, 3, 4};
  const std::vector<Vec3d> theirs = directions({0, 0, 0, 0});
  const std::vector<Explanation> e = {explanation("a", directions({0, .4, .6, 20}))};
  const Fit fit = diagnose({theirs, weights, {}, {}}, e, .5).fits[0];
  EXPECT_NEAR(fit.share, .3, 1e-12);
  EXPECT_NEAR(fit.mean, (2 * .4 + 3 * .6 + 4 * 20) / 10, 1e-9);
  EXPECT_NEAR(fit.max, 20, 1e-9);
}

TEST(Diagnosis, NothingPointsNowhere) {
  const std::vector<double> weights = {1, 1};
  const std::vector<Vec3d> theirs = directions({0, 30});
  for (const double x : {0.0, static_cast<double>(INFINITY)}) {
    const std::vector<Explanation> e = {explanation("a", {Vec3d(x, 0, 0), Vec3d(x, 0, 0)})};
    const Diagnosis diagnosis = diagnose({theirs, weights, {}, {}}, e, 1);
    EXPECT_NEAR(diagnosis.fits[0].mean, 90, 1e-9) << x;
    EXPECT_FALSE(diagnosis.verdict.explained) << x;
  }
}

TEST(Diagnosis, ExplainsWithinTheToleranceAndIsClearWhereTheNextIsThreeTimesAsFar) {
  const std::vector<double> weights = {1};
  const std::vector<Vec3d> theirs = directions({0});
  const auto verdict = [&](double best, double next) {
    const std::vector<Explanation> e = {explanation("far", directions({next})),
                                        explanation("near", directions({best}))};
    return diagnose({theirs, weights, {}, {}}, e, .5).verdict;
  };
  EXPECT_FALSE(verdict(.6, 9).explained);
  EXPECT_TRUE(verdict(.4, 9).explained);
  EXPECT_TRUE(verdict(.1, .4).clear);
  EXPECT_FALSE(verdict(.1, .25).clear);
  EXPECT_NEAR(verdict(.1, .25).next, .25, 1e-9);
  EXPECT_TRUE(verdict(.1, .25).same_here.empty());
  EXPECT_EQ(verdict(.1, .105).same_here.size(), 1u) << "nobody could tell";
}

// Tangents made orthogonal to normals as another program left them, of any length.
TEST(Diagnosis, OrthogonalTangentsDoNotDependOnTheLengthOfNormals) {
  Random random(6);
  std::vector<Vec3d> raw, normals, theirs;
  for (int v = 0; v < 50; ++v) {
    raw.push_back(random.direction());
    const Vec3d n = random.direction();
    theirs.push_back(normalize(cross(cross(n, raw.back()), n)));  // the part of it across n
    normals.push_back(n * random.uniform(2, 50));
  }
  const std::vector<double> weights(raw.size(), 1.0);
  const std::vector<Explanation> e = {explanation("a", raw)};
  const Fit fit = diagnose({theirs, weights, {}, normals}, e, .5).fits[0];
  EXPECT_TRUE(fit.orthogonal);
  EXPECT_LT(fit.max, 1e-6);
}

// Lengths of 1 but for what formats round are unit, even where they happen to go with those of a transform.
TEST(Diagnosis, LengthsWithinTheRoundingOfFormatsAreUnit) {
  std::vector<Vec3d> theirs, transformed;
  for (int v = 0; v < 40; ++v) {
    const double sign = v % 2 == 0 ? 1 : -1;
    theirs.emplace_back(1 + sign * .015, 0, 0);
    transformed.emplace_back(1 + sign * .025, 0, 0);
  }
  const std::vector<Explanation> e = {explanation("standard", transformed)};
  const Lengths lengths = judge_lengths(theirs, e);
  EXPECT_EQ(lengths.finding, LengthFinding::unit);
  EXPECT_EQ(lengths.like, "");
  EXPECT_TRUE(lengths.telling);
}

// Seams: twins with the same position, normal and weights are one point of the surface, however often it is
// stored.
TEST(JudgeInput, UnindexedMeshesGiveTheSameErrors) {
  JudgeInput in = full_input();
  in.posed.clear();
  const Judgement indexed = judge(in);
  JudgeInput split;
  split.rig.influences = in.rig.influences;
  split.pose = in.pose;
  for (const Face& f : in.rig.faces) {
    const int first = static_cast<int>(split.rig.positions.size());
    split.rig.faces.push_back({first, first + 1, first + 2});
    for (const int corner : f) {
      const auto v = static_cast<std::size_t>(corner);
      split.rig.positions.push_back(in.rig.positions[v]);
      split.normals.push_back(in.normals[v]);
      split.rig.rest_normals.push_back(in.rig.rest_normals[v]);
      for (std::size_t k = 3 * v; k < 3 * v + 3; ++k) {
        split.rig.bones.push_back(in.rig.bones[k]);
        split.rig.weights.push_back(in.rig.weights[k]);
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
