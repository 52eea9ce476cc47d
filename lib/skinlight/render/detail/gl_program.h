// Linked GL programs. Private to render.
#pragma once

#include <string>
#include <vector>

#include "skinlight/render/detail/gl.h"
#include "skinlight/render/shader_library.h"

namespace skinlight {

struct ProgramSource {
  std::string vertex;                 // as "programs/posed_draw.vert"
  std::string fragment;               // empty: capture only
  std::vector<Define> defines;        // of both stages
  std::vector<std::string> captured;  // outputs written by transform feedback, interleaved in this order
  auto operator<=>(const ProgramSource&) const = default;
};

// Throws InputError with the driver's log in terms of the original files.
GlObject build_program(const ProgramSource& source, const ShaderFiles& library = shader_files());

// Location of a uniform that the program must use. Throws InputError naming it.
GLint uniform(const GlObject& program, const char* name);

}  // namespace skinlight
