// Pictures: float ones to compute with, 8-bit ones to look at. Rows run from top to bottom.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinlight {

using Rgb8 = std::array<std::uint8_t, 3>;

// Four floats per pixel: a normal and its coverage, or linear colour (times coverage) and its coverage.
struct ImageF {
  int width = 0, height = 0;
  std::vector<float> rgba;  // height by width by 4

  ImageF() = default;
  ImageF(int w, int h)
      : width(w), height(h), rgba(4 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  float* at(int x, int y) { return rgba.data() + offset(x, y); }
  const float* at(int x, int y) const { return rgba.data() + offset(x, y); }

 private:
  std::size_t offset(int x, int y) const {
    return 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
  }
};

// sRGB, as in files and on screens.
struct Image8 {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // height by width by 3

  Image8() = default;
  Image8(int w, int h, Rgb8 fill);
  std::uint8_t* at(int x, int y) { return rgb.data() + offset(x, y); }
  const std::uint8_t* at(int x, int y) const { return rgb.data() + offset(x, y); }

 private:
  std::size_t offset(int x, int y) const {
    return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
  }
};

// 8-bit RGB. The bytes depend on the pixels and on libpng and zlib only. Throws InputError naming the file.
void write_png(const std::filesystem::path& path, const Image8& image);

// Any PNG, converted to 8-bit RGB; transparent pixels lie on white. Throws InputError when it is missing or
// not a PNG.
Image8 read_png(const std::filesystem::path& path);

// A PNG or a JPEG in memory, converted to 8-bit RGB; what is transparent keeps its colour. Throws InputError, which names no
// file, when it is neither or damaged.
Image8 decode_image(std::string_view bytes);

// Means of blocks of factor x factor pixels: anti-aliasing of a picture of linear colours drawn `factor`
// times larger. Throws InputError when the size is no multiple of the factor.
ImageF downsample(const ImageF& image, int factor);

// Linear light in 0 .. 1 to sRGB [IEC 61966-2-1]; values outside are clamped, NaN is 0.
std::uint8_t srgb_from_linear(float linear);
Image8 srgb_from_linear(const ImageF& image);

// The image laid over a plain colour (linear) by its coverage.
ImageF over(const ImageF& image, std::array<float, 3> background);

// Copies `source` into `target` with its top left corner at (x, y); what sticks out is cut off.
void paste(const Image8& source, int x, int y, Image8& target);

// A picture with a caption above it.
struct Panel {
  Image8 image;
  std::string label;
};

// Panels side by side on white, top edges of the images aligned, captions centred.
Image8 compose_row(std::span<const Panel> panels);
// Images one below another on white, left edges aligned.
Image8 compose_column(std::span<const Image8> images);

}  // namespace skinlight
