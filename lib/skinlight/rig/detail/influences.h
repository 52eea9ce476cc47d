// The part of validate() that skinning and preprocessing depend on.
#pragma once

#include <span>

namespace skinlight {

// Throws InputError naming the first vertex whose bones do not exist or whose weights are not finite, negative, not in
// descending order or do not sum to 1 within kWeightSumTolerance. bone, weight: #V by slots.
void require_influences(int bone_count, int slots, std::span<const int> bone, std::span<const double> weight);

}  // namespace skinlight
