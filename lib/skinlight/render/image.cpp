#include "skinlight/render/image.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/render/detail/page_colours.h"
#include "skinlight/render/text.h"

namespace skinlight {

namespace {

constexpr int kGap = 12;            // around and between panels, pixels
constexpr float kCaptionSize = 18;  // of the font, pixels

// libpng's own error text, kept because png_image_free() clears it.
[[noreturn]] void fail(png_image& png, const std::filesystem::path& path, const char* what) {
  const std::string reason = std::string(what) + ": " + png.message;
  png_image_free(&png);
  throw InputError(path.string(), "", reason);
}

}  // namespace

Image8::Image8(int w, int h, Rgb8 fill) : width(w), height(h) {
  rgb.resize(fill.size() * static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
  for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = fill[i % fill.size()];
}

void write_png(const std::filesystem::path& path, const Image8& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  if (!png_image_write_to_memory(&png, nullptr, &size, 0, image.rgb.data(), 0, nullptr))
    fail(png, path, "cannot be encoded as PNG");
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
    fail(png, path, "cannot be encoded as PNG");
  bytes.resize(size);
  write_file(path, bytes);
}

Image8 read_png(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()))
    fail(png, path, "is not a PNG image");
  png.format = PNG_FORMAT_RGB;
  Image8 image(static_cast<int>(png.width), static_cast<int>(png.height), kWhite);
  const png_color white{255, 255, 255};
  if (!png_image_finish_read(&png, &white, image.rgb.data(), 0, nullptr))
    fail(png, path, "is a damaged PNG image");
  return image;
}

ImageF downsample(const ImageF& image, int factor) {
  if (factor < 1 || image.width % factor != 0 || image.height % factor != 0)
    throw InputError("", "image",
                     "its size is no multiple of the supersampling factor " + std::to_string(factor));
  ImageF small(image.width / factor, image.height / factor);
  const float share = 1.0f / static_cast<float>(factor * factor);
  for (int y = 0; y < small.height; ++y)
    for (int x = 0; x < small.width; ++x)
      for (int row = 0; row < factor; ++row)
        for (int column = 0; column < factor; ++column)
          for (int c = 0; c < 4; ++c)
            small.at(x, y)[c] += image.at(factor * x + column, factor * y + row)[c] * share;
  return small;
}

std::uint8_t srgb_from_linear(float linear) {
  if (!(linear > 0)) return 0;
  if (linear >= 1) return 255;
  const float encoded = linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(std::lround(255 * encoded));
}

Image8 srgb_from_linear(const ImageF& image) {
  Image8 encoded(image.width, image.height, kWhite);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      for (int c = 0; c < 3; ++c) encoded.at(x, y)[c] = srgb_from_linear(image.at(x, y)[c]);
  return encoded;
}

ImageF over(const ImageF& image, std::array<float, 3> background) {
  ImageF result = image;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      float* pixel = result.at(x, y);
      const float coverage = pixel[3];
      for (std::size_t c = 0; c < 3; ++c) pixel[c] += (1 - coverage) * background[c];
      pixel[3] = 1;
    }
  }
  return result;
}

void paste(const Image8& source, int x, int y, Image8& target) {
  const int left = std::max(0, x), right = std::min(target.width, x + source.width);
  if (left >= right) return;
  for (int row = std::max(0, y); row < std::min(target.height, y + source.height); ++row)
    std::memcpy(target.at(left, row), source.at(left - x, row - y),
                3 * static_cast<std::size_t>(right - left));
}

Image8 compose_row(std::span<const Panel> panels) {
  const bool captions =
      std::any_of(panels.begin(), panels.end(), [](const Panel& p) { return !p.label.empty(); });
  const int caption = captions ? static_cast<int>(std::ceil(1.4f * kCaptionSize)) : 0;
  const auto column = [](const Panel& p) {
    return std::max(p.image.width, static_cast<int>(std::ceil(text_width(p.label, kCaptionSize))));
  };
  int width = kGap, height = 0;
  for (const Panel& p : panels) {
    width += column(p) + kGap;
    height = std::max(height, p.image.height);
  }
  Image8 page(width, kGap + caption + height + kGap, kWhite);
  int x = kGap;
  for (const Panel& p : panels) {
    const int space = column(p);
    const float centre = static_cast<float>(x) + 0.5f * static_cast<float>(space);
    draw_text(page, p.label, centre, static_cast<float>(kGap), TextAlign::centre, kCaptionSize, kInk);
    paste(p.image, x + (space - p.image.width) / 2, kGap + caption, page);
    x += space + kGap;
  }
  return page;
}

Image8 compose_column(std::span<const Image8> images) {
  int width = 0, height = 0;
  for (const Image8& image : images) {
    width = std::max(width, image.width);
    height += image.height;
  }
  Image8 page(width, height, kWhite);
  int y = 0;
  for (const Image8& image : images) {
    paste(image, 0, y, page);
    y += image.height;
  }
  return page;
}

}  // namespace skinlight
