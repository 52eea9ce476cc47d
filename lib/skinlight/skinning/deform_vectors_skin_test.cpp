// Whole meshes with deform vectors: against the posed triangles themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "skinlight/core/error.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/preprocess/face_factors.h"
#include "skinlight/skinning/skin.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

constexpr double kRounding = 1e-12;  // of unit vectors from some hundred operations on values near 1

Surface surface_of(const RiggedMesh& mesh) { return {mesh.faces, weld(mesh)}; }

SkinnedMesh<double> skinned(const RiggedMesh& mesh, const NormalRecord& factors, const NormalRecord& vectors,
                            const Pose& pose, NormalMode mode) {
  SkinData data = factors;
  data.vectors = &vectors;
  return skin<double>(mesh, data, pose, {.mode = mode});
}

// Every face has its own three vertices and its own normal.
PerFaceRig faceted(const RiggedMesh& smooth) {
  PerFaceRig rig = per_face_factors(smooth, {.max_slots = kAllSlots});
  RiggedMesh& mesh = rig.mesh;
  for (const Face& f : mesh.faces) {
    const auto p = [&](std::size_t c) { return mesh.p0[static_cast<std::size_t>(f[c])]; };
    for (const int v : f) mesh.n0[static_cast<std::size_t>(v)] = normalize(cross(p(1) - p(0), p(2) - p(0)));
  }
  compute_tangent_frames(mesh);
  return rig;
}

TEST(DeformVectorSkin, FlatShadedMeshesGetTheNormalsOfTheirPosedFaces) {
  Random random(1);
  for (const int slots : {1, 2, 4}) {
    const PerFaceRig rig =
        faceted(test_rigs::bind_jagged(test_meshes::bumpy_sphere(2, random), 6, slots, random));
    const RiggedMesh& mesh = rig.mesh;
    // Not welded: neighbours that happen to lie in one plane would share their vertices.
    std::vector<int> apart(mesh.p0.size());
    std::iota(apart.begin(), apart.end(), 0);
    const Surface surface(mesh.faces, apart);
    const NormalRecord factors = deform_factors(mesh, surface, {.max_slots = kAllSlots});
    const NormalRecord vectors = deform_vectors(mesh, surface, {.max_slots = kAllSlots});
    const Pose pose = test_rigs::random_rigid_pose(6, random);
    const auto exact = skinned(mesh, factors, vectors, pose, NormalMode::deform_vectors),
               paper = skinned(mesh, factors, vectors, pose, NormalMode::deform);
    double paper_off = 0;
    for (const Face& f : mesh.faces) {
      const auto p = [&](std::size_t c) { return exact.p[static_cast<std::size_t>(f[c])]; };
      const Vec3d face = cross(p(1) - p(0), p(2) - p(0));
      if (length(face) < 1e-3) continue;  // folded together: no direction to compare
      for (const int v : f) {
        const auto i = static_cast<std::size_t>(v);
        EXPECT_LT(length(exact.n[i] - normalize(face)), 1e3 * kRounding);
        paper_off = std::max(paper_off, length(paper.n[i] - normalize(face)));
      }
    }
    EXPECT_EQ(paper_off > .1,
              slots > 1 || mesh.bone_count > 1);  // the product rule at the vertex is not exact
  }
}

TEST(DeformVectorSkin, MoreSlotsForTangentsThanForPositionsLeaveThePositions) {
  Random random(2);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 20, 2, random);
  const Surface surface = surface_of(mesh);
  const NormalRecord two = deform_factors(mesh, surface, {.max_slots = 2});
  const NormalRecord all = deform_vectors(mesh, surface, {.max_slots = kAllSlots});
  ASSERT_GT(all.slots, 8);
  const Pose pose = test_rigs::random_rigid_pose(20, random);
  const auto standard = skinned(mesh, two, all, pose, NormalMode::standard),
             vectors = skinned(mesh, two, all, pose, NormalMode::deform_vectors);
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) EXPECT_LT(length(standard.p[v] - vectors.p[v]), kRounding);
}

TEST(DeformVectorSkin, RigidMotionOfAllBonesRotatesNormalsExactly) {
  Random random(3);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 9, 2, random);
  const Surface surface = surface_of(mesh);
  const std::vector<Pose> typical = {test_rigs::random_rigid_pose(9, random)};
  const Mat4x3d rigid = test_rigs::random_rigid(random, 3, 5);
  for (const bool fitted : {false, true}) {
    const NormalRecord few =
        deform_vectors(mesh, surface, {.max_slots = 3, .typical = fitted ? typical : std::vector<Pose>()});
    const auto posed = skinned(mesh, deform_factors(mesh, surface), few,
                               make_pose(std::vector<Mat4x3d>(9, rigid)), NormalMode::deform_vectors);
    for (std::size_t v = 0; v < mesh.p0.size(); ++v)
      EXPECT_LT(length(posed.n[v] - Mat3d(rigid) * mesh.n0[v]), 1e2 * kRounding);
  }
}

TEST(DeformVectorSkin, WhatIsMissingOrOfAnotherMeshIsAnError) {
  Random random(4);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 4, 3, random);
  const Surface surface = surface_of(mesh);
  const NormalRecord factors = deform_factors(mesh, surface);
  const NormalRecord good = deform_vectors(mesh, surface);
  const auto error = [&](const NormalRecord* vectors) -> std::string {
    try {
      SkinData data = factors;
      data.vectors = vectors;
      skin<float>(mesh, data, rest_pose(4), {.mode = NormalMode::deform_vectors});
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(error(&good), "accepted");
  EXPECT_EQ(error(nullptr), "deform vectors: are missing; the normal mode needs them");
  NormalRecord bad = good;
  bad.along_t.pop_back();
  EXPECT_THAT(error(&bad), HasSubstr("deform vectors along t: has"));
  bad = good;
  bad.along_b.pop_back();
  EXPECT_THAT(error(&bad), HasSubstr("deform vectors along b: has"));
  bad = good;
  bad.weight.pop_back();
  EXPECT_THAT(error(&bad), HasSubstr("weights of the deform vectors"));
  bad = good;
  bad.bone[3] = 4;
  EXPECT_THAT(error(&bad), HasSubstr("bone 4 does not exist"));
  bad = good;
  bad.slots = 0;
  EXPECT_THAT(error(&bad), HasSubstr("have no slots"));
}

}  // namespace
}  // namespace skinlight
