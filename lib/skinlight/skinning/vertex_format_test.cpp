#include "skinlight/skinning/vertex_format.h"

#include <gtest/gtest.h>

#include "skinlight/core/error.h"
#include "skinlight/skinning/skin.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

RiggedMesh random_mesh(int slots) {
  Random random(3);
  return test_rigs::bind(test_meshes::sphere(2), 6, slots, random);
}

DeformFactors factors_of(const RiggedMesh& mesh, int slots) {
  return deform_factors(mesh, Surface(mesh.faces, weld(mesh)), {.max_slots = slots});
}

class Formats : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Slots, Formats, testing::Values(1, 2, 3, 4, 8));

TEST_P(Formats, TakeTheBytesOfTable1) {
  const int n = GetParam();
  const RiggedMesh mesh = random_mesh(std::min(n, 4));
  const DeformFactors factors = factors_of(mesh, n);
  const auto bytes = [&](NormalData normals) {
    return packed_vertices(factors, {n, normals}).size() / static_cast<std::size_t>(mesh.vertex_count());
  };
  EXPECT_EQ(bytes(NormalData::none), 6 * n);
  EXPECT_EQ(bytes(NormalData::deform_factors), 6 * n + 8 * (n - 1));
  EXPECT_EQ(bytes(NormalData::gradients), 6 * n + 12 * n);
  EXPECT_EQ(VertexFormat({n, NormalData::deform_factors}).bytes(), 14 * n - 8);
}

TEST_P(Formats, ComeBackAsFloats) {
  const int n = GetParam();
  const DeformFactors in = factors_of(random_mesh(std::min(n, 4)), n);
  const VertexFormat small{n, NormalData::deform_factors}, large{n, NormalData::gradients};
  const DeformFactors a = unpacked_vertices(packed_vertices(in, small), small);
  const DeformFactors b = unpacked_vertices(packed_vertices(in, large), large);
  ASSERT_EQ(a.bone.size(), in.bone.size());
  for (std::size_t i = 0; i < in.bone.size(); ++i) {
    EXPECT_EQ(a.bone[i], in.bone[i]);
    EXPECT_EQ(b.bone[i], in.bone[i]);
    EXPECT_EQ(a.weight[i], static_cast<float>(in.weight[i]));
    EXPECT_NEAR(a.alpha[i], in.alpha[i], 1e-6);
    EXPECT_NEAR(a.beta[i], in.beta[i], 1e-6);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(b.gradient[i][c], static_cast<float>(in.gradient[i][c]));
  }
}

// Nothing that Eq. 13 needs is left out: skinning from the packed vertices gives the same normals.
TEST_P(Formats, HoldAllThatTheStableFormReads_Eq13) {
  const int n = GetParam();
  Random random(4);
  const RiggedMesh mesh = random_mesh(std::min(n, 4));
  const DeformFactors factors = factors_of(mesh, n);
  const Pose pose = test_rigs::random_rigid_pose(6, random);
  const VertexFormat format{n, NormalData::deform_factors};
  const auto direct = skin<float>(mesh, factors, pose),
             packed = skin<float>(mesh, unpacked_vertices(packed_vertices(factors, format), format), pose);
  for (std::size_t v = 0; v < direct.n.size(); ++v) EXPECT_EQ(packed.n[v], direct.n[v]);
}

TEST(VertexFormat, WhatDoesNotFitIsAnError) {
  const RiggedMesh mesh = random_mesh(2);
  DeformFactors factors = factors_of(mesh, 4);
  EXPECT_THROW(packed_vertices(factors, {.slots = 3}), InputError);
  EXPECT_THROW(packed_vertices(factors, {.slots = 0}), InputError);
  EXPECT_NO_THROW(packed_vertices(factors, {.slots = 4, .normals = NormalData::gradients}));
  factors.gradient.clear();
  EXPECT_THROW(packed_vertices(factors, {.slots = 4, .normals = NormalData::gradients}), InputError);
  EXPECT_NO_THROW(packed_vertices(factors, {.slots = 4, .normals = NormalData::deform_factors}));
  factors.bone[5] = 65536;
  EXPECT_THROW(packed_vertices(factors, {.slots = 4}), InputError);
  EXPECT_THROW(unpacked_vertices(std::vector<std::byte>(25), {.slots = 4}), InputError);
}

}  // namespace
}  // namespace skinlight
