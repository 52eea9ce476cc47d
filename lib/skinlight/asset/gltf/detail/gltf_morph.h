// Morph targets of a glTF file's meshes.
#pragma once

#include <tiny_gltf.h>

#include <map>
#include <string>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/rig/model.h"

namespace skinlight::gltf {

// The targets first .. first + count - 1 of the model.
struct MorphRange {
  int first = 0, count = 0;
};

class MorphReader {
 public:
  // Both must outlive this.
  MorphReader(const tinygltf::Model& file, Accessors& accessors) : file_(file), accessors_(accessors) {}

  // New targets for a mesh, with the weights of the node that shows it or else of the mesh. Throws InputError
  // when there are not as many weights as targets.
  MorphRange open(int mesh, int node);

  // Displaces vertices first .. first + count - 1 of the model as the primitive says. Throws InputError
  // naming primitive, target, attribute and vertex; when the primitive has another number of targets.
  void append(const tinygltf::Primitive& primitive, const MorphRange& range, int first, std::size_t count,
              const std::string& element);

  // The targets of each node that open() was called for.
  const std::map<int, MorphRange>& of_nodes() const { return of_nodes_; }

  // Hands the targets over: model.morphs and model.morph_weights.
  void finish(Model& model);

 private:
  struct Target {
    MorphTarget morph;  // with a row of dn and dt for every vertex
    bool has_normals = false, has_tangents = false;
  };
  const tinygltf::Model& file_;
  Accessors& accessors_;
  std::vector<Target> targets_;
  std::vector<double> weights_;
  std::map<int, MorphRange> of_nodes_;
};

}  // namespace skinlight::gltf
