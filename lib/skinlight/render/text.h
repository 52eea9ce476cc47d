// Labels in pictures: DejaVu Sans, which is inside the library, so that they look the same on every machine.
#pragma once

#include <string_view>

#include "skinlight/render/image.h"

namespace skinlight {

enum class TextAlign { left, centre, right };

// Width in pixels of one line of UTF-8 text whose font is `size` pixels high (ascender to descender).
float text_width(std::string_view utf8, float size);

// Draws one line, anti-aliased; its top is at y, its left end, centre or right end at x. What sticks out of
// the image is cut off.
void draw_text(Image8& image, std::string_view utf8, float x, float y, TextAlign align, float size,
               Rgb8 colour);

}  // namespace skinlight
