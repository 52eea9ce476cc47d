// When the keys of a clip begin; Clip::duration is when they end.
#pragma once

#include "skinlight/rig/skeleton.h"

namespace skinlight {

// Seconds: the first key of any channel; before it nothing moves. 0 for a clip without keys.
double first_key(const Clip& clip);

// The time of a share of the way from the first to the last key, 0 to 1.
inline double time_within(const Clip& clip, double share) {
  const double first = first_key(clip);
  return first + (clip.duration - first) * share;
}

}  // namespace skinlight
