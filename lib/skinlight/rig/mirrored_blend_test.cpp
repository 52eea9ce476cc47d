#include "skinlight/rig/mirrored_blend.h"

#include <gtest/gtest.h>

#include "skinlight/core/error.h"

namespace skinlight {
namespace {

Mat4x3d scaled(double x, double y, double z) {
  return {Vec3d(x, 0, 0), Vec3d(0, y, 0), Vec3d(0, 0, z), Vec3d(0.0)};
}

TEST(MirroredShare, IsTheLesserSideOfTheBlend) {
  RiggedMesh mesh;
  mesh.bone_count = 4;
  mesh.slots = 3;
  const std::vector<std::vector<int>> bones = {{0, 1, 0}, {0, 1, 3}, {1, 1, 0},
                                               {0, 2, 1}, {0, 3, 0}, {1, 2, 0}};
  const std::vector<std::vector<double>> weights = {{.75, .25, 0},    {.25, .5, .25}, {.5, .5, 0},
                                                    {.5, .375, .125}, {.5, .5, 0},    {.5, .5, 0}};
  for (std::size_t v = 0; v < bones.size(); ++v) {
    mesh.p0.push_back(Vec3d(0.0));
    mesh.bone.insert(mesh.bone.end(), bones[v].begin(), bones[v].end());
    mesh.weight.insert(mesh.weight.end(), weights[v].begin(), weights[v].end());
  }
  // Bone 0 turns, bone 1 mirrors, bone 2 is flat, bone 3 scales.
  const Pose pose = make_pose({scaled(-1, -1, 1), scaled(1, -2, 1), scaled(1, 1, 0), scaled(3, 3, 3)});
  EXPECT_EQ(mirrored_share(mesh, pose), (std::vector<double>{.25, .5, 0, .125, 0, 0}));
  EXPECT_THROW(mirrored_share(mesh, rest_pose(3)), InputError);
}

}  // namespace
}  // namespace skinlight
