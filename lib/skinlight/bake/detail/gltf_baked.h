// The vertex attributes of a baked primitive, before they go into a file. What each holds: bake/bake.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_document.h"
#include "skinlight/asset/gltf/detail/gltf_mesh.h"
#include "skinlight/bake/bake.h"
#include "skinlight/bake/detail/gltf_record.h"

namespace skinlight::gltf {

// One attribute, named, or nothing to write because the file has it so.
using NamedAttributes = std::vector<std::pair<std::string, NewAttribute>>;

// Vertices vertices.first .. of the report's model, as the primitive's file wants them.
NamedAttributes baked_influences(const BakeReport& report, const PrimitiveVertices& vertices);
NewAttribute baked_normals(const RiggedMesh& mesh, const PrimitiveVertices& vertices);
NewAttribute baked_tangents(const RiggedMesh& mesh, const PrimitiveVertices& vertices);

// One attribute of the report's record.
NewAttribute baked_record(const BakeReport& report, const PrimitiveVertices& vertices,
                          const BakeOptions& options, const PerUnit& scale, const RecordAttribute& attribute);

// A number as a reader of the file gets it before `scale` and the offset of texture coordinates act.
double stored_value(NumberFormat format, FactorLayout layout, double number, double scale);
// An attribute of such numbers, of the type that holds them.
NewAttribute stored_attribute(NumberFormat format, FactorLayout layout, int columns,
                              std::vector<double> values);

// What stored attributes of a format are multiplied by so that its codes stand for -scale .. scale.
double scale_of_integers(NumberFormat format, double scale);

// What turns the numbers read into those stored: scale (value - offset), extras.skinlight of a mesh.
struct Decoding {
  double scale = 1, offset = 0;
};
Decoding decoding(const BakeOptions& options, double scale);

}  // namespace skinlight::gltf
