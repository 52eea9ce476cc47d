// Comparison with golden references. Float normals first: they show an error before shading hides it.
#pragma once

#include <span>
#include <string>

#include "skinlight/core/glsl.h"
#include "skinlight/render/image.h"

namespace skinlight {

// llvmpipe on older CPU feature sets differs by 1/255 in a few pixels of a picture (numerics, section 8).
inline constexpr int kChannelTolerance = 2;  // of 255
inline constexpr double kPixelShare =
    0.001;  // of the pixels may differ by more: edges that fall the other way

struct ImageTolerance {
  int channel = kChannelTolerance;
  double share = kPixelShare;
};

struct ImageDifference {
  bool pass = false;
  std::string reason;  // why it failed, with numbers; empty when it passed
  int largest = 0;     // channel difference, of 255
  int x = -1, y = -1;  // the pixel of the largest difference
  long pixels = 0;     // that differ by more than the channel tolerance
  double share = 0;    // pixels / all
  Image8 picture;  // expected, pale; yellow: differs within the tolerance, red: by more. Empty on wrong size
};

// Images of different or no size fail.
ImageDifference compare_images(const Image8& actual, const Image8& expected, ImageTolerance tolerance = {});

struct NormalDifference {
  bool pass = false;
  std::string reason;  // why it failed, with numbers; empty when it passed
  double largest = 0;  // angle in radians; pi between a vector and none
  double rms = 0;      // over the rows that have a vector, unweighted
  long worst = -1;     // the row of the largest angle, or the first that is not finite
  long above = 0;      // rows above max_radians
};

// Rows (#V by 3) need not be unit vectors. Zero rows (uncovered pixels) equal each other only. Fails on any
// row that is not finite, on different lengths and on empty arrays.
NormalDifference compare_normals(std::span<const Vec3f> actual, std::span<const Vec3f> expected,
                                 double max_radians);

}  // namespace skinlight
