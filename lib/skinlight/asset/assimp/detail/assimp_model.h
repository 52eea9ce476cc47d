// From what Assimp read to the library's model.
#pragma once

#include <string>

#include "skinlight/asset/assimp/detail/assimp_scene.h"
#include "skinlight/asset/read_options.h"
#include "skinlight/rig/model.h"

namespace skinlight::assimp {

// The model of a scene of any content, as read_assimp() describes it. `default_ticks` are the ticks per
// second of clips that do not tell. Throws InputError naming mesh, bone, vertex, node or clip: indices out of
// range, numbers that are not finite, arrays of the wrong size, bones that no node moves.
Model model_of(const Scene& scene, const std::string& name, const ReadOptions& options, double default_ticks);

}  // namespace skinlight::assimp
