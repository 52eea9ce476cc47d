// Posed vertices of other programs: FBX files whose skins Maya (dual quaternions) and Blender (linear)
// evaluated to OBJ. Assimp reads the FBX, for this test only. It refuses the FBX 5000 file of 3ds Max
// ("unsupported, old format version"), so that pair of the folder is not used.
//
// The files are no part of the repository: as for gltf_models_test.cpp, SKINLIGHT_MODELS names their folder.
#include <assimp/config.h>
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "skinlight/core/file.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  const char* named = std::getenv("SKINLIGHT_MODELS");
  const fs::path models =
      named != nullptr ? fs::path(named) : fs::path(SKINLIGHT_SOURCE_DIR) / ".." / "shared" / "models";
  return models / "ufbx-oracle";
}

class FbxOracle : public testing::Test {
 protected:
  void SetUp() override {
    if (fs::is_directory(folder())) return;
    const char* required = std::getenv("SKINLIGHT_REQUIRE_MODELS");
    if (required != nullptr && std::string(required) == "1") FAIL() << "no files at " << folder();
    GTEST_SKIP() << "no files at " << folder();
  }
};

Mat4x3d transform(const aiMatrix4x4& m) {
  return {Vec3d(m.a1, m.b1, m.c1), Vec3d(m.a2, m.b2, m.c2), Vec3d(m.a3, m.b3, m.c3), Vec3d(m.a4, m.b4, m.c4)};
}

// Node transforms relative to the parent: the file's own, or those of the keys at `frame` of a clip.
using Local = std::map<std::string, Mat4x3d>;

template <class Key>
const Key& key_at(const Key* keys, unsigned count, double frame) {
  return *std::min_element(keys, keys + count, [frame](const Key& a, const Key& b) {
    return std::abs(a.mTime - frame) < std::abs(b.mTime - frame);
  });
}

Local local_transforms(const aiScene& scene, const std::string& clip, double frame) {
  Local local;
  for (unsigned a = 0; a < scene.mNumAnimations; ++a) {
    const aiAnimation& animation = *scene.mAnimations[a];
    if (animation.mName.C_Str() != clip) continue;
    for (unsigned c = 0; c < animation.mNumChannels; ++c) {
      const aiNodeAnim& channel = *animation.mChannels[c];
      local[channel.mNodeName.C_Str()] =
          transform(aiMatrix4x4(key_at(channel.mScalingKeys, channel.mNumScalingKeys, frame).mValue,
                                key_at(channel.mRotationKeys, channel.mNumRotationKeys, frame).mValue,
                                key_at(channel.mPositionKeys, channel.mNumPositionKeys, frame).mValue));
    }
  }
  return local;
}

Mat4x3d global_transform(const aiNode* node, const Local& local) {
  const auto found = local.find(node->mName.C_Str());
  const Mat4x3d own = found != local.end() ? found->second : transform(node->mTransformation);
  return node->mParent ? compose(global_transform(node->mParent, local), own) : own;
}

struct FbxRig {
  RiggedMesh mesh;
  Pose pose;
};

// The first mesh of the file, in the pose of a clip's frame or in the file's own.
FbxRig read_fbx(const std::string& file, const std::string& clip = "", double frame = 0) {
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
  const aiScene* scene = importer.ReadFile((folder() / file).string(), 0);
  if (scene == nullptr) throw InputError(file, "", importer.GetErrorString());
  const Local local = local_transforms(*scene, clip, frame);
  if (!clip.empty() && local.empty()) throw InputError(file, clip, "is no clip of the file");
  const aiMesh& source = *scene->mMeshes[0];

  FbxRig rig;
  RiggedMesh& mesh = rig.mesh;
  mesh.bone_count = static_cast<int>(source.mNumBones);
  mesh.slots = mesh.bone_count;
  for (unsigned v = 0; v < source.mNumVertices; ++v) {
    mesh.p0.emplace_back(source.mVertices[v].x, source.mVertices[v].y, source.mVertices[v].z);
    mesh.n0.emplace_back(0, 0, 1);
    for (int s = 0; s < mesh.slots; ++s) mesh.bone.push_back(s);
  }
  mesh.weight.assign(mesh.bone.size(), 0.0);
  std::vector<Mat4x3d> M;
  for (unsigned b = 0; b < source.mNumBones; ++b) {
    const aiBone& bone = *source.mBones[b];
    for (unsigned w = 0; w < bone.mNumWeights; ++w)
      mesh.weight[bone.mWeights[w].mVertexId * source.mNumBones + b] = bone.mWeights[w].mWeight;
    M.push_back(compose(global_transform(scene->mRootNode->FindNode(bone.mName), local),
                        transform(bone.mOffsetMatrix)));
  }
  std::vector<Warning> warnings;
  normalize_weights(mesh, warnings);  // Blender writes weights that do not sum to 1, and divides too
  compute_tangent_frames(mesh);
  rig.pose = make_pose(std::move(M));
  return rig;
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
double departure(const FbxRig& rig, Method method, const std::vector<Vec3d>& expected) {
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
  const FbxRig rig = read_fbx("maya_dual_quaternion_7500_ascii.fbx");
  const std::vector<Vec3d> maya = read_obj("maya_dual_quaternion.obj");
  ASSERT_EQ(maya.size(), 44u);
  EXPECT_LT(departure(rig, Method::dqs, maya), 5e-6);
  // And the file tells the methods apart.
  EXPECT_GT(departure(rig, Method::lbs, maya), 1e-2);
}

// Frames 0 and 15 of two clips of three bones. Blender's weights are floats, OBJ has six decimals.
TEST_F(FbxOracle, LinearBlendSkinningIsBlenders_TPS14_Eq1) {
  const struct {
    const char *clip, *obj;
    double frame;
  } cases[] = {{"Skeleton|Base", "blender_279_sausage_base_0.obj", 0},
               {"Skeleton|Spin", "blender_279_sausage_spin_15.obj", 15}};
  for (const auto& c : cases) {
    const FbxRig rig = read_fbx("blender_279_sausage_7400_binary.fbx", c.clip, c.frame);
    const std::vector<Vec3d> blender = read_obj(c.obj);
    ASSERT_FALSE(blender.empty());
    EXPECT_LT(departure(rig, Method::lbs, blender), 4e-5) << c.obj;
  }
  const FbxRig spin = read_fbx("blender_279_sausage_7400_binary.fbx", "Skeleton|Spin", 15);
  EXPECT_GT(departure(spin, Method::dqs, read_obj("blender_279_sausage_spin_15.obj")), 1e-3);
}

}  // namespace
}  // namespace skinlight
