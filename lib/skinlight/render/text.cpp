#include "skinlight/render/text.h"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>

#include <cmath>
#include <vector>

#include "skinlight/render/detail/embedded.h"

namespace skinlight {

namespace {

const stbtt_fontinfo& font() {
  static const stbtt_fontinfo info = [] {
    stbtt_fontinfo f;
    stbtt_InitFont(&f, reinterpret_cast<const unsigned char*>(embedded::font_bytes()[0].bytes.data()), 0);
    return f;
  }();
  return info;
}

// Code points of UTF-8 text; a byte that starts none counts as U+FFFD.
std::vector<int> code_points(std::string_view utf8) {
  std::vector<int> points;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i++]);
    // 0xc0 and 0xc1 would begin what one byte says, 0xf5 and above what is beyond U+10FFFF.
    const int extra = lead < 0x80                  ? 0
                      : lead < 0xc2 || lead > 0xf4 ? -1
                      : lead < 0xe0                ? 1
                      : lead < 0xf0                ? 2
                                                   : 3;
    int point = extra <= 0 ? lead : lead & (0x3f >> extra);
    int left = extra;
    for (; left > 0 && i < utf8.size() && (utf8[i] & 0xc0) == 0x80; --left)
      point = point << 6 | (utf8[i++] & 0x3f);
    points.push_back(left == 0 ? point : 0xfffd);
  }
  return points;
}

// Calls draw(glyph, offset from the left end in pixels) and returns the width.
template <class Draw>
float lay_out(std::string_view utf8, float scale, Draw draw) {
  float x = 0;
  int previous = 0;
  for (const int point : code_points(utf8)) {
    const int glyph = stbtt_FindGlyphIndex(&font(), point);
    if (previous != 0) x += scale * static_cast<float>(stbtt_GetGlyphKernAdvance(&font(), previous, glyph));
    draw(glyph, x);
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&font(), glyph, &advance, &bearing);
    x += scale * static_cast<float>(advance);
    previous = glyph;
  }
  return x;
}

void blend(std::uint8_t* pixel, Rgb8 colour, int coverage) {
  for (std::size_t c = 0; c < 3; ++c)
    pixel[c] = static_cast<std::uint8_t>((pixel[c] * (255 - coverage) + colour[c] * coverage + 127) / 255);
}

void draw_glyph(Image8& image, int glyph, float scale, float x, int baseline, Rgb8 colour) {
  const float left = std::floor(x);
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  stbtt_GetGlyphBitmapBoxSubpixel(&font(), glyph, scale, scale, x - left, 0, &x0, &y0, &x1, &y1);
  const int w = x1 - x0, h = y1 - y0;
  if (w <= 0 || h <= 0) return;
  const auto row_size = static_cast<std::size_t>(w);
  std::vector<unsigned char> coverage(row_size * static_cast<std::size_t>(h));
  stbtt_MakeGlyphBitmapSubpixel(&font(), coverage.data(), w, h, w, scale, scale, x - left, 0, glyph);
  for (int row = 0; row < h; ++row) {
    for (int column = 0; column < w; ++column) {
      const int px = static_cast<int>(left) + x0 + column, py = baseline + y0 + row;
      if (px < 0 || py < 0 || px >= image.width || py >= image.height) continue;
      blend(image.at(px, py), colour,
            coverage[static_cast<std::size_t>(row) * row_size + static_cast<std::size_t>(column)]);
    }
  }
}

}  // namespace

float text_width(std::string_view utf8, float size) {
  return lay_out(utf8, stbtt_ScaleForPixelHeight(&font(), size), [](int, float) {});
}

void draw_text(Image8& image, std::string_view utf8, float x, float y, TextAlign align, float size,
               Rgb8 colour) {
  const float scale = stbtt_ScaleForPixelHeight(&font(), size);
  int ascent = 0, descent = 0, line_gap = 0;
  stbtt_GetFontVMetrics(&font(), &ascent, &descent, &line_gap);
  if (align != TextAlign::left) x -= text_width(utf8, size) * (align == TextAlign::centre ? 0.5f : 1.0f);
  // A baseline between two rows would blur every horizontal stroke.
  const int baseline = static_cast<int>(std::lround(y + scale * static_cast<float>(ascent)));
  lay_out(utf8, scale,
          [&](int glyph, float offset) { draw_glyph(image, glyph, scale, x + offset, baseline, colour); });
}

}  // namespace skinlight
