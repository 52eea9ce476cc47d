// The manual page and the completion of shells, from the descriptions that --help prints.
#pragma once

#include <string>
#include <vector>

namespace skinlight::cli {

struct DescribedOption {
  std::vector<std::string> names;  // "-o", "--out"; of a positional argument its name alone
  bool positional = false;
  std::string value;                 // what its value is called, "FILE"; "" for a flag
  std::vector<std::string> choices;  // all that the value can be, or empty
  std::string usual, help;
};

struct DescribedCommand {
  std::string name, help, footer;
  std::vector<DescribedOption> options;
  std::vector<DescribedCommand> commands;
};

// For man(1), in roff's macros.
std::string manual_page(const DescribedCommand& program, const std::string& version);

// "bash", "zsh", "fish"
const std::vector<std::string>& completed_shells();

// A script that the shell reads. shell: one of completed_shells().
std::string completion(const DescribedCommand& program, const std::string& shell);

}  // namespace skinlight::cli
