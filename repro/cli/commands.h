// The commands of the `skinlight` program. Each adds its options to the parser and returns what runs it; the
// int is the exit code: 0 fine, 1 a claim or golden failed or an error is above a limit. Bad input throws
// InputError, which main turns into exit code 2.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace skinlight::cli {

struct Command {
  CLI::App* parser;
  std::function<int()> run;
};

Command add_list(CLI::App& app);
Command add_reproduce(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_judge(CLI::App& app);
Command add_check(CLI::App& app);
Command add_bake(CLI::App& app);
Command add_golden(CLI::App& app);

// Throws InputError when the file to be written is the one that is read. `output` may be empty.
void require_other_file(const std::string& output, const std::string& input);

// Of all skinning methods, as the command line has them.
std::vector<std::string> method_names();

// Tells on stderr what goes on: one line that changes on a terminal, a line per step elsewhere.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& text);
  // A step too small for a log.
  void update(const std::string& text);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace skinlight::cli
