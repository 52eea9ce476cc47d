// Of what is written around pictures.
#pragma once

#include "skinlight/render/image.h"

namespace skinlight {

inline constexpr Rgb8 kWhite{255, 255, 255}, kInk{40, 40, 40};

// As messages say it.
inline std::string size_text(const Image8& image) {
  return std::to_string(image.width) + " x " + std::to_string(image.height);
}

}  // namespace skinlight
