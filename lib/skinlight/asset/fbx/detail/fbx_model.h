// From an FBX file's objects to the library's model.
#pragma once

#include <string>

#include "skinlight/asset/fbx/detail/fbx_document.h"
#include "skinlight/asset/read_options.h"
#include "skinlight/rig/model.h"

namespace skinlight::fbx {

// As parse_fbx() describes it.
Model model_of(const Document& document, const std::string& name, const ReadOptions& options);

}  // namespace skinlight::fbx
