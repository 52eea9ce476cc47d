// Numbers in few bits: how deform factors are stored in files and vertex buffers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "skinlight/core/half.h"

namespace skinlight {

enum class NumberFormat {
  f32,      // float
  f16,      // half
  snorm16,  // -32767 .. 32767 for -1 .. 1
  snorm8,   // -127 .. 127 for -1 .. 1
};

// How a format's numbers are laid down, also where files have no type for them.
enum class Stored {
  floats,  // as they are
  bits,    // the bits of shorter floats, in unsigned integers
  codes,   // integers: -largest_code .. largest_code stand for -scale .. scale
};

struct NumberFormatRow {
  NumberFormat format;
  std::string_view name;  // command line, files
  int bytes;
  Stored stored;
  int largest_code;  // of codes; 0 of the others
};

inline constexpr std::array<NumberFormatRow, 4> kNumberFormats = {
    {{NumberFormat::f32, "f32", 4, Stored::floats, 0},
     {NumberFormat::f16, "f16", 2, Stored::bits, 0},
     {NumberFormat::snorm16, "snorm16", 2, Stored::codes, 32767},
     {NumberFormat::snorm8, "snorm8", 1, Stored::codes, 127}}};

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

// The integer that stands for x in formats of codes: the nearest, ties to even, never beyond the range.
inline int storage_code(NumberFormat format, double x, double scale) {
  const int limit = row(format).largest_code;
  return static_cast<int>(std::clamp(std::nearbyint(x / scale * limit), -1.0 * limit, 1.0 * limit));
}

// What is stored for x, in the low bytes; codes in two's complement.
inline std::uint32_t stored_bits(NumberFormat format, double x, double scale) {
  switch (row(format).stored) {
    case Stored::floats:
      return std::bit_cast<std::uint32_t>(static_cast<float>(x));
    case Stored::bits:
      return half_from(x / scale);
    case Stored::codes:
      break;
  }
  return static_cast<std::uint32_t>(storage_code(format, x, scale));
}

// The number that stored_bits() made these of, as it comes back. Bytes beyond the format's do not count.
inline double stored_number(NumberFormat format, std::uint32_t bits, double scale) {
  switch (row(format).stored) {
    case Stored::floats:
      return std::bit_cast<float>(bits);
    case Stored::bits:
      return double_from_half(static_cast<std::uint16_t>(bits)) * scale;
    case Stored::codes:
      break;
  }
  const int unused = 32 - 8 * row(format).bytes;
  return (static_cast<std::int32_t>(bits << unused) >> unused) * scale / row(format).largest_code;
}

// x as it comes back from storage.
inline double as_stored(NumberFormat format, double x, double scale) {
  return stored_number(format, stored_bits(format, x, scale), scale);
}

}  // namespace skinlight
