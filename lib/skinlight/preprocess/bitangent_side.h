// The side of bitangents outside the library. glTF 2.0 (section 3.7.2.1) keeps it in TANGENT.w: b = w n x t is
// where normal maps have +Y, upwards in the picture, and v runs down it. The library's b0 runs along rising v
// [TPS14 Eq. 9], so it is the opposite vector, and w the opposite of the frame's handedness. What leaves the
// library, numbers along b included, is in the frame of files; what enters it is turned round.
#pragma once

#include "skinlight/preprocess/normal_record.h"

namespace skinlight {

inline double gltf_w(double handedness) { return -handedness; }
inline double handedness_of_w(double w) { return -w; }

// What a record's numbers are multiplied by on their way out.
inline double file_side(Quantity quantity) {
  return quantity == Quantity::beta || quantity == Quantity::along_b ? -1 : 1;
}

}  // namespace skinlight
