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

// Takes out of a primitive's attributes what an earlier bake of its mesh put there, of whatever record and
// layout.
void remove_earlier(const Json& mesh, std::size_t primitive, Json& attributes);

}  // namespace skinlight::gltf
