// What the surface of a glTF character looks like besides its shape: the base colours of its materials.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "skinlight/asset/read_options.h"
#include "skinlight/core/glsl.h"

namespace skinlight {

// Faces are those of the Model that is read from the same file with the same options.
struct BaseColours {
  std::vector<Vec3f> face;  // #F by 3, linear: baseColorFactor of the face's material; white without one
  std::vector<std::uint8_t> textured;  // #F: whether the picture, sampled at uv, is a factor besides
  std::string
      picture;  // PNG or JPEG, sRGB, as it lies in the file; empty: no material has one that can be had
};

// Of several pictures the first that a primitive shows is taken, and primitives with another keep the colour of their
// material. Where primitives share vertices, their faces have the colours of the first. Vertex colours (COLOR_0) and
// everything else of materials are not read. Throws InputError as read_gltf() does, and where a material refers to what the
// file does not have.
BaseColours read_base_colours(const std::filesystem::path& gltf, const ReadOptions& options = {});

}  // namespace skinlight
