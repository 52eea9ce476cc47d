// What all readers of rigs are told.
#pragma once

#include <string_view>

#include "skinlight/asset/raw_attributes.h"

namespace skinlight {

// The normals of vertices that a file gives none.
enum class MissingNormals {
  as_the_format_says,  // flat in glTF [glTF 2.0, section 3.7.2.1], smooth in formats that say nothing
  flat,    // of the faces: where several planes meet in a vertex, every corner becomes one of its own
  smooth,  // averaged over the faces around the position
};

// "usual", "flat", "smooth"
std::string_view name(MissingNormals missing);

// The inverse of name(). Throws InputError listing the names.
MissingNormals missing_normals_from_name(std::string_view name);

struct ReadOptions {
  int max_influences = 4;        // per vertex; the strongest are kept and renormalised, the loss is a warning
  RawAttributes* raw = nullptr;  // receives what the file says before all repairs, when given
  bool keep_unusable_weights =
      false;  // those that are not finite count as 0, with a warning; otherwise an error
  MissingNormals missing_normals = MissingNormals::as_the_format_says;
};

}  // namespace skinlight
