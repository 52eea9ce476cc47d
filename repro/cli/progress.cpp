#include <unistd.h>

#include <cstdio>

#include "repro/cli/commands.h"

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

void ProgressLine::clear() {
  if (terminal_ && shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace skinlight::cli
