// Compressed primitives that are to be edited.
#pragma once

#include <vector>

#include "skinlight/asset/gltf/detail/gltf_document.h"

namespace skinlight::gltf {

// Writes the skinned primitives that KHR_draco_mesh_compression holds back uncompressed: Draco orders vertices as it likes
// and lists the attributes it holds, and neither survives new ones. What Draco held stays in the file, unused. `file` is
// the document as open() gives it; both have the same accessors afterwards. Where there is something to write, a warning.
void uncompress_draco(Document& document, const tinygltf::Model& file, std::vector<Warning>& warnings);

}  // namespace skinlight::gltf
