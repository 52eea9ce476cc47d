// Posed vertices of other programs: FBX files whose skins Maya (dual quaternions) and Blender (linear)
// evaluated to OBJ. Assimp refuses the FBX 5000 file of 3ds Max, so that pair of the folder is not used.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "skinlight/asset/assimp/assimp_file.h"
#include "skinlight/core/file.h"
#include "skinlight/skinning/skin.h"
#include "testing/real_models.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return test_models::folder() / "ufbx-oracle"; }

class FbxOracle : public test_models::RealModels {};

struct Posed {
  RiggedMesh mesh;
  Pose pose;
};

// The file in the pose of a clip at a time, or in its own.
Posed read_fbx(const std::string& file, const std::string& clip = "", double time = 0) {
  Model model = read_assimp(folder() / file);
  if (clip.empty()) return {std::move(model.mesh), default_pose(model.skeleton)};
  for (const Clip& c : model.clips)
    if (c.name == clip) return {std::move(model.mesh), pose_at(model.skeleton, c, time)};
  throw InputError(file, clip, "is no clip of the file");
}

std::vector<Vec3d> read_obj(const std::string& file) {
  std::istringstream lines(read_file(folder() / file));
  std::vector<Vec3d> points;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    Vec3d p(0.0);
    if (words >> key && key == "v" && words >> p.x >> p.y >> p.z) points.push_back(p);
  }
  return points;
}

double largest_distance_to_nearest(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to) {
  double largest = 0;
  for (const Vec3d& a : from) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3d& b : to) nearest = std::min(nearest, length(a - b));
    largest = std::max(largest, nearest);
  }
  return largest;
}

// Largest distance between the two sets of vertices, either way, over the diagonal of the expected box.
double departure(const Posed& rig, Method method, const std::vector<Vec3d>& expected) {
  const std::vector<Vec3d> none(rig.mesh.bone.size(), Vec3d(0.0));
  const std::vector<Vec3d> p = skin<double>(rig.mesh, deform_factors_from_gradients(rig.mesh, none), rig.pose,
                                            {.method = method, .mode = NormalMode::standard})
                                   .p;
  Vec3d low = expected[0], high = expected[0];
  for (const Vec3d& e : expected)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], e[i]);
      high[i] = std::max(high[i], e[i]);
    }
  return std::max(largest_distance_to_nearest(p, expected), largest_distance_to_nearest(expected, p)) /
         length(high - low);
}

// A bar of two joints, one twisted by 170 degrees and moved. OBJ has six decimals; weights have eight digits.
TEST_F(FbxOracle, DualQuaternionSkinningIsMayas_KCZO07) {
  const Posed rig = read_fbx("maya_dual_quaternion_7500_ascii.fbx");
  const std::vector<Vec3d> maya = read_obj("maya_dual_quaternion.obj");
  ASSERT_EQ(maya.size(), 44u);
  EXPECT_LT(departure(rig, Method::dqs, maya), 5e-6);
  // And the file tells the methods apart.
  EXPECT_GT(departure(rig, Method::lbs, maya), 1e-2);
}

// Frames 0 and 15 of two clips of three bones, 24 a second. Blender's weights are floats, OBJ has six
// decimals.
TEST_F(FbxOracle, LinearBlendSkinningIsBlenders_TPS14_Eq1) {
  const struct {
    const char *clip, *obj;
    double frame;
  } cases[] = {{"Skeleton|Base", "blender_279_sausage_base_0.obj", 0},
               {"Skeleton|Spin", "blender_279_sausage_spin_15.obj", 15}};
  for (const auto& c : cases) {
    const Posed rig = read_fbx("blender_279_sausage_7400_binary.fbx", c.clip, c.frame / 24);
    const std::vector<Vec3d> blender = read_obj(c.obj);
    ASSERT_FALSE(blender.empty());
    EXPECT_LT(departure(rig, Method::lbs, blender), 4e-5) << c.obj;
  }
  const Posed spin = read_fbx("blender_279_sausage_7400_binary.fbx", "Skeleton|Spin", 15.0 / 24);
  EXPECT_GT(departure(spin, Method::dqs, read_obj("blender_279_sausage_spin_15.obj")), 1e-3);
}

TEST_F(FbxOracle, TheOldFileOfMaxIsRefusedWithAReason) {
  try {
    read_assimp(folder() / "max7_skin_5000_binary.fbx");
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.file(), (folder() / "max7_skin_5000_binary.fbx").string());
    EXPECT_NE(e.reason().find("old format version"), std::string::npos) << e.what();
    EXPECT_NE(e.reason().find("save the file as FBX 2011"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace skinlight
