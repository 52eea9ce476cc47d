#include "skinlight/character/rig_arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "skinlight/core/error.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

constexpr double kRounding = 1e-15;  // a few operations on directions, in double
constexpr int kBones = 3;

// Two squares, larger than 1, that meet at a right angle in the y axis; each has vertices of its own there.
RigArrays corner() {
  RigArrays in;
  in.positions = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}, {0, 0, 0}, {0, 3, 0}, {0, 3, -2}, {0, 0, -2}};
  in.faces = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
  in.influences = 2;
  for (int v = 0; v < 8; ++v) {
    in.bones.insert(in.bones.end(), {v % kBones, (v + 1) % kBones});
    in.weights.insert(in.weights.end(), {.25, .75});
  }
  return in;
}

RiggedMesh made(const RigArrays& in) {
  std::vector<Warning> warnings;
  RiggedMesh mesh = rigged_mesh(in, kBones, warnings);
  EXPECT_TRUE(warnings.empty());
  return mesh;
}

void expect_refused(const std::function<void(RigArrays&)>& broken, const std::string& element,
                    const std::string& reason) {
  RigArrays in = corner();
  in.rest_normals.assign(8, Vec3d(0, 0, 2));
  in.rest_tangents.assign(8, Vec3d(3, 0, 1));
  in.rest_sides.assign(8, 1.0);
  in.uv.assign(8, Vec2d(.5, .5));
  made(in);
  broken(in);
  std::vector<Warning> warnings;
  try {
    rigged_mesh(in, kBones, warnings);
    ADD_FAILURE() << "accepted, expected: " << element << ": " << reason;
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), element);
    EXPECT_THAT(e.reason(), HasSubstr(reason));
  }
}

TEST(RigArrays, ArraysThatDoNotBelongTogetherAreNamed) {
  expect_refused([](auto& in) { in.positions.clear(); }, "positions", "are empty");
  expect_refused([](auto& in) { in.faces.clear(); }, "faces", "are empty");
  expect_refused([](auto& in) { in.influences = 0; }, "weights", "have no slots");
  expect_refused([](auto& in) { in.bones.pop_back(); }, "bones", "has 15 entries, expected 16");
  expect_refused([](auto& in) { in.weights.pop_back(); }, "weights", "has 15 entries, expected 16");
  expect_refused([](auto& in) { in.rest_normals.pop_back(); }, "rest normals", "has 7 entries, expected 8");
  expect_refused([](auto& in) { in.rest_tangents.pop_back(); }, "rest tangents", "has 7 entries, expected 8");
  expect_refused([](auto& in) { in.rest_sides.pop_back(); }, "rest tangents' w", "has 7 entries, expected 8");
  expect_refused([](auto& in) { in.uv.pop_back(); }, "uv", "has 7 entries, expected 8");
}

TEST(RigArrays, EntriesThatNameNothingAreNamed) {
  expect_refused([](auto& in) { in.faces[2][1] = 8; }, "faces, face 2", "vertex 8 does not exist");
  expect_refused([](auto& in) { in.faces[0][0] = -1; }, "faces, face 0", "vertex -1 does not exist");
  expect_refused([](auto& in) { in.bones[9] = kBones; }, "bones, vertex 4", "bone 3 does not exist");
  expect_refused([](auto& in) { in.bones[7] = -1; }, "bones, vertex 3", "bone -1 does not exist");
}

TEST(RigArrays, FirstEntriesAreLookedAtToo) {
  expect_refused([](auto& in) { in.bones[0] = kBones; }, "bones, vertex 0", "bone 3 does not exist");
  expect_refused([](auto& in) { in.weights[0] = -.5; }, "weights, vertex 0", "is negative");
  expect_refused([](auto& in) { in.uv[0].y = INFINITY; }, "uv, vertex 0", "is not finite");
  expect_refused([](auto& in) { in.positions[0].x = INFINITY; }, "positions, vertex 0", "is not finite");
  expect_refused([](auto& in) { in.rest_normals[0] = Vec3d(0.0); }, "rest normals, vertex 0", "no length");
}

TEST(RigArrays, EntriesThatAreNoValuesAreNamed) {
  const double infinity = INFINITY;
  expect_refused([&](auto& in) { in.positions[5].y = infinity; }, "positions, vertex 5", "is not finite");
  expect_refused([](auto& in) { in.positions[1].z = -2e60; }, "positions, vertex 1", "or too large");
  expect_refused([](auto& in) { in.rest_normals[6] = Vec3d(0.0); }, "rest normals, vertex 6",
                 "has no length");
  expect_refused([](auto& in) { in.rest_tangents[2].x = NAN; }, "rest tangents, vertex 2", "is not finite");
  expect_refused([](auto& in) { in.rest_tangents[2] = Vec3d(0, 0, -4); }, "rest tangents, vertex 2",
                 "is parallel to the rest normal");
  expect_refused([](auto& in) { in.rest_tangents[3] = Vec3d(1e-9, 0, 4); }, "rest tangents, vertex 3",
                 "is parallel to the rest normal");
  // Just at the border: x is 1e-3 of the length to the last bit.
  double x = kUnitTolerance;
  for (int i = 0; i < 9; ++i) x = kUnitTolerance * std::sqrt(x * x + 1);
  ASSERT_EQ(x, kUnitTolerance * length(Vec3d(x, 0, 1)));
  expect_refused([x](auto& in) { in.rest_tangents[5] = Vec3d(x, 0, 1); }, "rest tangents, vertex 5",
                 "is parallel to the rest normal");
  expect_refused([](auto& in) { in.rest_sides[7] = .5; }, "rest tangents, vertex 7", "neither 1 nor -1");
  expect_refused([](auto& in) { in.rest_sides[0] = 0; }, "rest tangents, vertex 0", "neither 1 nor -1");
  expect_refused([](auto& in) { in.weights[10] = -.1; }, "weights, vertex 5", "weight is negative");
  expect_refused([&](auto& in) { in.uv[4].y = infinity; }, "uv, vertex 4", "is not finite");
  expect_refused([](auto& in) { in.uv[3].x = NAN; }, "uv, vertex 3", "is not finite");
}

// A tangent keeps its direction in the tangent plane; the bitangent stands on the side that glTF's w says, which is turned
// round here.
TEST(RigArrays, GivenFramesAreMadeOrthogonal) {
  RigArrays in = corner();
  in.positions[2] = {5e9, 3, 0};  // large, not too large
  for (int v = 0; v < 8; ++v) {
    in.rest_normals.push_back(Vec3d(.5, -1, 2 + v));
    in.rest_tangents.push_back(Vec3d(1 + v, 2, .5));
    in.rest_sides.push_back(v % 2 == 0 ? 1 : -1);
  }
  const RiggedMesh mesh = made(in);
  for (std::size_t v = 0; v < 8; ++v) {
    const Vec3d n = mesh.n0[v], t = mesh.t0[v], b = mesh.b0[v];
    EXPECT_LT(length(n - in.rest_normals[v] / length(in.rest_normals[v])), kRounding);
    EXPECT_NEAR(length(t), 1, kRounding);
    EXPECT_NEAR(dot(t, n), 0, kRounding);
    EXPECT_NEAR(dot(t, cross(n, in.rest_tangents[v])), 0, 20 * kRounding);  // a tangent of length 8
    EXPECT_GT(dot(t, in.rest_tangents[v]), 0);
    EXPECT_EQ(mesh.handedness[v], v % 2 == 0 ? -1 : 1);
    EXPECT_LT(length(b - cross(n, t) * mesh.handedness[v]), kRounding);
    EXPECT_EQ(mesh.frame_source[v], FrameSource::file);
  }
  const RigArrays again = rig_arrays(mesh);
  EXPECT_EQ(again.rest_tangents, mesh.t0);
  EXPECT_EQ(again.rest_sides, in.rest_sides);
}

// By area, over all faces at a place: those of the two sides in their edge.
TEST(RigArrays, NormalsThatAreNotGivenAreAveragedAcrossVerticesAtOnePlace) {
  const RiggedMesh mesh = made(corner());
  // Both faces of a square, of area 3 each, meet at one of its edge's ends, one face at the other.
  const Vec3d up(0, 0, 1), side = cross(Vec3d(0, 3, 0), Vec3d(0, 3, -2)) / 6;
  const Vec3d at_origin = normalize(up * 6 + side * 6), at_end = normalize(up * 3 + side * 3);
  for (const std::size_t v : {0, 4}) EXPECT_LT(length(mesh.n0[v] - at_origin), kRounding);
  for (const std::size_t v : {3, 5}) EXPECT_LT(length(mesh.n0[v] - at_end), kRounding);
  for (const std::size_t v : {1, 2}) EXPECT_LT(length(mesh.n0[v] - up), kRounding);
  for (const std::size_t v : {6, 7}) EXPECT_LT(length(mesh.n0[v] - side), kRounding);
}

TEST(RigArrays, OfAMeshMakeTheSameMesh) {
  const RiggedMesh mesh = made(corner()), again = made(rig_arrays(mesh));
  EXPECT_EQ(again.p0, mesh.p0);
  EXPECT_EQ(again.faces, mesh.faces);
  EXPECT_EQ(again.bone, mesh.bone);
  EXPECT_EQ(again.weight, mesh.weight);
  EXPECT_TRUE(rig_arrays(mesh).rest_tangents.empty());
  EXPECT_EQ(mesh.weights_of(0)[0], .75);
  EXPECT_EQ(mesh.bones_of(0)[0], 1);
}

}  // namespace
}  // namespace skinlight
