// The vertex attributes of a baked primitive, before they go into a file. What each holds: asset/bake.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "skinlight/asset/bake.h"
#include "skinlight/asset/gltf_accessor.h"
#include "skinlight/asset/gltf_document.h"
#include "skinlight/asset/gltf_mesh.h"

namespace skinlight::gltf {

// One attribute, named, or nothing to write because the file has it so.
using NamedAttributes = std::vector<std::pair<std::string, NewAttribute>>;

// Vertices vertices.first .. of mesh and factors, as the primitive's file wants them.
NamedAttributes baked_influences(const DeformFactors& factors, const PrimitiveVertices& vertices);
NewAttribute baked_normals(const RiggedMesh& mesh, const PrimitiveVertices& vertices);
NewAttribute baked_tangents(const RiggedMesh& mesh, const PrimitiveVertices& vertices);

// `first_texcoord`: the number of the first free set, of layout texcoord.
NamedAttributes baked_factors(const DeformFactors& factors, const PrimitiveVertices& vertices,
                              const BakeOptions& options, double scale, int first_texcoord);

// What turns the numbers read into factors: scale (value - offset), extras.skinlight of a mesh.
struct Decoding {
  double scale = 1, offset = 0;
};
Decoding decoding(const BakeOptions& options, double scale);

// How many texture coordinate sets the factors of so many slots take.
int texcoord_sets(int slots);

}  // namespace skinlight::gltf
