// Pictures of the angular error of normals, pixel by pixel.
#pragma once

#include <array>

#include "skinlight/render/image.h"

namespace skinlight {

// Linear colour of an error, t = error / maximum clamped to 0 .. 1: from dark blue over red to pale yellow,
// along points in CIELAB whose lightness rises evenly, so that greater errors look greater, in grey as well.
std::array<float, 3> heat_colour(double t);

// normals, truth: RGBA32F normal buffers of one view (xyz normal, w > 0 covered). Linear colours and
// coverage; pixels that either buffer leaves uncovered stay empty; a normal that is not finite or zero is
// magenta. Throws InputError when the sizes differ.
ImageF heat_map(const ImageF& normals, const ImageF& truth, double max_degrees);

// The same as a picture: made `supersampling` times smaller, on light grey, with a legend below. One
// max_degrees for several pictures makes them comparable.
Image8 heat_map_picture(const ImageF& normals, const ImageF& truth, double max_degrees, int supersampling);

// A bar of all colours, `width` pixels wide, with ticks in degrees; the last one stands for all larger
// errors.
Image8 heat_legend(int width, double max_degrees);

}  // namespace skinlight
