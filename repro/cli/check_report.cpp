// What a person reads, and the JSON.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "repro/cli/check.h"

namespace skinlight::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;  // of the JSON; grows when a field changes its meaning or goes away

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

void print_summary_of_rig(const std::string& file, const Health& health) {
  std::printf("%s: %d vertices at %s, %s, %s, up to %s; looked at in %s (%s)\n", file.c_str(),
              health.vertices, counted(health.positions, "position").c_str(),
              counted(health.triangles, "triangle").c_str(), counted(health.bones, "bone").c_str(),
              counted(health.influences, "influence").c_str(), counted(health.poses, "pose").c_str(),
              health.posed_by.c_str());
}

void print_findings(const Health& health) {
  const auto extent = [](const Finding& f) {
    return std::to_string(f.count) + " of " + std::to_string(f.of);
  };
  const auto size = [](const Finding& f) {
    return f.kind->unit.empty() ? std::string() : number(f.size) + " " + std::string(f.kind->unit);
  };
  std::size_t extents = 0, sizes = 0, kinds = 0;
  for (const Finding& f : health.findings) {
    extents = std::max(extents, extent(f).size());
    sizes = std::max(sizes, size(f).size());
    kinds = std::max(kinds, f.kind->id.size());
  }
  for (const Finding& f : health.findings) {
    std::printf("\n%-8s %-*s  %*s  %-*s  %s\n", std::string(name(f.kind->severity)).c_str(),
                static_cast<int>(kinds), std::string(f.kind->id).c_str(), static_cast<int>(extents),
                extent(f).c_str(), static_cast<int>(sizes), size(f).c_str(), f.name.c_str());
    std::printf("         The %s %s%s.\n", std::string(name(f.part)).c_str(),
                std::string(f.kind->says).c_str(), f.detail.empty() ? "" : (": " + f.detail).c_str());
    std::printf("         %s\n", std::string(f.kind->advice).c_str());
  }
}

}  // namespace

bool Checked::healthy(bool strict) const {
  return !unreadable && std::none_of(health.findings.begin(), health.findings.end(),
                                     [&](const Finding& f) { return fails(f.kind->severity, strict); });
}

std::string sentence(const Finding& f) {
  std::string text = f.name;
  text.append(" ").append(f.kind->says);
  if (!f.detail.empty()) text.append(": ").append(f.detail);
  text.append(" (").append(std::to_string(f.count)).append(" of ").append(std::to_string(f.of));
  if (!f.kind->unit.empty()) text.append(", worst ").append(number(f.size)).append(" ").append(f.kind->unit);
  return text.append("). ").append(f.kind->advice);
}

void print_checked(const Checked& checked, bool strict) {
  if (checked.unreadable) {
    std::fprintf(stderr, "skinlight: %s\n", checked.unreadable->what());
    return;
  }
  const Health& health = checked.health;
  print_warnings(checked.file, checked.of_reader);
  print_summary_of_rig(checked.file, health);
  print_findings(health);
  std::printf("\nLikely to pay, by the weights around its vertices: --normals %s\n",
              std::string(row(health.predicted).name).c_str());
  std::printf("\n%s, %s, %s: %s\n", counted(health.count(Severity::error), "error").c_str(),
              counted(health.count(Severity::warning), "warning").c_str(),
              counted(health.count(Severity::note), "note").c_str(),
              checked.healthy(strict) ? "healthy" : "not healthy");
}

Json health_json(const Checked& checked, const CheckOptions& options) {
  if (checked.unreadable)
    return {{"schema", kSchema},
            {"model", checked.file},
            {"readable", false},
            {"healthy", false},
            {"element", checked.unreadable->element()},
            {"reason", checked.unreadable->reason()}};
  const Health& health = checked.health;
  Json json;
  json["schema"] = kSchema;
  json["model"] = checked.file;
  json["readable"] = true;
  json["healthy"] = checked.healthy(options.strict);
  json["strict"] = options.strict;
  json["max_influences"] = options.health.max_influences;
  json["rig"] = {{"vertices", health.vertices},
                 {"positions", health.positions},
                 {"triangles", health.triangles},
                 {"bones", health.bones},
                 {"influences", health.influences}};
  json["poses"] = {{"count", health.poses}, {"from", health.posed_by}};
  json["predicted_normals"] = row(health.predicted).name;
  json["errors"] = health.count(Severity::error);
  json["warnings"] = health.count(Severity::warning);
  json["notes"] = health.count(Severity::note);
  json["reader_warnings"] = warnings_json(checked.of_reader);
  json["findings"] = Json::array();
  for (const Finding& f : health.findings)
    json["findings"].push_back({{"kind", f.kind->id},
                                {"severity", name(f.kind->severity)},
                                {"element", {{"type", name(f.part)}, {"index", f.index}, {"name", f.name}}},
                                {"count", f.count},
                                {"of", f.of},
                                {"size", f.kind->unit.empty() ? Json() : Json(f.size)},
                                {"unit", f.kind->unit},
                                {"says", f.kind->says},
                                {"detail", f.detail},
                                {"advice", f.kind->advice}});
  return json;
}

}  // namespace skinlight::cli
