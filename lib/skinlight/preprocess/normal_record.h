// What is stored per vertex and bone for normals, beyond bones and weights: in vertex buffers
// (skinning/packed_normals.h) and files (bake/bake.h).
#pragma once

#include <string_view>

namespace skinlight {

enum class NormalRecord {
  deform_factors,  // alpha, beta of all slots but the first
  smoothed,        // alpha, beta and the smooth weight
  deform_vectors,  // t, alpha, b, beta
};

// In files: "deform-factors", "smoothed", "deform-vectors".
constexpr std::string_view name(NormalRecord record) {
  switch (record) {
    case NormalRecord::deform_factors:
      return "deform-factors";
    case NormalRecord::smoothed:
      return "smoothed";
    case NormalRecord::deform_vectors:
      break;
  }
  return "deform-vectors";
}

}  // namespace skinlight
