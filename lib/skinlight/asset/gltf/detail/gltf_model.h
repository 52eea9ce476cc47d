// From an opened glTF file to a model: what read_gltf() does after opening, for those that also need to know
// which vertices of the model are which of the file.
#pragma once

#include <tiny_gltf.h>

#include <string>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_mesh.h"
#include "skinlight/asset/gltf/gltf.h"

namespace skinlight::gltf {

// What read_gltf() does between opening a file and read_model(): where normals are missing and the options want flat ones,
// corners that lie in several planes become vertices of their own.
void split_for_normals(tinygltf::Model& file, const ReadOptions& options);

// As read_gltf(); errors do not name the file. `primitives`, when given, receives all primitives read, in the
// order of their meshes' nodes.
Model read_model(const tinygltf::Model& file, const std::string& name, const ReadOptions& options,
                 std::vector<PrimitiveVertices>* primitives = nullptr);

}  // namespace skinlight::gltf
