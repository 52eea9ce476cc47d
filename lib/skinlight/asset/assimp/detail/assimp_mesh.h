// Meshes of an imported scene, merged into one.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/asset/assimp/detail/assimp_scene.h"
#include "skinlight/asset/detail/reading.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight::assimp {

// "mesh 3 (Body)"; names are cut short and hold no control characters, so that an error stays one line.
std::string label(const char* kind, std::size_t index, const std::string& name);

// Throws InputError unless all numbers are finite and the last row is (0, 0, 0, 1).
Mat4x3d affine(const Matrix& m, const std::string& element);

class MeshMerger {
 public:
  // All must outlive this. node_of: the first node of each name.
  MeshMerger(const std::map<std::string, int>& node_of, Skeleton& skeleton, std::vector<Warning>& warnings)
      : node_of_(node_of), skeleton_(skeleton), warnings_(warnings) {}

  // Appends a mesh that `node` carries; `placement` maps it to the scene at rest. Its bones join the
  // skeleton. Throws InputError naming the mesh and the vertex or bone.
  void append(const SceneMesh& mesh, const std::string& element, int node, const Mat4x3d& placement);

  // The merged mesh, completed.
  RiggedMesh finish(int max_influences, RawAttributes* raw = nullptr);

 private:
  struct Influences {                // of the vertices of one mesh, those of vertex v from first[v] on
    std::vector<std::size_t> first;  // #vertices + 1
    std::vector<int> bone;
    std::vector<float> weight;
    std::vector<bool> is_loose;  // #vertices: no bone of the file moves it
  };
  int bone_of(int node, const Mat4x3d& inverse_bind);
  Influences read_influences(const SceneMesh& mesh, const std::string& element, int node,
                             const Mat4x3d& to_mesh);
  static std::vector<std::uint32_t> equal_corners(const SceneMesh& mesh, const Influences& influences);
  void append_vertex(const SceneMesh& mesh, std::size_t v, const Mat4x3d& placement);

  const std::map<std::string, int>& node_of_;
  Skeleton& skeleton_;
  std::vector<Warning>& warnings_;
  std::map<std::pair<int, std::array<double, 12>>, int> bones_;  // by node and inverse bind matrix
  CollectedMesh collected_;
  std::vector<std::size_t> first_;  // #V + 1: of the influences of each vertex
  std::vector<int> bone_;
  std::vector<double> weight_;
  bool has_uv_ = false;
};

}  // namespace skinlight::assimp
