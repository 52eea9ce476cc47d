// How deform frames are spread over vertex attributes: bake/bake.h says it in words.
#pragma once

#include <string>
#include <vector>

#include "skinlight/bake/detail/gltf_baked.h"

namespace skinlight::gltf {

// The attributes of deform frames in so many slots, without values.
struct FrameAttribute {
  std::string name;
  int columns = 4;
  bool scales = false;  // two floats, whatever the format
};
std::vector<FrameAttribute> frame_attributes(int frames, int slots, NumberFormat format);

// Vertices vertices.first .. of the record, in the order of frame_attributes().
NamedAttributes baked_frames(const FrameRecord& record, const PrimitiveVertices& vertices,
                             NumberFormat format);

// Whether a slot moves nothing: no weight of its own, and no frame changes it.
bool is_unused(const FrameRecord& record, int vertex, int slot);

}  // namespace skinlight::gltf
