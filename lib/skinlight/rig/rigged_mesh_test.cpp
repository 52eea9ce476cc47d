#include "skinlight/rig/rigged_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <ostream>
#include <string>

#include "testing/rigs.h"

namespace skinlight {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kRounding = 1e-15;  // one division

RiggedMesh good_mesh() {
  Random random(1);
  return test_rigs::bind(test_meshes::sphere(2), 4, 3, random);
}

std::size_t slot(const RiggedMesh& mesh, int v, int k) {
  return static_cast<std::size_t>(v) * static_cast<std::size_t>(mesh.slots) + static_cast<std::size_t>(k);
}

// validate: one mesh per thing that can be wrong.

struct Flaw {
  const char* name;
  std::function<void(RiggedMesh&)> spoil;
  const char* element;
  const char* reason;
};

void PrintTo(const Flaw& flaw, std::ostream* out) { *out << flaw.name; }

class Validate : public testing::TestWithParam<Flaw> {};

TEST_P(Validate, NamesWhatIsWrong) {
  RiggedMesh mesh = good_mesh();
  GetParam().spoil(mesh);
  try {
    validate(mesh);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), GetParam().element);
    EXPECT_THAT(e.reason(), HasSubstr(GetParam().reason));
  }
}

const Flaw kFlaws[] = {
    {"NoVertices", [](RiggedMesh& m) { m.p0.clear(); }, "mesh", "no vertices"},
    {"NoFaces", [](RiggedMesh& m) { m.faces.clear(); }, "mesh", "no faces"},
    {"NoSlots", [](RiggedMesh& m) { m.slots = 0; }, "mesh", "no influence slots"},
    {"NegativeSlots", [](RiggedMesh& m) { m.slots = -1; }, "mesh", "no influence slots"},
    {"NoBones", [](RiggedMesh& m) { m.bone_count = 0; }, "mesh", "no bones"},
    {"Normals", [](RiggedMesh& m) { m.n0.pop_back(); }, "normals", "expected 66"},
    {"Tangents", [](RiggedMesh& m) { m.t0.pop_back(); }, "tangents", "expected 66"},
    {"Bitangents", [](RiggedMesh& m) { m.b0.pop_back(); }, "bitangents", "expected 66"},
    {"Handedness", [](RiggedMesh& m) { m.handedness.pop_back(); }, "handedness", "expected 66"},
    {"FrameSource", [](RiggedMesh& m) { m.frame_source.pop_back(); }, "frame sources", "expected 66"},
    {"Uv", [](RiggedMesh& m) { m.uv.resize(65); }, "uv", "expected 66"},
    {"BoneSlots", [](RiggedMesh& m) { m.bone.pop_back(); }, "bone slots", "expected 198"},
    {"WeightSlots", [](RiggedMesh& m) { m.weight.pop_back(); }, "weight slots", "expected 198"},
    {"FaceTooLarge", [](RiggedMesh& m) { m.faces[7][1] = 66; }, "face 7", "vertex 66"},
    {"FaceNegative", [](RiggedMesh& m) { m.faces[7][2] = -1; }, "face 7", "vertex -1"},
    {"NanPosition", [](RiggedMesh& m) { m.p0[5].y = NAN; }, "vertex 5", "position is not finite"},
    {"InfinitePosition", [](RiggedMesh& m) { m.p0[5].z = INFINITY; }, "vertex 5", "position is not finite"},
    {"LongNormal", [](RiggedMesh& m) { m.n0[5] *= 1.01; }, "vertex 5", "normal has length 1.01"},
    {"ZeroNormal", [](RiggedMesh& m) { m.n0[5] = Vec3d(0.0); }, "vertex 5", "normal has length 0"},
    {"NanNormal", [](RiggedMesh& m) { m.n0[5].x = NAN; }, "vertex 5", "normal"},
    {"ShortTangent", [](RiggedMesh& m) { m.t0[5] *= .99; }, "vertex 5", "tangent has length"},
    {"NanTangent", [](RiggedMesh& m) { m.t0[5].x = NAN; }, "vertex 5", "tangent"},
    {"LongBitangent", [](RiggedMesh& m) { m.b0[5] *= 1.01; }, "vertex 5", "bitangent has length"},
    {"SkewTangent", [](RiggedMesh& m) { m.t0[5] = normalize(m.t0[5] + m.n0[5] * .01); }, "vertex 5",
     "not orthogonal"},
    {"SkewBitangent", [](RiggedMesh& m) { m.b0[5] = normalize(m.b0[5] + m.n0[5] * .01); }, "vertex 5",
     "not orthogonal"},
    {"WrongHandedness", [](RiggedMesh& m) { m.handedness[5] = -m.handedness[5]; }, "vertex 5", "handedness"},
    {"NoHandedness", [](RiggedMesh& m) { m.handedness[5] = 0; }, "vertex 5", "handedness"},
    {"HandednessNotASign", [](RiggedMesh& m) { m.handedness[5] *= 2; }, "vertex 5", "handedness"},
    {"ParallelTangents", [](RiggedMesh& m) { m.b0[5] = m.t0[5]; }, "vertex 5", "handedness"},
    {"BoneTooLarge", [](RiggedMesh& m) { m.bone[slot(m, 5, 1)] = 4; }, "vertex 5", "bone 4 does not exist"},
    {"BoneNegative", [](RiggedMesh& m) { m.bone[slot(m, 5, 2)] = -1; }, "vertex 5", "bone -1"},
    {"NanWeight", [](RiggedMesh& m) { m.weight[slot(m, 5, 1)] = NAN; }, "vertex 5", "weight is not finite"},
    {"InfiniteWeight", [](RiggedMesh& m) { m.weight[slot(m, 5, 0)] = INFINITY; }, "vertex 5",
     "weight is not finite"},
    {"NegativeWeight", [](RiggedMesh& m) { m.weight[slot(m, 5, 2)] = -.1; }, "vertex 5", "negative"},
    {"UnsortedWeights", [](RiggedMesh& m) { std::swap(m.weight[slot(m, 5, 0)], m.weight[slot(m, 5, 1)]); },
     "vertex 5", "descending"},
    {"SumTooSmall", [](RiggedMesh& m) { m.weight[slot(m, 5, 2)] = 0; }, "vertex 5", "weights sum to"},
    {"SumTooLarge", [](RiggedMesh& m) { m.weight[slot(m, 5, 0)] += .01; }, "vertex 5", "weights sum to"},
};

INSTANTIATE_TEST_SUITE_P(All, Validate, testing::ValuesIn(kFlaws),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(ValidateMesh, AcceptsGoodMeshesAndRoundingOfFiles) {
  RiggedMesh mesh = good_mesh();
  validate(mesh);
  mesh.uv.resize(mesh.p0.size());
  for (Vec3d& n : mesh.n0) n = Vec3d(Vec3f(n)) * 1.0005;
  for (double& w : mesh.weight) w = std::round(w * 65535) / 65535;
  validate(mesh);
}

TEST(ValidateMesh, NamesTheFirstWrongVertex) {
  RiggedMesh mesh = good_mesh();
  mesh.p0[9].x = mesh.p0[4].x = NAN;
  try {
    validate(mesh);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), "vertex 4");
  }
}

// normalize_weights: vertices of one slot list each.

struct Bound {
  std::vector<int> bone;
  std::vector<double> weight;
  std::vector<Warning> warnings;
};

RiggedMesh one_vertex(const std::vector<int>& bone, const std::vector<double>& weight) {
  RiggedMesh mesh;
  mesh.p0 = {Vec3d(0.0)};
  mesh.bone_count = 9;
  mesh.slots = static_cast<int>(bone.size());
  mesh.bone = bone;
  mesh.weight = weight;
  return mesh;
}

Bound normalized(const std::vector<int>& bone, const std::vector<double>& weight) {
  RiggedMesh mesh = one_vertex(bone, weight);
  Bound bound;
  normalize_weights(mesh, bound.warnings);
  bound.bone = mesh.bone;
  bound.weight = mesh.weight;
  return bound;
}

TEST(NormalizeWeights, GoodWeightsAreSortedWithoutWarning) {
  const Bound b = normalized({3, 1, 2}, {.25, .5, .25});
  EXPECT_THAT(b.bone, ElementsAre(1, 3, 2));  // equal weights keep the file's order
  EXPECT_THAT(b.weight, ElementsAre(.5, .25, .25));
  EXPECT_TRUE(b.warnings.empty());
}

TEST(NormalizeWeights, UnusedSlotsNameTheStrongestBone) {
  const Bound b = normalized({7, 2, 8}, {0, 1, 0});
  EXPECT_THAT(b.bone, ElementsAre(2, 2, 2));
  EXPECT_THAT(b.weight, ElementsAre(1, 0, 0));
  EXPECT_TRUE(b.warnings.empty());
}

TEST(NormalizeWeights, EqualBonesAreMerged) {
  const Bound b = normalized({3, 1, 3, 3}, {.25, .5, .125, .125});
  EXPECT_THAT(b.weight, ElementsAre(.5, .5, 0, 0));
  EXPECT_THAT(b.bone, ElementsAre(3, 1, 3, 3));
  ASSERT_EQ(b.warnings.size(), 1u);
  EXPECT_THAT(b.warnings[0].reason, HasSubstr("one bone in two slots"));
}

TEST(NormalizeWeights, NegativeWeightsAreRemoved) {
  const Bound b = normalized({1, 2, 3}, {.5, -.5, .5});
  EXPECT_THAT(b.bone, ElementsAre(1, 3, 1));
  EXPECT_THAT(b.weight, ElementsAre(.5, .5, 0));
  ASSERT_EQ(b.warnings.size(), 1u);
  EXPECT_THAT(b.warnings[0].reason, HasSubstr("negative"));
}

TEST(NormalizeWeights, WithoutPositiveWeightIsBoundToTheFirstSlot) {
  for (const double weight : {0.0, -.5}) {
    const Bound b = normalized({5, 2}, {weight, weight});
    EXPECT_THAT(b.bone, ElementsAre(5, 5));
    EXPECT_THAT(b.weight, ElementsAre(1, 0));
    EXPECT_THAT(b.warnings.back().reason, HasSubstr("no positive weight"));
  }
}

TEST(NormalizeWeights, SumsAreDividedOut) {
  const Bound b = normalized({1, 2}, {3, 1});
  EXPECT_THAT(b.weight, ElementsAre(.75, .25));
  ASSERT_EQ(b.warnings.size(), 1u);
  EXPECT_THAT(b.warnings[0].reason, HasSubstr("do not sum to 1"));
  const Bound tiny = normalized({1, 2}, {3e-310, 1e-310});
  EXPECT_NEAR(tiny.weight[0], .75, 1e-12);
}

TEST(NormalizeWeights, RoundingOfFilesIsDividedOutSilently) {
  const Bound b = normalized({1, 2}, {.5004, .5});
  EXPECT_NEAR(b.weight[0] + b.weight[1], 1, kRounding);
  EXPECT_TRUE(b.warnings.empty());
}

TEST(NormalizeWeights, WarningsCountVerticesAndNameTheFirst) {
  RiggedMesh mesh = good_mesh();
  for (const int v : {7, 9, 30}) mesh.weight[slot(mesh, v, 0)] += 1;
  std::vector<Warning> warnings = {{"vertex 0", "an older one", 1}};
  normalize_weights(mesh, warnings);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[1].element, "vertex 7");
  EXPECT_EQ(warnings[1].count, 3);
  validate(mesh);
}

TEST(NormalizeWeights, CountsEachVertexOncePerRepair) {
  const Bound merged = normalized({3, 3, 3, 1}, {.25, .25, .25, .25});
  ASSERT_EQ(merged.warnings.size(), 1u);
  EXPECT_EQ(merged.warnings[0].count, 1);
  const Bound negative = normalized({1, 2, 3}, {-.5, -.5, 1});
  ASSERT_EQ(negative.warnings.size(), 1u);
  EXPECT_EQ(negative.warnings[0].count, 1);
}

TEST(NormalizeWeights, UnusableInputNamesTheVertex) {
  const auto error = [](RiggedMesh mesh) -> std::string {
    std::vector<Warning> warnings;
    try {
      normalize_weights(mesh, warnings);
    } catch (const InputError& e) {
      return e.element() + ": " + e.reason();
    }
    return "accepted";
  };
  EXPECT_THAT(error(one_vertex({1, 2}, {NAN, 1})), HasSubstr("vertex 0: weight is not finite"));
  EXPECT_THAT(error(one_vertex({1, 2}, {1, INFINITY})), HasSubstr("vertex 0: weight is not finite"));
  EXPECT_THAT(error(one_vertex({1, 9}, {1, 0})), HasSubstr("vertex 0: bone 9 does not exist"));
  EXPECT_THAT(error(one_vertex({-1, 2}, {1, 0})), HasSubstr("vertex 0: bone -1 does not exist"));
  EXPECT_THAT(error(one_vertex({1, 2}, {1e308, 1.7e308})),
              HasSubstr("vertex 0: sum of weights is not finite"));
  EXPECT_THAT(error(one_vertex({}, {})), HasSubstr("no influence slots"));
  RiggedMesh short_mesh = one_vertex({1, 2}, {.5, .5});
  short_mesh.weight.pop_back();
  EXPECT_THAT(error(short_mesh), HasSubstr("weight slots"));
}

TEST(NormalizeWeights, RandomSlotsKeepTheirTotalsPerBone) {
  Random random(2);
  for (int round = 0; round < 500; ++round) {
    std::vector<int> bone;
    std::vector<double> weight;
    std::map<int, double> total;
    double sum = 0;
    for (int k = 0; k < 6; ++k) {
      bone.push_back(random.below(5));
      weight.push_back(random.below(3) == 0 ? 0 : random.uniform());
      total[bone.back()] += weight.back();
      sum += weight.back();
    }
    if (sum == 0) continue;
    const Bound b = normalized(bone, weight);
    std::map<int, double> after;
    for (std::size_t k = 0; k < 6; ++k) {
      after[b.bone[k]] += b.weight[k];
      if (k > 0) {
        EXPECT_GE(b.weight[k - 1], b.weight[k]);
      }
    }
    for (const auto& [s, w] : total) EXPECT_NEAR(after[s], w / sum, 1e-14);
  }
}

// limit_influences

TEST(LimitInfluences, KeepsTheStrongestRenormalisedAndReportsTheLoss) {
  RiggedMesh mesh = one_vertex({4, 3, 2, 1}, {.5, .25, .15, .1});
  mesh.p0.push_back(Vec3d(0.0));
  mesh.bone.insert(mesh.bone.end(), {1, 2, 3, 4});
  mesh.weight.insert(mesh.weight.end(), {.4, .2, .2, .2});
  EXPECT_NEAR(limit_influences(mesh, 2), .4, kRounding);
  EXPECT_EQ(mesh.slots, 2);
  EXPECT_THAT(mesh.bone, ElementsAre(4, 3, 1, 2));
  EXPECT_NEAR(mesh.weight[0], 2.0 / 3, kRounding);
  EXPECT_NEAR(mesh.weight[1], 1.0 / 3, kRounding);
  EXPECT_NEAR(mesh.weight[2], 2.0 / 3, kRounding);
}

TEST(LimitInfluences, EnoughSlotsChangeNothing) {
  for (const int slots : {3, 4}) {
    RiggedMesh mesh = good_mesh();
    EXPECT_EQ(limit_influences(mesh, slots), 0);
    EXPECT_EQ(mesh.weight, good_mesh().weight);
    EXPECT_EQ(mesh.slots, 3);
  }
}

TEST(LimitInfluences, ResultIsValid) {
  for (const int slots : {1, 2}) {
    RiggedMesh mesh = good_mesh();
    EXPECT_GT(limit_influences(mesh, slots), 0);
    validate(mesh);
  }
}

TEST(LimitInfluences, LimitBelowOneIsAnError) {
  for (const int slots : {0, -1}) {
    RiggedMesh mesh = good_mesh();
    EXPECT_THROW(limit_influences(mesh, slots), InputError);
  }
}

// weld

RiggedMesh twins() {
  RiggedMesh mesh = one_vertex({1, 2}, {.75, .25});
  mesh.p0.push_back(mesh.p0[0]);
  mesh.n0 = {{0, 0, 1}, {0, 0, 1}};
  mesh.bone.insert(mesh.bone.end(), {1, 2});
  mesh.weight.insert(mesh.weight.end(), {.75, .25});
  return mesh;
}

TEST(WeldMesh, UvSeamsAndLayoutJoin) {
  RiggedMesh mesh = twins();
  mesh.uv = {{0, 0}, {1, 0}};
  EXPECT_THAT(weld(mesh), ElementsAre(0, 0));
}

TEST(WeldMesh, HardEdgesStayApart) {
  RiggedMesh mesh = twins();
  mesh.n0[1] = {0, std::sin(M_PI / 180), std::cos(M_PI / 180)};
  EXPECT_THAT(weld(mesh), ElementsAre(0, 1));
  mesh.n0[1] = normalize(Vec3d(0, 1e-4, 1));  // rounding of 16-bit normals
  EXPECT_THAT(weld(mesh), ElementsAre(0, 0));
}

TEST(WeldMesh, DifferentWeightsStayApart) {
  RiggedMesh mesh = twins();
  mesh.weight[2] = .7;
  mesh.weight[3] = .3;
  EXPECT_THAT(weld(mesh), ElementsAre(0, 1));
}

TEST(WeldMesh, DifferentBonesStayApart) {
  RiggedMesh mesh = twins();
  mesh.bone[3] = 3;
  EXPECT_THAT(weld(mesh), ElementsAre(0, 1));
}

TEST(WeldMesh, SlotOrderAndUnusedSlotsDoNotMatter) {
  RiggedMesh mesh = twins();
  mesh.weight = {.5, .5, .5, .5};
  std::swap(mesh.bone[2], mesh.bone[3]);
  EXPECT_THAT(weld(mesh), ElementsAre(0, 0));
  mesh.weight = {1, 0, 1, 0};
  mesh.bone = {1, 1, 1, 5};
  EXPECT_THAT(weld(mesh), ElementsAre(0, 0));
}

TEST(WeldMesh, DistantPositionsStayApart) {
  RiggedMesh mesh = twins();
  mesh.p0[1].x = 1e-12;
  EXPECT_THAT(weld(mesh), ElementsAre(0, 1));
}

// compute_tangent_frames

TEST(MeshTangentFrames, SplitVerticesWithEqualUvShareTheirFrame) {
  Random random(3);
  const test_meshes::TriangleMesh plane = test_meshes::terrain(4, .2, random);
  RiggedMesh indexed = test_rigs::bind(plane, 2, 2, random), soup;
  for (const Vec3d& p : indexed.p0) indexed.uv.emplace_back(p.x, p.y);
  for (const Face& f : indexed.faces) {
    const int first = soup.vertex_count();
    soup.faces.push_back({first, first + 1, first + 2});
    for (const int v : f) {
      soup.p0.push_back(indexed.p0[static_cast<std::size_t>(v)]);
      soup.n0.push_back(indexed.n0[static_cast<std::size_t>(v)]);
      soup.uv.push_back(indexed.uv[static_cast<std::size_t>(v)]);
    }
  }
  compute_tangent_frames(indexed);
  compute_tangent_frames(soup);
  for (std::size_t f = 0; f < indexed.faces.size(); ++f)
    for (std::size_t c = 0; c < 3; ++c) {
      const auto v = static_cast<std::size_t>(indexed.faces[f][c]);
      EXPECT_LT(length(soup.t0[3 * f + c] - indexed.t0[v]), 1e-12);
      EXPECT_EQ(soup.frame_source[3 * f + c], FrameSource::uv);
      EXPECT_EQ(soup.handedness[3 * f + c], 1);
    }
}

// Faces without area in the texture turn neither way: beside a mirrored one they leave its vertex on its side of the seam.
TEST(MeshTangentFrames, FacesWithoutAreaInTheTextureTakeNoSide) {
  RiggedMesh mesh;
  mesh.p0 = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {-1, 0, 0}};
  mesh.uv = {{0, 0}, {-1, 0}, {0, 1}, {0, 0}, {1, .5}, {0, -1}, {0, 0}, {0, 0}};
  mesh.n0.assign(8, Vec3d(0, 0, 1));
  mesh.faces = {{0, 1, 2}, {3, 4, 5}, {3, 6, 7}};
  compute_tangent_frames(mesh);
  EXPECT_LT(length(mesh.t0[0] - mesh.t0[3]), 1e-12);
  EXPECT_GT(std::abs(mesh.t0[0].y), .01);  // of both
  for (std::size_t v = 0; v < 6; ++v) EXPECT_EQ(mesh.handedness[v], -1);
}

TEST(MeshTangentFrames, WithoutUvAreArbitraryAndValid) {
  const RiggedMesh mesh = good_mesh();  // bound without uv
  for (const FrameSource source : mesh.frame_source) EXPECT_EQ(source, FrameSource::arbitrary);
  validate(mesh);
}

}  // namespace
}  // namespace skinlight
