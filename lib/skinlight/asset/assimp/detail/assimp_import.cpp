#include "skinlight/asset/assimp/detail/assimp_import.h"

#include "skinlight/asset/detail/reading.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/BaseImporter.h>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <span>

#include "skinlight/core/error.h"

namespace skinlight::assimp {

namespace {

std::string text(const aiString& from) { return {from.C_Str()}; }

Matrix matrix(const aiMatrix4x4& m) {
  return {m.a1, m.b1, m.c1, m.d1, m.a2, m.b2, m.c2, m.d2, m.a3, m.b3, m.c3, m.d3, m.a4, m.b4, m.c4, m.d4};
}

template <class T>
std::span<T> list(T* first, unsigned count) {
  return {first, first == nullptr ? 0 : count};
}

std::vector<float> numbers(std::span<const aiVector3D> vectors) {
  std::vector<float> all;
  all.reserve(3 * vectors.size());
  for (const aiVector3D& v : vectors) all.insert(all.end(), {v.x, v.y, v.z});
  return all;
}

// Depth first, as Assimp searches nodes by name.
void append_node(const aiNode& from, int parent, std::vector<SceneNode>& nodes) {
  const int index = static_cast<int>(nodes.size());
  const auto meshes = list(from.mMeshes, from.mNumMeshes);
  nodes.push_back({text(from.mName), parent, matrix(from.mTransformation), {meshes.begin(), meshes.end()}});
  for (const aiNode* child : list(from.mChildren, from.mNumChildren)) append_node(*child, index, nodes);
}

SceneMesh mesh(const aiMesh& from) {
  SceneMesh to;
  const unsigned count = from.mNumVertices;
  to.name = text(from.mName);
  to.position = numbers(list(from.mVertices, count));
  to.normal = numbers(list(from.mNormals, count));
  to.tangent = numbers(list(from.mTangents, count));
  to.bitangent = numbers(list(from.mBitangents, count));
  for (const aiVector3D& uv : list(from.mTextureCoords[0], count)) to.uv.insert(to.uv.end(), {uv.x, uv.y});
  for (const aiFace& face : list(from.mFaces, from.mNumFaces)) {
    if (face.mNumIndices == 3)
      to.corners.insert(to.corners.end(), face.mIndices, face.mIndices + 3);
    else
      ++to.other_faces;
  }
  to.morph_targets = from.mNumAnimMeshes;
  for (const aiBone* bone : list(from.mBones, from.mNumBones)) {
    SceneBone& b = to.bones.emplace_back();
    b.node = text(bone->mName);
    b.offset = matrix(bone->mOffsetMatrix);
    for (const aiVertexWeight& w : list(bone->mWeights, bone->mNumWeights)) {
      b.vertices.push_back(w.mVertexId);
      b.weights.push_back(w.mWeight);
    }
  }
  return to;
}

SceneKeys keys(std::span<const aiVectorKey> from) {
  SceneKeys to;
  for (const aiVectorKey& key : from) {
    to.times.push_back(key.mTime);
    to.values.insert(to.values.end(), {key.mValue.x, key.mValue.y, key.mValue.z});
  }
  return to;
}

SceneKeys keys(std::span<const aiQuatKey> from) {
  SceneKeys to;
  for (const aiQuatKey& key : from) {
    to.times.push_back(key.mTime);
    to.values.insert(to.values.end(), {key.mValue.x, key.mValue.y, key.mValue.z, key.mValue.w});
  }
  return to;
}

SceneClip clip(const aiAnimation& from) {
  SceneClip to;
  to.name = text(from.mName);
  to.ticks_per_second = from.mTicksPerSecond;
  to.other_channels = from.mNumMeshChannels + from.mNumMorphMeshChannels;
  for (const aiNodeAnim* channel : list(from.mChannels, from.mNumChannels))
    to.channels.push_back(
        {text(channel->mNodeName),
         keys(std::span<const aiVectorKey>(list(channel->mPositionKeys, channel->mNumPositionKeys))),
         keys(std::span<const aiQuatKey>(list(channel->mRotationKeys, channel->mNumRotationKeys))),
         keys(std::span<const aiVectorKey>(list(channel->mScalingKeys, channel->mNumScalingKeys)))});
  return to;
}

// Files in memory before those on disk.
class MemoryFirst : public Assimp::DefaultIOSystem {
 public:
  explicit MemoryFirst(const Files& files) : files_(files) {}
  bool Exists(const char* name) const override {
    return files_.count(name) != 0 || DefaultIOSystem::Exists(name);
  }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    const auto file = files_.find(name);
    if (file == files_.end()) return DefaultIOSystem::Open(name, mode);
    return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(file->second.data()),
                                      file->second.size());
  }

 private:
  const Files& files_;
};

// Assimp would try every importer it has on a file that the right one refuses.
void keep_importer(Assimp::Importer& importer, const std::string& extension) {
  Assimp::BaseImporter* const right = importer.GetImporter(extension.c_str());
  if (right == nullptr) throw InputError("", "", "no importer for " + extension + " in this build of Assimp");
  for (std::size_t i = importer.GetImporterCount(); i-- > 0;)
    if (Assimp::BaseImporter* const other = importer.GetImporter(i); other != right) {
      importer.UnregisterLoader(other);
      delete other;
    }
}

// Triangulation trusts the indices of faces.
void require_indices(const aiScene& scene) {
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& from = *scene.mMeshes[m];
    for (unsigned f = 0; f < from.mNumFaces; ++f)
      for (const unsigned corner : list(from.mFaces[f].mIndices, from.mFaces[f].mNumIndices))
        if (corner >= from.mNumVertices)
          throw InputError("", "mesh " + std::to_string(m) + " face " + std::to_string(f),
                           "vertex " + std::to_string(corner) + " of " + std::to_string(from.mNumVertices));
  }
}

// One line, short enough for one.
std::string complaint(const std::string& message) {
  constexpr std::size_t kLongest = 200;
  const std::string line = message.substr(0, std::min(message.find('\n'), kLongest));
  return line.empty() ? "cannot be read" : line;
}

}  // namespace

Scene import_scene(const std::filesystem::path& path, const Files& files) {
  Assimp::Importer importer;
  importer.SetIOHandler(new MemoryFirst(files));  // the importer deletes it
  keep_importer(importer, path.extension().string());
  importer.SetPropertyBool(AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, false);
  // Collada without geometry has none: no shapes of the importer's around its joints.
  if (extension_of(path) == ".dae") importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  const aiScene* scene = importer.ReadFile(path.string(), 0);
  if (scene == nullptr || scene->mRootNode == nullptr)
    throw InputError("", "", complaint(importer.GetErrorString()));
  require_indices(*scene);
  scene = importer.ApplyPostProcessing(aiProcess_Triangulate);
  if (scene == nullptr) throw InputError("", "", complaint(importer.GetErrorString()));

  Scene to;
  append_node(*scene->mRootNode, -1, to.nodes);
  for (const aiMesh* from : list(scene->mMeshes, scene->mNumMeshes)) to.meshes.push_back(mesh(*from));
  for (const aiAnimation* from : list(scene->mAnimations, scene->mNumAnimations))
    to.clips.push_back(clip(*from));
  return to;
}

}  // namespace skinlight::assimp
