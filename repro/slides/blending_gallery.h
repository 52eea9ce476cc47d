// Claims about what the gallery of blending methods measures.
#pragma once

#include <vector>

#include "repro/experiment.h"

namespace skinlight::repro {

std::vector<Claim> blending_gallery_claims();

}  // namespace skinlight::repro
