#include "skinlight/rig/clip_times.h"

#include <algorithm>

namespace skinlight {

double first_key(const Clip& clip) {
  double first = clip.duration;
  bool has_keys = false;
  const auto look = [&](const std::vector<double>& times) {
    if (times.empty()) return;
    has_keys = true;
    first = std::min(first, times.front());
  };
  for (const Channel& channel : clip.channels) look(channel.times);
  for (const MorphChannel& channel : clip.morph_channels) look(channel.times);
  return has_keys ? first : 0;
}

}  // namespace skinlight
