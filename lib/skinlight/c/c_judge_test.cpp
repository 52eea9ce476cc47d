// What crosses the C interface: every array, option and answer, against judge() called with the same rig.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "skinlight.h"
#include "skinlight/audit/judge.h"
#include "skinlight/core/random.h"

namespace skinlight {
namespace {

constexpr int kRows = 6, kVertices = 2 * kRows, kSlots = 3;

// A strip along y over three bones, told twice: as the C++ interface and as the C interface want it. Numbers
// are floats, so that both are told the same.
struct Twice {
  JudgeInput ours;
  std::vector<float> positions, weights, pose, rest_normals, rest_tangents, uv, posed, normals, tangents;
  std::vector<std::uint32_t> faces, bones;
  skinlight_rig_arrays rig = {};
  skinlight_judge_input theirs = {};  // without the rig
};

float single(double x) { return static_cast<float>(x); }

Vec3d add(std::vector<float>& to, Vec3d v) {
  for (int c = 0; c < 3; ++c) to.push_back(single(v[c]));
  const float* last = to.data() + to.size() - 3;
  return {last[0], last[1], last[2]};
}

double add(std::vector<float>& to, double x) {
  to.push_back(single(x));
  return to.back();
}

// `spread`: how far directions are from the rest ones.
Twice strip(Random& random, double spread, bool bones_alike) {
  Twice both;
  JudgeInput& in = both.ours;
  in.rig.influences = kSlots;
  for (int v = 0; v < kVertices; ++v) {
    const double x = v % 2, y = v / 2;
    const double sign = v % 3 == 0 ? -1 : 1;
    in.rig.positions.push_back(add(both.positions, Vec3d(x, y, 0) + random.in_cube(.1)));
    in.posed.push_back(add(both.posed, Vec3d(x, .9 * y, .2 * y * y) + random.in_cube(.05)));
    in.rig.rest_normals.push_back(add(both.rest_normals, Vec3d(0, 0, 1) + random.in_cube(.2)));
    in.rig.rest_tangents.push_back(add(both.rest_tangents, Vec3d(1, 0, 0) + random.in_cube(.2)));
    in.rig.rest_sides.push_back(add(both.rest_tangents, sign));
    const double u = add(both.uv, x + random.uniform(0, .2)), w = add(both.uv, y + random.uniform(0, .2));
    in.rig.uv.emplace_back(u, w);
    in.normals.push_back(add(both.normals, Vec3d(0, 0, 2) + random.direction() * spread));
    in.tangents.push_back(add(both.tangents, Vec3d(1, 0, 0) + random.direction() * spread));
    in.sides.push_back(add(both.tangents, v % 4 == 0 ? -sign : sign));
    for (const int bone : {2, 0, 1}) {
      in.rig.bones.push_back(bone);
      both.bones.push_back(static_cast<std::uint32_t>(bone));
    }
    const double first = .25 * (v % 3), second = .25;
    for (const double weight : {first, second, 1 - first - second})
      in.rig.weights.push_back(add(both.weights, weight));
  }
  for (int row = 0; row + 1 < kRows; ++row)
    for (const Face& face :
         {Face{2 * row, 2 * row + 1, 2 * row + 2}, Face{2 * row + 2, 2 * row + 1, 2 * row + 3}}) {
      in.rig.faces.push_back(face);
      for (const int corner : face) both.faces.push_back(static_cast<std::uint32_t>(corner));
    }
  for (int b = 0; b < 3; ++b) {
    const double angle = bones_alike ? 0 : .4 * b;
    const float c = single(std::cos(angle)), s = single(std::sin(angle)), z = single(.3);
    in.pose.emplace_back(Vec3d(1, 0, 0), Vec3d(0, c, s), Vec3d(0, -s, c), Vec3d(0, 0, z));
    both.pose.insert(both.pose.end(), {1, 0, 0, 0, 0, c, -s, 0, 0, s, c, z});
  }
  skinlight_rig_arrays& rig = both.rig;
  rig.struct_size = sizeof rig;
  rig.vertex_count = kVertices;
  rig.face_count = in.rig.faces.size();
  rig.bone_count = 3;
  rig.influences = kSlots;
  rig.positions = skinlight_floats(both.positions.data());
  rig.faces = skinlight_indices(both.faces.data());
  rig.bones = skinlight_indices(both.bones.data());
  rig.weights = skinlight_floats(both.weights.data());
  rig.normals = skinlight_floats(both.rest_normals.data());
  rig.tangents = skinlight_floats(both.rest_tangents.data());
  rig.uv = skinlight_floats(both.uv.data());
  skinlight_judge_input& to = both.theirs;
  to.struct_size = sizeof to;
  to.pose = skinlight_floats(both.pose.data());
  to.posed_positions = skinlight_floats(both.posed.data());
  to.normals = skinlight_floats(both.normals.data());
  to.tangents = skinlight_floats(both.tangents.data());
  return both;
}

std::int32_t expected_kind(ExplanationKind kind) {
  return kind == ExplanationKind::correct         ? SKINLIGHT_CORRECT
         : kind == ExplanationKind::approximation ? SKINLIGHT_APPROXIMATION
                                                  : SKINLIGHT_MISTAKE;
}

std::int32_t expected_lengths(LengthFinding finding) {
  return finding == LengthFinding::unit             ? SKINLIGHT_UNIT
         : finding == LengthFinding::constant       ? SKINLIGHT_CONSTANT
         : finding == LengthFinding::not_normalised ? SKINLIGHT_NOT_NORMALISED
                                                    : SKINLIGHT_UNEXPLAINED_LENGTHS;
}

void expect_errors(const skinlight_report* report, std::int32_t subject, std::int32_t truth,
                   const NormalError& e) {
  skinlight_errors got = {};
  got.struct_size = sizeof got;
  ASSERT_EQ(skinlight_report_errors(report, subject, truth, &got), SKINLIGHT_OK);
  EXPECT_EQ(got.mean, e.mean);
  EXPECT_EQ(got.rms, e.rms);
  EXPECT_EQ(got.p95, e.p95);
  EXPECT_EQ(got.p99, e.p99);
  EXPECT_EQ(got.max, e.max);
  EXPECT_EQ(got.worst_vertex, static_cast<std::uint64_t>(e.worst_vertex));
  EXPECT_EQ(got.flips, static_cast<std::uint64_t>(e.flips));
}

void expect_judged(const skinlight_report* report, std::int32_t subject, const Judged& of, int wrong_signs) {
  expect_errors(report, subject, SKINLIGHT_TRANSPORTED, of.transported);
  const Verdict& v = of.diagnosis.verdict;
  skinlight_verdict verdict = {};
  verdict.struct_size = sizeof verdict;
  ASSERT_EQ(skinlight_report_verdict(report, subject, &verdict), SKINLIGHT_OK);
  EXPECT_EQ(verdict.kind, v.explained ? expected_kind(v.kind) : SKINLIGHT_UNEXPLAINED);
  EXPECT_EQ(verdict.clear, v.clear ? 1 : 0);
  EXPECT_EQ(verdict.fit, static_cast<std::uint64_t>(v.named));
  EXPECT_EQ(verdict.next, v.next);
  EXPECT_EQ(verdict.undecided, v.undecided ? 1 : 0);
  EXPECT_EQ(verdict.lengths, expected_lengths(of.lengths.finding));
  EXPECT_EQ(verdict.min_length, of.lengths.min);
  EXPECT_EQ(verdict.max_length, of.lengths.max);
  EXPECT_EQ(verdict.wrong_signs, static_cast<std::uint64_t>(wrong_signs));

  const std::size_t count = of.diagnosis.fits.size();
  ASSERT_EQ(skinlight_report_fit_count(report, subject), count);
  skinlight_fit fit = {};
  fit.struct_size = sizeof fit;
  EXPECT_EQ(skinlight_report_fit(report, subject, count, &fit), SKINLIGHT_BAD_CALL) << "one past the last";
  for (std::size_t i = 0; i < count; ++i) {
    const Fit& f = of.diagnosis.fits[i];
    ASSERT_EQ(skinlight_report_fit(report, subject, i, &fit), SKINLIGHT_OK);
    EXPECT_EQ(fit.id, f.id);
    EXPECT_EQ(fit.what, f.what);
    EXPECT_EQ(fit.advice, f.advice);
    EXPECT_EQ(fit.kind, expected_kind(f.kind));
    bool same = false;
    for (const int other : v.same_here) same = same || other == static_cast<int>(i);
    EXPECT_EQ(fit.same, same ? 1 : 0);
    EXPECT_EQ(fit.mean, f.mean);
    EXPECT_EQ(fit.p95, f.p95);
    EXPECT_EQ(fit.max, f.max);
    EXPECT_EQ(fit.share, f.share);
  }
}

// Judges on both ways; returns what the C++ interface says.
Judgement expect_same(const Twice& both) {
  skinlight_report* report = nullptr;
  skinlight_judge_input input = both.theirs;
  input.rig = &both.rig;
  EXPECT_EQ(skinlight_judge(&input, &report), SKINLIGHT_OK) << skinlight_error_text();
  Judgement expected = judge(both.ours);
  if (report == nullptr) return expected;
  expect_judged(report, SKINLIGHT_NORMALS, expected.normals, 0);
  expect_errors(report, SKINLIGHT_NORMALS, SKINLIGHT_RECOMPUTED, expected.normals.recomputed);
  expect_judged(report, SKINLIGHT_TANGENTS, expected.tangents, expected.sides.wrong);
  EXPECT_EQ(skinlight_report_text(report), judgement_text(expected));
  skinlight_report_free(report);
  return expected;
}

TEST(CJudge, EveryArrayAndAnswerCrossesUnchanged) {
  Random random(11);
  const Judgement wild = expect_same(strip(random, 6, false));
  EXPECT_GT(wild.normals.transported.flips, 0);
  EXPECT_FALSE(wild.normals.diagnosis.verdict.explained);
  EXPECT_GT(wild.sides.wrong, 0);
}

TEST(CJudge, VerdictsCrossUnchanged) {
  // Bones that only move along z leave normals as they are: nobody can tell many explanations apart.
  Random random(12);
  Twice both = strip(random, 0, true);
  both.theirs.normals = skinlight_floats(both.rest_normals.data());
  both.ours.normals = both.ours.rig.rest_normals;
  both.theirs.posed_positions = {};
  both.ours.posed.clear();
  const Verdict verdict = expect_same(both).normals.diagnosis.verdict;
  EXPECT_TRUE(verdict.explained);
  EXPECT_TRUE(verdict.undecided);
  EXPECT_TRUE(verdict.clear);
  EXPECT_GT(verdict.next, 0);
}

TEST(CJudge, UvAreUsedWhereThereAreNoRestTangents) {
  Random random(13);
  Twice both = strip(random, 1, false);
  both.rig.tangents = {};
  both.ours.rig.rest_tangents.clear();
  both.ours.rig.rest_sides.clear();
  expect_same(both);
}

TEST(CJudge, ToleranceAndMethodCross) {
  Random random(14);
  Twice both = strip(random, 1, false);
  both.theirs.posed_positions = {};
  both.ours.posed.clear();
  both.theirs.tolerance = both.ours.tolerance = 30;
  const std::vector<std::pair<std::int32_t, Method>> methods = {
      {SKINLIGHT_LBS, Method::lbs}, {SKINLIGHT_DQS, Method::dqs}, {SKINLIGHT_CRS, Method::crs},
      {SKINLIGHT_SBS, Method::sbs}, {SKINLIGHT_LOG, Method::log}, {SKINLIGHT_DIB, Method::dib}};
  for (const auto& [constant, method] : methods) {
    both.theirs.method = constant;
    both.ours.method = method;
    expect_same(both);
  }
}

TEST(CJudge, MorphTargetsCross) {
  Random random(15);
  Twice both = strip(random, 1, false);
  both.theirs.posed_positions = {};
  both.ours.posed.clear();
  std::vector<float> targets;
  for (int m = 0; m < 2; ++m) {
    MorphTarget& target = both.ours.morphs.emplace_back();
    for (int v = 0; v < kVertices; ++v) {
      const bool is_moved = v % 3 != m;
      target.dp.push_back(add(targets, is_moved ? random.in_cube(.4) : Vec3d(0.0)));
      target.vertex.push_back(v);
    }
  }
  both.rig.morph_count = 2;
  both.rig.morphs = skinlight_floats(targets.data());
  both.ours.morph_weights = {0, 0};
  const double still = expect_same(both).normals.transported.mean;
  std::vector<float> weights;
  for (double& weight : both.ours.morph_weights) weight = add(weights, random.uniform(.2, 1));
  both.theirs.morph_weights = skinlight_floats(weights.data());
  const double moved = expect_same(both).normals.transported.mean;
  EXPECT_NE(moved, still);
}

TEST(CJudge, KeptInfluencesCross) {
  Random random(16);
  Twice both = strip(random, 1, false);
  both.theirs.posed_positions = {};
  both.ours.posed.clear();
  const Judgement whole = expect_same(both);
  both.theirs.influences = both.ours.influences = 1;
  both.theirs.slots = both.ours.slots = 1;
  const Judgement kept = expect_same(both);
  EXPECT_EQ(whole.influences, kSlots);
  EXPECT_EQ(kept.influences, 1);
  EXPECT_NE(kept.normals.transported.mean, whole.normals.transported.mean);
}

void expect_refused(const Twice& both, const std::string& text) {
  skinlight_report* report = nullptr;
  skinlight_judge_input input = both.theirs;
  input.rig = &both.rig;
  EXPECT_EQ(skinlight_judge(&input, &report), SKINLIGHT_BAD_INPUT) << text;
  EXPECT_EQ(skinlight_error_text(), text);
}

TEST(CJudge, UnusableMorphWeightsAndInfluencesAreNamed) {
  Random random(17);
  Twice both = strip(random, 1, false);
  const std::vector<float> weights = {1, std::numeric_limits<float>::quiet_NaN()};
  both.theirs.morph_weights = skinlight_floats(weights.data());
  expect_refused(both, "morph weights: the rig has no morph targets");
  const std::vector<float> targets(std::size_t{2} * 3 * kVertices, 0);
  both.rig.morph_count = 2;
  both.rig.morphs = skinlight_floats(targets.data());
  expect_refused(both, "morph weight 1: is not finite");
  both.theirs.morph_weights = {};
  both.theirs.influences = -1;
  expect_refused(both, "influences: -1 is out of range");
  both.theirs.influences = 2;
  both.theirs.slots = 1;
  expect_refused(both, "slots: 1 is less than the 2 influences per vertex; limit the influences first");
}

TEST(CJudge, AFailedCallLeavesNoReport) {
  int elsewhere = 0;
  auto* report = reinterpret_cast<skinlight_report*>(&elsewhere);
  EXPECT_EQ(skinlight_judge(nullptr, &report), SKINLIGHT_BAD_CALL);
  EXPECT_EQ(report, nullptr);
}

}  // namespace
}  // namespace skinlight
