#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cstdio>

#include "repro/cli/commands.h"
#include "skinlight/asset/model_file.h"
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

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string counted(int count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void add_model(Parser parser, std::string& model) {
  parser.option("MODEL", model, "A rig: " + model_formats()).required();
}

void add_missing_normals(Parser parser, std::string& missing) {
  parser
      .option("--missing-normals", missing,
              "Where the file has no normals: flat, of the faces, or smooth, averaged around every position. "
              "Default: flat for glTF, which says so; smooth for others")
      .one_of(std::vector<std::string>{"flat", "smooth"});
}

void add_threads(Parser parser, int& threads) {
  parser.option("--threads", threads, "Threads; 0 uses all cores").not_negative().shows_default();
}

void add_method(Parser parser, std::string& method, const std::string& help) {
  parser.option("--method", method, help).one_of(names_of(methods())).shows_default();
}

void add_fail_above(Parser parser, std::optional<double>& degrees, const std::string& help) {
  parser.option("--fail-above", degrees, help).not_negative().called("DEG");
}

int verdict(const std::string& of, double mean_degrees, const std::string& against,
            std::optional<double> limit) {
  if (!limit) return 0;
  const bool failed = !(mean_degrees <= *limit);
  std::printf("\n%s: %smean error %.3g degrees%s, limit %.3g\n", failed ? "FAILED" : "passed", of.c_str(),
              mean_degrees, against.c_str(), *limit);
  return failed ? 1 : 0;
}

void print_warnings(const std::string& file, std::span<const Warning> warnings) {
  for (const Warning& w : warnings)
    std::fprintf(stderr, "warning: %s: %s: %s (%d)\n", file.c_str(), w.element.c_str(), w.reason.c_str(),
                 w.count);
}

nlohmann::ordered_json warnings_json(std::span<const Warning> warnings) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Warning& w : warnings)
    json.push_back({{"element", w.element}, {"reason", w.reason}, {"count", w.count}});
  return json;
}

std::string as_utf8(const std::string& text) {
  using Json = nlohmann::json;
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

}  // namespace skinlight::cli
