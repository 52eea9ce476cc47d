// The mark of a baked mesh, extras.skinlight: how it was baked, of what, and what an earlier bake left in it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_document.h"
#include "skinlight/asset/gltf/detail/gltf_mesh.h"
#include "skinlight/bake/bake.h"

namespace skinlight::gltf {

// What the mark says about the options, which are resolved: no influences or averaging left to choose.
Json stamp(const BakeOptions& options);

// extras.skinlight of a mesh; null when there is none.
Json mark_of(const Json& mesh);

// Of the skins that move a mesh, the one with the fewest joints: all its joints exist in the others too.
std::vector<PrimitiveVertices> one_skin_per_mesh(const std::vector<PrimitiveVertices>& primitives);

// Whether the mark of a mesh has all that `wanted` has.
bool has_mark(const Json& mesh, const Json& wanted);

// Throws InputError when there is a file at `out` that no bake has written: the work of somebody.
void require_earlier_result(const std::filesystem::path& out);

// Whether a mesh was baked by a version that gave computed tangents the other side: they are in the file now, and
// nothing tells them from its own.
bool has_earlier_sides(const Json& mesh);

// Takes out of a primitive's attributes what an earlier bake of its mesh put there, of whatever record and
// layout.
void remove_earlier(const Json& mesh, std::size_t primitive, Json& attributes);

// Sums of everything that a record depends on or is.
class Digest {
 public:
  // Both must outlive this.
  Digest(const tinygltf::Model& file, Accessors& accessors) : file_(file), accessors_(accessors) {}

  // The values of an accessor that `file` does not have.
  void add_accessor(int index, const std::vector<double>& values);

  // Of all numbers of the primitives in `document`, as a reader gets them.
  std::string of(const Json& document, const std::vector<PrimitiveVertices>& primitives);

 private:
  std::uint64_t hash_of(int accessor);

  const tinygltf::Model& file_;
  Accessors& accessors_;
  std::map<int, std::uint64_t> hashes_;  // of accessors
};

}  // namespace skinlight::gltf
