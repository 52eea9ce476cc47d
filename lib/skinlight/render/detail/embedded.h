// Files that the build put inside the library (lib/cmake/SkinlightEmbed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace skinlight::embedded {

struct EmbeddedFile {
  std::string_view name;  // relative, as "kernels/lbs.glsl"
  std::string_view bytes;
};

std::span<const EmbeddedFile> shader_bytes();  // everything under shaders/
std::span<const EmbeddedFile> font_bytes();    // DejaVuSans.ttf

}  // namespace skinlight::embedded
