#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"
#include "skinlight/samples/procedural.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;

double gaussian_weight(double z, int bone) {
  double sum = 0, own = 0;
  for (int s = 0; s < 4; ++s) {
    const double x = (z - (-2.2 + 4.4 / 3 * s)) / .8, w = std::exp(-x * x / 2);
    sum += w;
    if (s == bone) own = w;
  }
  return own / sum;
}

// Vertices whose weights are not the Gaussians of their height.
int irregular_vertices(const RiggedMesh& mesh) {
  int count = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    double off = 0;
    for (std::size_t k = 0; k < 4; ++k)
      off = std::max(off,
                     std::abs(mesh.weights_of(v)[k] -
                              gaussian_weight(mesh.p0[static_cast<std::size_t>(v)].z, mesh.bones_of(v)[k])));
    count += off > kRounding;
  }
  return count;
}

TEST(JaggedCapsule, HasGaussianWeightsExceptForTheRandomShare) {
  const RiggedMesh smooth = jagged_capsule({.random_share = 0}).mesh, jagged = jagged_capsule().mesh;
  EXPECT_EQ(smooth.p0, jagged.p0);
  EXPECT_EQ(irregular_vertices(smooth), 0);
  EXPECT_NEAR(irregular_vertices(jagged), .03 * smooth.vertex_count(), .006 * smooth.vertex_count());
  validate(jagged);
}

// Random weights too are those of a point, not of a file vertex: the seam stays closed.
TEST(JaggedCapsule, SeamStaysWelded) {
  const RiggedMesh jagged = jagged_capsule({.random_share = 1}).mesh;
  const std::vector<int> surface_vertex = weld(jagged);
  EXPECT_EQ(*std::max_element(surface_vertex.begin(), surface_vertex.end()) + 1, 4610);
}

TEST(JaggedCapsule, EachBoneTurnsByTheAngleAboutItsPlace) {
  const Pose pose = jagged_capsule_pose(.7, 3), other = jagged_capsule_pose(.7, 4);
  ASSERT_EQ(pose.M.size(), 4u);
  for (int s = 0; s < 4; ++s) {
    const Mat4x3d& M = pose.M[static_cast<std::size_t>(s)];
    EXPECT_NEAR(determinant(Mat3d(M)), 1, kRounding);
    EXPECT_NEAR((M[0].x + M[1].y + M[2].z - 1) / 2, std::cos(.7), kRounding);
    const Vec3d centre(0, 0, -2.2 + 4.4 / 3 * s), moved = transform_point(M, centre) - centre;
    for (int i = 0; i < 3; ++i) EXPECT_LE(std::abs(moved[i]), .2 + kRounding);
    EXPECT_GT(length(M[0] - other.M[static_cast<std::size_t>(s)][0]), 1e-3);
  }
}

TEST(JaggedCapsule, ShareOutsideItsRangeIsAnError) {
  for (const double share : {-.1, 1.1, std::nan("")})
    EXPECT_THROW(jagged_capsule({.random_share = share}), InputError);
}

}  // namespace
}  // namespace skinlight
