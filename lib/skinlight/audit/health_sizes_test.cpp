// Findings about weights and meshes name the worst element with its size, whichever comes first and in
// whatever unit the rig is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"
#include "testing/health.h"

namespace skinlight {
namespace {

using namespace test_health;
using testing::HasSubstr;
using testing::Not;

constexpr double kRounding = 1e-9;

TEST(HealthSizes, TheWorstVertexIsNamedWhicheverComesFirst) {
  struct Plant {
    std::string kind;
    std::vector<int> bones;
    std::vector<double> small, large;
    double size;
  };
  for (const Plant& plant : {Plant{"weights-negative", {0, 1}, {1.1, -.1}, {1.3, -.3}, .3},
                             Plant{"weights-unnormalised", {0, 1}, {.9, 0}, {.4, 0}, .6},
                             Plant{"joints-duplicate", {0, 0}, {.9, .1}, {.6, .4}, .4}})
    for (const bool first : {true, false}) {
      Model model = pill_model();
      const int v = rigid_vertex(model.mesh);
      set_weights(model.mesh, v, plant.bones, first ? plant.large : plant.small);
      set_weights(model.mesh, v + 1, plant.bones, first ? plant.small : plant.large);
      const Finding f = finding(health_of(model), plant.kind);
      EXPECT_EQ(f.index, first ? v : v + 1) << plant.kind;
      EXPECT_NEAR(f.size, plant.size, kRounding) << plant.kind;
      EXPECT_EQ(f.count, 2) << plant.kind;
    }
}

TEST(HealthSizes, WeightsThatAreInfiniteOrAllNegative) {
  for (const double w : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    EXPECT_EQ(kinds(health_of(pill_model(), [&](RawAttributes& raw) { raw.weight[10] = w; })),
              with(kNothingWrong, "weights-not-finite"));
  Model model = pill_model();
  const int v = rigid_vertex(model.mesh);
  set_weights(model.mesh, v, {0, 1}, {-.5, -.25});
  const Health negative = health_of(model);
  EXPECT_EQ(kinds(negative), with(with(kNothingWrong, "weights-negative"), "weights-zero"));
  EXPECT_NEAR(finding(negative, "weights-negative").size, .5, kRounding);
  set_weights(model.mesh, v, {0, 1}, {1, -1});
  EXPECT_EQ(kinds(health_of(model)), with(with(kNothingWrong, "weights-negative"), "weights-unnormalised"))
      << "one weight is positive";
}

TEST(HealthSizes, TheLargestJumpOfAVertexIsTold) {
  const double tiny = 1e-3, box = std::sqrt(4. + 4. + 49.);
  for (const bool first : {true, false}) {
    Model model = pill_model();
    model.clips = {at_rest()};
    const double ab = first ? tiny / 2 : tiny, ac = first ? tiny : tiny / 2;
    const int v = append_triangle(model.mesh, {0, 0, 4}, {ab, 0, 4}, {0, ac, 4}, kUnwrapped);
    set_weights(model.mesh, v, {1, 0}, {1, 0});
    for (const Model& rig : {model, enlarged(model)}) {
      const Finding f = finding(health_of(rig), "weights-jump");
      EXPECT_EQ(f.index, v);
      EXPECT_NEAR(f.size, box / (tiny / 2), 1e-3 * f.size);
      EXPECT_EQ(f.detail, "towards mesh vertex " + std::to_string(first ? v + 1 : v + 2));
    }
  }
}

TEST(HealthSizes, TwinsOnOneTriangleTearButDoNotJump) {
  Model model = pill_model();
  model.clips = {at_rest()};
  const int v = append_triangle(model.mesh, {0, 0, 4}, {1, 0, 4}, {0, 1, 4}, kUnwrapped);
  model.mesh.p0[at(v + 1)] = model.mesh.p0[at(v)];
  set_weights(model.mesh, v + 1, {1, 0}, {1, 0});
  const Health health = health_of(model);
  EXPECT_EQ(kinds(health), with(with(kNothingWrongUnbent, "twins-split-weights"), "triangles-degenerate"));
  EXPECT_EQ(finding(health, "twins-split-weights").size, 1);
  EXPECT_EQ(finding(health, "twins-split-weights").detail, "its twin is mesh vertex " + std::to_string(v));
}

TEST(HealthSizes, WeightsOfTwinsMayDifferByTheRoundingOfFloats) {
  Model model = pill_model();
  const int v = seam_vertex(model.mesh);
  set_weights(model.mesh, v, {0, 1}, {1 - 5e-7, 5e-7});
  EXPECT_EQ(kinds(health_of(model)).count("twins-split-weights"), 0u);
  set_weights(model.mesh, v, {0, 1}, {1 - 5e-6, 5e-6});
  EXPECT_NEAR(finding(health_of(model), "twins-split-weights").size, 5e-6, kRounding);
}

TEST(HealthSizes, TheSharpestOfSeveralCornersIsTold) {
  for (const bool first : {true, false}) {
    Model model = pill_model();
    const Vec3d tip(0, 0, 4);
    const int v = append_triangle(model.mesh, tip, {1, 0, 4}, {0, 1, 4}, kUnwrapped);
    for (const double degrees : {first ? 30.0 : 10.0, first ? 10.0 : 30.0}) {
      const double a = degrees / kDegrees;
      // Turned about x, apart from the others but for the tip.
      append_triangle(model.mesh, tip, tip + Vec3d(-degrees, 0, 0),
                      tip + Vec3d(0, -degrees * std::cos(a), -degrees * std::sin(a)), kUnwrapped);
    }
    const Health health = health_of(model);
    EXPECT_EQ(finding(health, "hard-edges").index, v);
    EXPECT_NEAR(finding(health, "hard-edges").size, 30, 1e-6);
    EXPECT_EQ(finding(health, "positions-split").index, v);
    EXPECT_EQ(finding(health, "positions-split").size, 3) << "the seam's have 2 vertices each";
  }
}

TEST(HealthSizes, MeshesWithoutSharedVerticesAreTold) {
  Model model = pill_model();
  EXPECT_THAT(finding(health_of(model), "positions-split").detail, Not(HasSubstr("every corner")));
  RiggedMesh split;
  split.bone_count = model.mesh.bone_count;
  split.slots = model.mesh.slots;
  for (const Face& face : model.mesh.faces) {
    const int first = split.vertex_count();
    split.faces.push_back({first, first + 1, first + 2});
    for (const int v : face) {
      split.p0.push_back(model.mesh.p0[at(v)]);
      split.n0.push_back(model.mesh.n0[at(v)]);
      split.uv.push_back(model.mesh.uv[at(v)]);
      for (std::size_t k = 0; k < at(split.slots); ++k) {
        split.bone.push_back(model.mesh.bones_of(v)[k]);
        split.weight.push_back(model.mesh.weights_of(v)[k]);
      }
    }
  }
  compute_tangent_frames(split);
  model.mesh = split;
  EXPECT_THAT(finding(health_of(model), "positions-split").detail, HasSubstr("every corner"));
}

TEST(HealthSizes, ThinTrianglesAreMeasuredByTheirLongestEdgeWhereverTheyStart) {
  const auto health_with = [](Vec3d p, Vec3d q, Vec3d r, const std::vector<Vec2d>& uv) {
    Model model = pill_model();
    append_triangle(model.mesh, p, q, r, uv);
    return health_of(model);
  };
  std::vector<Vec3d> corner = {{0, 0, 4}, {1, 0, 4}, {.1, 1. / 2000, 4}};
  for (int turn = 0; turn < 3; ++turn) {
    const Health health = health_with(corner[0], corner[1], corner[2], kUnwrapped);
    EXPECT_NEAR(finding(health, "triangles-sliver").size, 2000, 1e-6);
    EXPECT_THAT(finding(health, "triangles-sliver").detail, HasSubstr("it starts at mesh vertex"));
    std::rotate(corner.begin(), corner.begin() + 1, corner.end());
  }
  // Flat is what floats cannot tell from a line.
  EXPECT_EQ(kinds(health_with({0, 0, 4}, {1, 0, 4}, {.5, 5e-7, 4}, kUnwrapped)),
            with(kNothingWrong, "triangles-degenerate"));
  EXPECT_EQ(kinds(health_with({0, 0, 4}, {1, 0, 4}, {.5, 2e-6, 4}, kUnwrapped)),
            with(kNothingWrong, "triangles-sliver"));
  EXPECT_EQ(kinds(health_with({0, 0, 4}, {1, 0, 4}, {0, 1, 4}, {{0, 0}, {1, 0}, {.5, 5e-7}})),
            with(kNothingWrong, "uv-degenerate"));
  EXPECT_EQ(kinds(health_with({0, 0, 4}, {1, 0, 4}, {0, 1, 4}, {{0, 0}, {1, 0}, {.5, 2e-6}})), kNothingWrong);
}

TEST(HealthSizes, TheWorstSliverIsNamedWhicheverComesFirst) {
  for (const bool first : {true, false}) {
    Model model = pill_model();
    const int before = static_cast<int>(model.mesh.faces.size());
    for (const double thin : {first ? 5000.0 : 2000.0, first ? 2000.0 : 5000.0})
      append_triangle(model.mesh, {0, thin, 4}, {1, thin, 4}, {.5, thin + 1 / thin, 4}, kUnwrapped);
    const Finding f = finding(health_of(model), "triangles-sliver");
    EXPECT_EQ(f.index, first ? before : before + 1);
    EXPECT_NEAR(f.size, 5000, 1e-4);
  }
}

TEST(HealthSizes, HandednessIsComparedWhereTheTextureTellsIt) {
  const Kinds kWithTangents = {"positions-split", "standard-normals-off"};
  Model model = pill_model();
  const int v = append_triangle(model.mesh, {0, 0, 4}, {1, 0, 4}, {0, 1, 4}, {{.5, .5}, {.5, .5}, {.5, .5}});
  for (FrameSource& source : model.mesh.frame_source) source = FrameSource::file;
  for (const double sign : {1.0, -1.0})
    EXPECT_EQ(kinds(health_of(model, [&](RawAttributes& raw) { raw.tangent_sign[at(v)] = sign; })),
              with(kWithTangents, "uv-degenerate"));
  Model whole = pill_model();  // without its poles, where the texture tells nothing
  whole.mesh = RiggedMesh();
  whole.mesh.bone_count = whole.mesh.slots = 2;
  for (const double z : {4, 5}) append_triangle(whole.mesh, {0, 0, z}, {1, 0, z}, {0, 1, z}, kUnwrapped);
  for (FrameSource& source : whole.mesh.frame_source) source = FrameSource::file;
  const auto reversed = [&](int count) {
    return health_of(whole, [&](RawAttributes& raw) {
      for (int i = 0; i < count; ++i) raw.tangent_sign[at(i)] *= -1;
    });
  };
  EXPECT_EQ(finding(reversed(2), "tangents-handedness").detail, "");
  EXPECT_THAT(finding(reversed(whole.mesh.vertex_count()), "tangents-handedness").detail,
              HasSubstr("all of them"));
}

TEST(HealthSizes, VerticesAreNamedWithinTheirPrimitive) {
  const Model model = pill_model();
  const auto name_of = [&](int v) {
    return finding(
               health_of(model,
                         [&](RawAttributes& raw) {
                           raw.primitives = {{"mesh 0 primitive 0", 0, 40}, {"mesh 0 primitive 1", 40, 60}};
                           raw.normal[at(v)] = Vec3d(0.0);
                         }),
               "normals-missing")
        .name;
  };
  EXPECT_EQ(name_of(39), "mesh 0 primitive 0 vertex 39");
  EXPECT_EQ(name_of(40), "mesh 0 primitive 1 vertex 0");
  EXPECT_EQ(name_of(99), "mesh 0 primitive 1 vertex 59");
  EXPECT_EQ(name_of(100), "vertex 100") << "of no primitive";
}

TEST(HealthSizes, EveryArrayOfRawAttributesHasToFit) {
  const auto refused = [](const std::function<void(RawAttributes&)>& spoil) {
    EXPECT_THROW(health_of(pill_model(), spoil), InputError);
  };
  refused([](RawAttributes& raw) { raw.tangent.pop_back(); });
  refused([](RawAttributes& raw) { raw.tangent_sign.pop_back(); });
  refused([](RawAttributes& raw) { raw.bone.pop_back(); });
  refused([](RawAttributes& raw) { raw.slots = -1; });
}

}  // namespace
}  // namespace skinlight
