#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "repro/cli/commands.h"
#include "skinlight/core/error.h"
#include "skinlight/skinning/kernel_table.h"

namespace skinlight::cli {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}
ProgressLine::~ProgressLine() { clear(); }

// A terminal gets one line that changes; a log gets every step.
void ProgressLine::show(const std::string& text) {
  if (terminal_)
    std::fprintf(stderr, "\r\033[K%s", text.substr(0, 110).c_str());
  else
    std::fprintf(stderr, "%s\n", text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::update(const std::string& text) {
  if (terminal_) show(text);
}

void ProgressLine::clear() {
  if (terminal_ && shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodRow& method : methods()) names.emplace_back(method.name);
  return names;
}

void require_other_file(const std::string& output, const std::string& input) {
  std::error_code missing;  // then they differ
  if (!output.empty() && std::filesystem::equivalent(output, input, missing))
    throw InputError(output, "", "is the input; write to another file");
}

}  // namespace skinlight::cli
