#include <algorithm>
#include <cstdio>

#include "repro/cli/compare.h"
#include "skinlight/core/error.h"

namespace skinlight::cli {

namespace {

bool has(Method method, NormalMode mode) {
  const auto modes = row(method).modes;
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

Way way(const SkinOptions& options) {
  const Guard guard = options.guard.guard;
  Way w{way_name(options), std::string(row(options.mode).label), options};
  if (guard != Guard::none) w.label.append(", ").append(row(guard).label);
  return w;
}

Way way_from_name(Method method, const std::string& name) {
  const std::size_t plus = name.find('+');
  const NormalMode mode = normal_mode_from_name(name.substr(0, plus));
  const std::string unguarded = why_unguarded(method, mode);
  if (plus == std::string::npos) return way({.method = method, .mode = mode});
  const Guard guard = guard_from_name(name.substr(plus + 1));
  if (guard != Guard::none && !unguarded.empty()) throw InputError("", "normals '" + name + "'", unguarded);
  return way({.method = method, .mode = mode, .guard = row(guard).usual});
}

}  // namespace

std::vector<Way> ways_of(const CompareOptions& options) {
  const Method method = method_from_name(options.method);
  std::vector<Way> ways;
  if (options.normals.empty())
    for (const SkinOptions& usual : usual_ways(method, guard_from_name(options.guard)))
      ways.push_back(way(usual));
  for (const std::string& name : options.normals) {
    ways.push_back(way_from_name(method, name));
    for (std::size_t i = 0; i + 1 < ways.size(); ++i)
      if (ways[i].name == ways.back().name)
        throw InputError("", "normals '" + name + "'", "are listed twice");
  }
  return ways;
}

std::string ways_help() {
  std::string text =
      "Normals (--normals): a list of modes, each optionally followed by + and a guard against flips, such as\n"
      "standard,deform,deform+test-then-fix. The first one is what --fail-above and --render look at.\n";
  char line[200];
  for (const NormalModeRow& mode : normal_modes()) {
    std::vector<std::string> of;
    for (const MethodRow& method : methods())
      if (has(method.method, mode.mode)) of.emplace_back(method.name);
    std::snprintf(line, sizeof line, "  %-18s %-36s %s\n", std::string(mode.name).c_str(),
                  std::string(mode.label).c_str(), listed(of).c_str());
    text += line;
  }
  text += "Methods (--method):\n";
  for (const MethodRow& method : methods()) {
    std::snprintf(line, sizeof line, "  %-18s %s\n", std::string(method.name).c_str(),
                  std::string(method.label).c_str());
    text += line;
  }
  return text + "Guards: " + listed(names_of(guards())) + ".\n";
}

}  // namespace skinlight::cli
