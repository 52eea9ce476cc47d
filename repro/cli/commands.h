// The commands of the `skinlight` program. Each adds itself to the program's parser and returns what runs it; the
// int is the exit code: 0 fine, 1 a claim or golden failed or an error is above a limit. Bad input throws
// InputError, which main turns into exit code 2.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "repro/cli/parser.h"
#include "skinlight/core/error.h"

namespace skinlight::cli {

inline constexpr int kBadInput = 2;  // exit code

Command add_list(Parser program);
Command add_reproduce(Parser program);
Command add_compare(Parser program);
Command add_judge(Parser program);
Command add_check(Parser program);
Command add_bake(Parser program);
Command add_golden(Parser program);
Command add_stability(Parser program);

// The names of a table's rows, as the command line has them.
template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

// "a, b, c"
std::string listed(const std::vector<std::string>& names);

// "1 bone", "2 bones"
std::string counted(int count, const std::string& what);

// Options that several commands have.
void add_model(Parser parser, std::string& model);              // any rig that read_model() reads
void add_missing_normals(Parser parser, std::string& missing);  // for missing_normals_from_name()
void add_threads(Parser parser, int& threads);
void add_method(Parser parser, std::string& method, const std::string& help);
void add_fail_above(Parser parser, std::optional<double>& degrees, const std::string& help);

// The exit code of --fail-above, told on stdout when there is a limit: "passed: `of`mean error 3 degrees
// `against`, limit 4".
int verdict(const std::string& of, double mean_degrees, const std::string& against,
            std::optional<double> limit);

// To stderr, one line each.
void print_warnings(const std::string& file, std::span<const Warning> warnings);

nlohmann::ordered_json warnings_json(std::span<const Warning> warnings);

// Bytes that are no UTF-8, as text from files may have them, become U+FFFD.
std::string as_utf8(const std::string& text);

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
