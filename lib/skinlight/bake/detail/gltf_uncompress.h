// Primitives that are to be edited and were decoded: compressed ones, and those that flat normals split.
#pragma once

#include <vector>

#include "skinlight/asset/gltf/detail/gltf_document.h"

namespace skinlight::gltf {

// Writes the skinned primitives that KHR_draco_mesh_compression holds back uncompressed, since Draco orders vertices as it
// likes and lists the attributes it holds, and neither survives new ones; and those of split_planes() with their corners.
// What the file held before stays in it, unused. `file` is the document as open() gives it, then split; both have the same
// accessors afterwards. Where there is something to write, a warning.
void write_decoded(Document& document, const tinygltf::Model& file, std::vector<Warning>& warnings);

}  // namespace skinlight::gltf
