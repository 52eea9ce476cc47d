// The mark of a baked mesh, extras.skinlight: how it was baked, of what, and what an earlier bake left in it.
#pragma once

#include <string>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_document.h"
#include "skinlight/asset/gltf/detail/gltf_mesh.h"
#include "skinlight/bake/bake.h"

namespace skinlight::gltf {

// What the mark says about the options, which are resolved: no influences or averaging left to choose.
Json stamp(const BakeOptions& options);

// extras.skinlight of a mesh, or of the asset; null when there is none.
Json mark_of(const Json& mesh);

// Says in the asset's extras that the file is baked: tools that drop what they do not know of meshes keep those.
void mark_asset(Json& document);

// Of the skins that move a mesh, the one with the fewest joints: all its joints exist in the others too.
std::vector<PrimitiveVertices> one_skin_per_mesh(const std::vector<PrimitiveVertices>& primitives);

// Whether the mark of a mesh has all that `wanted` has.
bool has_mark(const Json& mesh, const Json& wanted);

// Throws InputError when there is a file at `out` that no bake has written: the work of somebody. Returns the URIs of the
// buffers that its record lies in.
std::vector<std::string> require_earlier_result(const std::filesystem::path& out);

// Whether a mesh was baked by a version that gave computed tangents the other side: they are in the file now, and
// nothing tells them from its own.
bool has_earlier_sides(const Json& mesh);

// Sets of texture coordinates of a primitive: `count` from TEXCOORD_`first` on.
struct TexcoordSets {
  int first = 0, count = 0;
};

// Those that an earlier bake of a mesh took in a primitive, as its mark says; whoever edited the file since may have put
// others in their place.
TexcoordSets earlier_sets(const Json& mesh, std::size_t primitive);

// The meshes of a document without the sets behind those of earlier bakes: where the digest of a mesh holds in these, the
// sets are what the bake wrote.
Json without_later_sets(const Json& document);

// Whether `sets` of a primitive lie in the file as bake writes them, one behind the other and of the type that its mesh's
// mark says, and no texture of its materials reads one.
bool lie_as_written(const Json& document, int mesh, std::size_t primitive, const TexcoordSets& sets);

// Takes out of a primitive's attributes such sets, and what bakes of whatever record put there under names of their own.
void remove_earlier(const TexcoordSets& sets, Json& attributes);

// Whether the sets of a primitive are numbered without gaps once `count` more stand in the first gap or behind all.
bool are_consecutive_with(int count, const Json& attributes);

// The number of the first of `count` sets to be added: of those that leave no gap, or behind all that there are.
int first_free_set(int count, const Json& attributes);

}  // namespace skinlight::gltf
