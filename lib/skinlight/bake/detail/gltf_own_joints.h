// Surfaces that go on from a mesh to another of a skin of its own: each file primitive has the joints of one skin.
#pragma once

#include <optional>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_mesh.h"
#include "skinlight/bake/bake.h"

namespace skinlight::gltf {

// By bone of the model, the skin's joint: -1 where it has none.
std::vector<int> joints_of_bones(const BoundSkin& skin, int bone_count);

// The report's record with slots emptied, into slot 0, whose bone the primitive's own skin has no joint for; nothing where
// none is. Warns of each primitive, counting its vertices.
std::optional<FrameRecord> record_of_own_joints(const BakeReport& report,
                                                const std::vector<PrimitiveVertices>& primitives,
                                                std::vector<Warning>& warnings);

}  // namespace skinlight::gltf
