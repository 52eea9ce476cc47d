// LDR-FLIP: how strongly a person sees two pictures differ when one takes the other's place [ANAM20].
#pragma once

#include <span>
#include <vector>

#include "skinlight/render/image.h"

namespace skinlight {

// As [ANAM20] assumes: a screen 0.7 m wide with 3840 pixels, seen from 0.7 m.
inline constexpr double kFlipPixelsPerDegree = 67;

struct FlipDifference {
  int width = 0, height = 0;
  std::vector<float> map;      // height by width, 0 (alike) .. 1
  double mean = 0;             // of the map; a difference in a small place drowns in the background
  double weighted_median = 0;  // of the map: the pooled value to judge by
};

// Both pictures are taken as sRGB. Neither is the reference: flip(a, b) == flip(b, a). pixels_per_degree:
// pixels of the pictures per degree of visual angle. Throws InputError when the pictures differ in size, are
// empty, or pixels_per_degree is not positive.
FlipDifference flip(const Image8& a, const Image8& b, double pixels_per_degree = kFlipPixelsPerDegree);

// The median of values that weigh as much as they are large [ANAM20, pooling]: the smallest one such that it and
// all smaller ones make up at least half of the sum. values: none negative. 0 when all are, or there are none.
double weighted_median(std::span<const float> values);

}  // namespace skinlight
