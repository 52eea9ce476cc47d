// The text of shaders/: real files, embedded at build time. Includes are resolved here, because GLSL has
// none, and the driver's messages are translated back to the file and line that a person edits.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinlight {

// Name under shaders/, as "kernels/lbs.glsl" -> text.
using ShaderFiles = std::map<std::string, std::string, std::less<>>;

// The files that the library was built with.
const ShaderFiles& shader_files();

// A variant of a program is the same text under other defines.
struct Define {
  std::string name, value;
  auto operator<=>(const Define&) const = default;
};

struct ShaderText {
  std::string text;                // for the driver
  std::vector<std::string> files;  // names by GLSL source-string number
};

// `file`, which starts with a #version line, with the defines after that line and every `#include
// "kernels/lbs.glsl"` replaced by that file's text: once, later includes of the same file are empty. The name may be a
// define that stands for one in quotes. Lines keep file and number (#line). Throws InputError naming file and line of an
// include that is not there or has no name.
ShaderText assemble_shader(const ShaderFiles& library, std::string_view file,
                           std::span<const Define> defines = {});

// A compiler's log with source-string numbers replaced: "1:12(5): error: ..." (Mesa), "1(12) : error ..."
// (NVIDIA) and "ERROR: 1:12: ..." (others) all become "shaders/kernels/lbs.glsl:12: ...". Other lines are
// kept.
std::string translate_log(std::string_view log, std::span<const std::string> files);

}  // namespace skinlight
