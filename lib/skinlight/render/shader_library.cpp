#include "skinlight/render/shader_library.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "skinlight/core/error.h"
#include "skinlight/render/detail/embedded.h"

namespace skinlight {

namespace {

class Assembler {
 public:
  Assembler(const ShaderFiles& library, std::span<const Define> defines)
      : library_(library), defines_(defines) {}

  // `from` names the including file and line in errors.
  void append(const std::string& file, const std::string& from) {
    const auto found = library_.find(file);
    if (found == library_.end()) throw InputError(from, "\"" + file + "\"", "no such file under shaders/");
    const std::size_t number = result_.files.size();
    result_.files.push_back(file);
    const bool root = number == 0;
    if (!root) set_line(1, number);

    std::istringstream lines(found->second);
    std::string line;
    for (int i = 1; std::getline(lines, line); ++i) {
      if (root && i == 1) {
        append_version(file, line);
      } else if (is_include(line)) {
        include(line, "shaders/" + file + ":" + std::to_string(i));
        set_line(i + 1, number);
      } else {
        result_.text += line + '\n';
      }
    }
  }

  ShaderText result() && { return std::move(result_); }

 private:
  static bool is_include(const std::string& line) {
    static const std::regex pattern(R"(\s*#\s*include\b.*)");
    return std::regex_match(line, pattern);
  }

  void include(const std::string& line, const std::string& where) {
    static const std::regex pattern(R"re(\s*#\s*include\s+(?:"([^"]+)"|(\w+))\s*(//.*)?)re");
    std::smatch match;
    if (!std::regex_match(line, match, pattern))
      throw InputError(where, "#include", "expected a name in quotes or a define");
    const std::string file = match[1].matched ? std::string(match[1]) : quoted(match[2], where);
    if (std::find(result_.files.begin(), result_.files.end(), file) == result_.files.end())
      append(file, where);
  }

  // The name in quotes that a define stands for.
  std::string quoted(const std::string& name, const std::string& where) const {
    for (const Define& d : defines_)
      if (d.name == name && d.value.size() > 2 && d.value.front() == '"' && d.value.back() == '"')
        return d.value.substr(1, d.value.size() - 2);
    throw InputError(where, "#include", "'" + name + "' is no define that stands for a name in quotes");
  }

  void append_version(const std::string& file, const std::string& line) {
    if (line.rfind("#version ", 0) != 0)
      throw InputError("shaders/" + file + ":1", "", "the first line of a program must be #version");
    result_.text += line + '\n';
    for (const Define& d : defines_)
      if (d.value.find('"') == std::string::npos)  // GLSL has no strings: names of files are for #include
        result_.text += "#define " + d.name + " " + d.value + '\n';
    set_line(2, 0);
  }

  // From GLSL 3.30 on, #line numbers the line that follows it.
  void set_line(int line, std::size_t number) {
    result_.text += "#line " + std::to_string(line) + " " + std::to_string(number) + '\n';
  }

  const ShaderFiles& library_;
  std::span<const Define> defines_;
  ShaderText result_;
};

}  // namespace

const ShaderFiles& shader_files() {
  static const ShaderFiles files = [] {
    ShaderFiles all;
    for (const embedded::EmbeddedFile& f : embedded::shader_bytes())
      all.emplace(std::string(f.name), std::string(f.bytes));
    return all;
  }();
  return files;
}

ShaderText assemble_shader(const ShaderFiles& library, std::string_view file,
                           std::span<const Define> defines) {
  Assembler assembler(library, defines);
  assembler.append(std::string(file), "shaders");
  return std::move(assembler).result();
}

std::string translate_log(std::string_view log, std::span<const std::string> files) {
  static const std::regex place(
      R"(^(ERROR: |WARNING: )?(\d{1,6})(?::(\d{1,9})(?:\(\d+\))?|\((\d{1,9})\))\s*:\s*(.*)$)");
  std::istringstream lines{std::string(log)};
  std::string line, translated;
  while (std::getline(lines, line)) {
    std::smatch m;
    if (std::regex_match(line, m, place) && std::stoul(m[2]) < files.size()) {
      const std::string number = m[3].matched ? m[3] : m[4];
      line = "shaders/" + files[std::stoul(m[2])] + ":" + number + ": " + m[1].str() + m[5].str();
    }
    if (!line.empty()) translated += (translated.empty() ? "" : "\n") + line;
  }
  return translated;
}

}  // namespace skinlight
