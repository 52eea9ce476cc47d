// Numbers in few bits: how deform factors are stored in files and vertex buffers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "skinlight/core/half.h"

namespace skinlight {

enum class NumberFormat {
  f32,      // float
  f16,      // half
  snorm16,  // -32767 .. 32767 for -1 .. 1
  snorm8,   // -127 .. 127 for -1 .. 1
};

struct NumberFormatRow {
  NumberFormat format;
  std::string_view name;  // command line, files
  int bytes;
  int largest_code;  // of the integer formats; 0 of the others
};

inline constexpr std::array<NumberFormatRow, 4> kNumberFormats = {
    {{NumberFormat::f32, "f32", 4, 0},
     {NumberFormat::f16, "f16", 2, 0},
     {NumberFormat::snorm16, "snorm16", 2, 32767},
     {NumberFormat::snorm8, "snorm8", 1, 127}}};

constexpr const NumberFormatRow& row(NumberFormat format) {
  return kNumberFormats[static_cast<std::size_t>(format)];
}

// What numbers are divided by before they are stored, when `largest` is the largest of their sizes. Halves
// get a power of two that moves it to 2^14 .. 2^15: dividing is exact, and numbers lose digits only below
// 2^-28 of the largest.
inline double storage_scale(NumberFormat format, double largest) {
  if (!(largest > 0) || format == NumberFormat::f32) return 1;
  if (format == NumberFormat::f16) return std::ldexp(1.0, std::ilogb(largest) - 14);
  return largest;
}

// The integer that stands for x in the integer formats: the nearest, ties to even, never beyond the range.
inline int storage_code(NumberFormat format, double x, double scale) {
  const int limit = row(format).largest_code;
  return static_cast<int>(std::clamp(std::nearbyint(x / scale * limit), -1.0 * limit, 1.0 * limit));
}

// x as it comes back from storage.
inline double as_stored(NumberFormat format, double x, double scale) {
  switch (format) {
    case NumberFormat::f32:
      return static_cast<float>(x);
    case NumberFormat::f16:
      return rounded_to_half(x / scale) * scale;
    case NumberFormat::snorm16:
    case NumberFormat::snorm8:
      break;
  }
  return storage_code(format, x, scale) * scale / row(format).largest_code;
}

}  // namespace skinlight
