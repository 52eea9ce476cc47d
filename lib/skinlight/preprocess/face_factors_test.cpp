#include "skinlight/preprocess/face_factors.h"

#include <gtest/gtest.h>

#include <map>

#include "skinlight/core/error.h"
#include "skinlight/samples/procedural.h"
#include "testing/gradients.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kSolver = 1e-9;  // of the 4x4 system on triangles of height above a fiftieth

TEST(PerFaceFactors, AreTheProjectionsOfTheFacesGradient_Eq5_Eq11) {
  Random random(1);
  for (const int slots : {2, 4}) {
    const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(2, random), 6, slots, random);
    const PerFaceRig rig = per_face_factors(mesh, {.max_slots = kAllSlots});
    ASSERT_EQ(rig.mesh.faces.size(), mesh.faces.size());
    ASSERT_EQ(rig.vertex.size(), 3 * mesh.faces.size());
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      std::map<int, Eigen::Vector3d> corner_weights;
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t k = 0; k < static_cast<std::size_t>(slots); ++k)
          corner_weights.try_emplace(mesh.bones_of(mesh.faces[f][c])[k], 0, 0, 0)
              .first->second[static_cast<Eigen::Index>(c)] += mesh.weights_of(mesh.faces[f][c])[k];
      const auto at = [&](std::size_t c) { return mesh.p0[static_cast<std::size_t>(mesh.faces[f][c])]; };
      for (std::size_t c = 0; c < 3; ++c) {
        const auto v = static_cast<int>(3 * f + c);
        for (int k = 0; k < rig.factors.slots; ++k) {
          const std::size_t i = rig.factors.at(v, k);
          const auto weights = corner_weights.find(rig.factors.bone[i]);
          ASSERT_NE(weights, corner_weights.end());
          const Eigen::Vector3d a = test_gradients::solve_eq5(at(0), at(1), at(2), weights->second);
          const double unused = rig.factors.gradient[i] == Vec3d(0.0) ? 0 : 1;
          const auto u = static_cast<std::size_t>(v);
          EXPECT_NEAR(rig.factors.alpha[i], unused * a.dot(eigen(rig.mesh.t0[u])), kSolver);
          EXPECT_NEAR(rig.factors.beta[i], unused * a.dot(eigen(rig.mesh.b0[u])), kSolver);
        }
      }
    }
  }
}

TEST(PerFaceFactors, CornersKeepEverythingOfTheirVertex) {
  const RiggedMesh mesh = pill({.segments = 16, .jitter = .2}).mesh;
  const PerFaceRig rig = per_face_factors(mesh);
  EXPECT_NO_THROW(validate(rig.mesh));
  for (std::size_t i = 0; i < rig.vertex.size(); ++i) {
    const auto v = static_cast<std::size_t>(rig.vertex[i]);
    EXPECT_EQ(mesh.faces[i / 3][i % 3], rig.vertex[i]);
    EXPECT_EQ(rig.mesh.faces[i / 3][i % 3], static_cast<int>(i));
    EXPECT_EQ(rig.mesh.p0[i], mesh.p0[v]);
    EXPECT_EQ(rig.mesh.n0[i], mesh.n0[v]);
    EXPECT_EQ(rig.mesh.t0[i], mesh.t0[v]);
    EXPECT_EQ(rig.mesh.b0[i], mesh.b0[v]);
    EXPECT_EQ(rig.mesh.uv[i], mesh.uv[v]);
    EXPECT_EQ(rig.mesh.handedness[i], mesh.handedness[v]);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(rig.mesh.bone[2 * i + k], mesh.bone[2 * v + k]);
      EXPECT_EQ(rig.mesh.weight[2 * i + k], mesh.weight[2 * v + k]);
    }
  }
}

TEST(PerFaceFactors, DifferBetweenTheCornersOfAVertexWhereAveragesDoNot) {
  const RiggedMesh mesh = cylinder({}, {.segments = 20}).mesh;
  const PerFaceRig rig = per_face_factors(mesh);
  std::vector<Vec3d> first(mesh.p0.size(), Vec3d(NAN));
  double spread = 0;
  for (std::size_t i = 0; i < rig.vertex.size(); ++i) {
    Vec3d& f = first[static_cast<std::size_t>(rig.vertex[i])];
    const Vec3d a = rig.factors.gradient[rig.factors.at(static_cast<int>(i), 0)];
    if (!is_finite(f)) f = a;
    spread = std::max(spread, length(a - f));
  }
  EXPECT_GT(spread, .1);
}

TEST(PerFaceFactors, SlotLimitIsChecked) {
  const RiggedMesh mesh = pill({.segments = 8}).mesh;
  EXPECT_THROW(per_face_factors(mesh, {.max_slots = 1}), InputError);
}

}  // namespace
}  // namespace skinlight
