// The meshes of [BTGM19 Table 2] and their motions.
#include "repro/study/bittner_rigs.h"

#include <gtest/gtest.h>

#include "skinlight/rig/partway.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/samples/quadruped.h"

namespace skinlight::repro {
namespace {

double pose_difference(const Pose& a, const Pose& b) {
  double largest = 0;
  for (std::size_t bone = 0; bone < a.M.size(); ++bone)
    for (int column = 0; column < 4; ++column)
      largest = std::fmax(largest, length(a.M[bone][column] - b.M[bone][column]));
  return a.M.size() == b.M.size() ? largest : 1e9;
}

Pose attack_of(const QuadrupedShape& shape) {
  for (const NamedPose& named : quadruped_poses(shape))
    if (named.name == "attack") return named.pose;
  throw std::logic_error("no attack");
}

TEST(BittnerRigs, HaveTheSizesThatAreSaid) {
  const struct {
    const char* name;
    int printed_vertices, printed_faces, vertices, faces, bones;
  } expected[] = {{"cuboid", 16800, 8400, 16800, 8400, 5},
                  {"wolf", 1291, 1470, 0, 0, 30},
                  {"raptor", 15005, 21959, 15005, 21959, 79}};
  ASSERT_EQ(bittner_rigs().size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const BittnerRig& rig = bittner_rigs()[i];
    EXPECT_STREQ(rig.name, expected[i].name);
    EXPECT_EQ(rig.vertices, expected[i].printed_vertices);
    EXPECT_EQ(rig.faces, expected[i].printed_faces);
    const RiggedMesh mesh = rig.make().mesh;
    EXPECT_EQ(mesh.bone_count, expected[i].bones);
    if (expected[i].vertices > 0) {
      EXPECT_EQ(mesh.vertex_count(), expected[i].vertices);
      EXPECT_EQ(static_cast<int>(mesh.faces.size()), expected[i].faces);
    } else {
      EXPECT_GT(mesh.vertex_count(), rig.vertices);  // more than the wolf's
    }
  }
}

TEST(BittnerRigs, MoveFromRestToAStrongPose) {
  constexpr double kRounding = 1e-12;
  const Pose strong[] = {cuboid_pose(179, 120), attack_of(kWolfShape), attack_of(kRaptorShape)},
             half[] = {cuboid_pose(89.5, 60), partway(strong[1], .5), partway(strong[2], .5)};
  for (std::size_t i = 0; i < bittner_rigs().size(); ++i) {
    const BittnerRig& rig = bittner_rigs()[i];
    EXPECT_LT(pose_difference(rig.motion(0), rest_pose(rig.make().mesh.bone_count)), kRounding) << rig.name;
    EXPECT_LT(pose_difference(rig.motion(.5), half[i]), kRounding) << rig.name;
    EXPECT_LT(pose_difference(rig.motion(1), strong[i]), kRounding) << rig.name;
    EXPECT_GT(pose_difference(rig.motion(1), rig.motion(.5)), .1) << rig.name;
  }
}

}  // namespace
}  // namespace skinlight::repro
