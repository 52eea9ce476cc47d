// Sums of everything that a record depends on or is: whether a baked mesh is still what it was.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_document.h"
#include "skinlight/asset/gltf/detail/gltf_mesh.h"

namespace skinlight::gltf {

class Digest {
 public:
  // Both must outlive this.
  Digest(const tinygltf::Model& file, Accessors& accessors) : file_(file), accessors_(accessors) {}

  // An accessor that `file` does not have.
  void add_accessor(int index, const NewAttribute& attribute);

  // Of the triangles of one mesh of `document`, with all numbers of their vertices as a reader gets them. Triangles and
  // vertices may stand in any order, vertices be merged or split, triangles begin at any of their corners: the same surface
  // has the same digest.
  std::string of_mesh(int mesh, const Json& document, const std::vector<PrimitiveVertices>& primitives);

  // Whether the digest in the mark of a mesh is that of its vertices and its record now. Earlier marks have one of
  // all meshes, of vertices in their order.
  bool holds(int mesh, const Json& document, const std::vector<PrimitiveVertices>& primitives);

 private:
  const std::vector<std::uint64_t>& elements_of(int accessor);
  const std::vector<std::uint64_t>& vertices_of(const std::map<std::string, int>& attributes);
  std::string in_order(const Json& document, const std::vector<PrimitiveVertices>& primitives);

  const tinygltf::Model& file_;
  Accessors& accessors_;
  std::map<int, std::vector<std::uint64_t>> elements_;  // of accessors, each element's sum
  std::map<std::string, int> attributes_;  // of the vertices below: primitives like to share them
  std::vector<std::uint64_t> vertices_;    // each vertex's sum
  std::string in_order_;                   // once it is known
};

}  // namespace skinlight::gltf
