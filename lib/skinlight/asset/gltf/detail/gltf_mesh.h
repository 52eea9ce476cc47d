// Skinned primitives of a glTF file, merged into one mesh.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_morph.h"
#include "skinlight/asset/read_options.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight::gltf {

// The skin that moves a mesh.
struct BoundSkin {
  int skin = 0;
  std::vector<int> bones = {};  // #joints: of the model

  int joint_count() const { return static_cast<int>(bones.size()); }
};

// Where the vertices of a primitive stand in the merged mesh. Primitives with the same attributes and skin
// share theirs.
struct PrimitiveVertices {
  int mesh = 0, primitive = 0;
  BoundSkin skin;
  int first = 0, count = 0;
};

// Triangles over corners 0 .. count-1; strips alternate so that all faces turn the same way (glTF 2.0,
// section 3.7.2.1). Throws InputError where they are not whole.
std::vector<Face> triangles(int mode, std::size_t corners, const std::string& element);

class MeshReader {
 public:
  // All must outlive this.
  MeshReader(const tinygltf::Model& file, Accessors& accessors, MorphReader& morphs,
             const ReadOptions& options, std::vector<Warning>& warnings)
      : file_(file), accessors_(accessors), morphs_(morphs), options_(options), warnings_(warnings) {}

  // Appends the primitives of a mesh, and their morph targets as `targets`. Throws InputError naming
  // primitive, attribute and vertex.
  void append(int mesh, const BoundSkin& skin, const MorphRange& targets);

  // Those appended so far, in that order.
  const std::vector<PrimitiveVertices>& primitives() const { return primitives_; }

  // The merged mesh with normalised weights, normals and tangent frames on every vertex.
  RiggedMesh finish(int bone_count);

 private:
  struct Influences {
    int sets = 0;
    std::vector<int> bone;       // #vertices by 4 sets
    std::vector<double> weight;  // #vertices by 4 sets
  };
  struct Block {  // vertices that came from one set of attributes
    int first = 0, count = 0;
    Influences influences;
  };
  const Block& vertices_of(const tinygltf::Primitive& primitive, const BoundSkin& skin,
                           const MorphRange& targets, int uv_set, const std::string& element);
  Influences read_influences(const tinygltf::Primitive& primitive, const BoundSkin& skin, std::size_t count,
                             const std::string& element);
  void append_faces(const tinygltf::Primitive& primitive, const Block& block, const std::string& element);
  void fill_slots(int bone_count);
  void keep(RawAttributes& raw) const;

  const tinygltf::Model& file_;
  Accessors& accessors_;
  MorphReader& morphs_;
  const ReadOptions& options_;
  std::vector<Warning>& warnings_;
  RiggedMesh mesh_;                    // n0 is 0 where the file has no normal
  std::vector<double> normal_length_;  // #V
  std::vector<Vec3d> tangent_;         // #V by 3; 0 where the file has none
  std::vector<double> tangent_sign_;   // #V
  bool has_uv_ = false;
  std::vector<PrimitiveVertices> primitives_;
  // By skin, first morph target, set of texture coordinates, accessors of the attributes and of the targets.
  using BlockKey =
      std::tuple<int, int, int, std::map<std::string, int>, std::vector<std::map<std::string, int>>>;
  std::map<BlockKey, Block> blocks_;
};

}  // namespace skinlight::gltf
