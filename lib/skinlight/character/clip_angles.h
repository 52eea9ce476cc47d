// The angles that clip_error() takes its statistics of, as they come: for who sorts them in another way.
#pragma once

#include "skinlight/character/clip_error.h"

namespace skinlight {

// One way to skin in one frame. Everything is #V, and gone when the next comes.
struct ClipAngles {
  std::size_t way = 0;  // counts the ways to skin
  const PosedTruth& truth;
  std::span<const double> degrees;  // against the transported truth
  std::span<const double> shares;   // of the deformed area, sum 1
};

// As clip_error() without `each`, which is called for all ways of a frame in turn, frame after frame.
ClipError clip_error(const Character& character, const Clip& clip, int frames,
                     std::span<const SkinOptions> ways, const std::function<void(int frame)>& progress,
                     const std::function<void(const ClipAngles&)>& each);

}  // namespace skinlight
