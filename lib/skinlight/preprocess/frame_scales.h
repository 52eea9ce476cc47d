// What the numbers of deform frames are divided by in storage.
#pragma once

#include "skinlight/core/number_format.h"
#include "skinlight/preprocess/deform_frames.h"

namespace skinlight {

// Of one vertex, as stored_frames() has them.
struct FrameScales {
  double pure = 0;        // what frames change weights by, and v
  double per_length = 0;  // alpha
  double length = 0;      // centres
};
FrameScales frame_scales(const FrameRecord& record, int vertex, NumberFormat format);

}  // namespace skinlight
