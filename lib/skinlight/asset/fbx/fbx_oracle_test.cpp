// Posed vertices of other programs: FBX files whose skins Blender, 3ds Max, Maya and MotionBuilder evaluated to
// OBJ: joint orients, pivots, geometric and cluster transforms, InheritType, a mesh that moves with its skin.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "skinlight/asset/fbx/fbx.h"
#include "skinlight/core/file.h"
#include "skinlight/skinning/skin.h"
#include "testing/point_sets.h"
#include "testing/real_models.h"

namespace skinlight {
namespace {

using point_sets::departure;

namespace fs = std::filesystem;

fs::path folder() { return test_models::folder() / "ufbx-oracle"; }

class FbxOracle : public test_models::RealModels {};

struct Posed {
  RiggedMesh mesh;
  Pose pose;
};

// The file in the pose of a clip at a time, or in its own.
Posed read(const std::string& file, const std::string& clip = "", double time = 0) {
  Model model = read_fbx(folder() / (file + ".fbx"));
  if (clip.empty()) return {std::move(model.mesh), default_pose(model.skeleton)};
  for (const Clip& c : model.clips)
    if (c.name == clip) return {std::move(model.mesh), pose_at(model.skeleton, c, time)};
  throw InputError(file, clip, "is no clip of the file");
}

std::vector<Vec3d> read_obj(const std::string& file) {
  std::istringstream lines(read_file(folder() / (file + ".obj")));
  std::vector<Vec3d> points;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    Vec3d p(0.0);
    if (words >> key && key == "v" && words >> p.x >> p.y >> p.z) points.push_back(p);
  }
  return points;
}

std::vector<Vec3d> posed(const Posed& rig, Method method) {
  return skin<double>(rig.mesh, {}, rig.pose, {.method = method, .mode = NormalMode::standard}).p;
}

struct Frame {
  const char *file, *clip;
  double time;  // seconds from the start of the clip
  const char* obj;
  Method method;
};

// OBJ has six decimals, of models of the size of 10; 3ds Max computes in float.
constexpr double kSixDecimals = 1e-6;

TEST_F(FbxOracle, VerticesAreWhereTheAuthoringToolPutsThem_TPS14_Eq1_KCZO07) {
  const Frame frames[] = {
      {"blender_279_sausage_7400_binary", "Skeleton|Base", 0, "blender_279_sausage_base_0", Method::lbs},
      {"blender_279_sausage_7400_binary", "Skeleton|Spin", 15 / 24., "blender_279_sausage_spin_15",
       Method::lbs},
      {"max_transformed_skin_7500_binary", "Take 001", 5 / 30., "max_transformed_skin_5", Method::lbs},
      {"max_transformed_skin_7500_binary", "Take 001", 15 / 30., "max_transformed_skin_15", Method::lbs},
      {"maya_dual_quaternion_7500_ascii", "", 0, "maya_dual_quaternion", Method::dqs},
      {"maya_game_sausage_7500_ascii_spin", "spin", 7 / 24., "maya_game_sausage_spin_7", Method::lbs},
      {"maya_game_sausage_7500_ascii_spin", "spin", 15 / 24., "maya_game_sausage_spin_15", Method::lbs},
      {"maya_skinned_pivot_7700_ascii", "", 0, "maya_skinned_pivot", Method::lbs},
      {"maya_transformed_skin_7700_binary", "Take 001", 0, "maya_transformed_skin_0", Method::lbs},
      {"maya_transformed_skin_7700_binary", "Take 001", 4 / 24., "maya_transformed_skin_4", Method::lbs},
      {"motionbuilder_sausage_rrss_7700_binary", "", 0, "motionbuilder_sausage_rrss", Method::lbs},
      {"motionbuilder_sausage_rrss_7700_binary", "Take 001", 24 / 24., "motionbuilder_sausage_rrss_24",
       Method::lbs},
      {"synthetic_bind_to_root_7700_ascii", "", 0, "synthetic_bind_to_root", Method::dqs},
  };
  for (const Frame& f : frames) {
    const std::vector<Vec3d> expected = read_obj(f.obj);
    ASSERT_FALSE(expected.empty());
    EXPECT_LT(departure(posed(read(f.file, f.clip, f.time), f.method), expected), kSixDecimals) << f.obj;
  }
}

// The files tell the methods apart.
TEST_F(FbxOracle, OtherMethodsPutTheVerticesElsewhere) {
  EXPECT_GT(departure(posed(read("maya_dual_quaternion_7500_ascii"), Method::lbs),
                      read_obj("maya_dual_quaternion")),
            1e-2);
  EXPECT_GT(departure(posed(read("blender_279_sausage_7400_binary", "Skeleton|Spin", 15 / 24.), Method::dqs),
                      read_obj("blender_279_sausage_spin_15")),
            1e-3);
}

// The same scene and animation, once without BindPose and once without the clusters' matrices.
TEST_F(FbxOracle, MissingMatricesOfClustersComeFromTheBindPose) {
  for (const double frame : {0, 3, 10, 19}) {
    const std::vector<Vec3d> no_bind = posed(
                                 read("synthetic_sausage_wiggle_no_bind_7500_ascii", "wiggle", frame / 24),
                                 Method::lbs),
                             no_link = posed(
                                 read("synthetic_sausage_wiggle_no_link_7500_ascii", "wiggle", frame / 24),
                                 Method::lbs);
    EXPECT_LT(departure(no_link, no_bind), 1e-12) << frame;
  }
}

TEST_F(FbxOracle, TheOldFileOfMaxIsRefusedWithAReason) {
  try {
    read("max7_skin_5000_binary");
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.file(), (folder() / "max7_skin_5000_binary.fbx").string());
    EXPECT_NE(e.reason().find("old format version"), std::string::npos) << e.what();
    EXPECT_NE(e.reason().find("save the file as FBX 2011"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace skinlight
