#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "repro/cli/commands.h"
#include "repro/cli/outputs.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/audit/health.h"

namespace skinlight::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;  // of the JSON; grows when a field changes its meaning or goes away

struct Options {
  std::string model, json;
  bool strict = false;
  HealthOptions health;
  int threads = 0;
};

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

Json health_json(const Options& options, const Health& health, const std::vector<Warning>& of_reader,
                 bool healthy) {
  Json json;
  json["schema"] = kSchema;
  json["model"] = options.model;
  json["readable"] = true;
  json["healthy"] = healthy;
  json["strict"] = options.strict;
  json["max_influences"] = options.health.max_influences;
  json["rig"] = {{"vertices", health.vertices},
                 {"positions", health.positions},
                 {"triangles", health.triangles},
                 {"bones", health.bones},
                 {"influences", health.influences}};
  json["poses"] = {{"count", health.poses}, {"from", health.posed_by}};
  json["errors"] = health.count(Severity::error);
  json["warnings"] = health.count(Severity::warning);
  json["notes"] = health.count(Severity::note);
  json["reader_warnings"] = warnings_json(of_reader);
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

Json unreadable_json(const Options& options, const InputError& error) {
  return {{"schema", kSchema}, {"model", options.model},     {"readable", false},
          {"healthy", false},  {"element", error.element()}, {"reason", error.reason()}};
}

// `of_reader` receives what the reader repaired or left out.
Health health_of(const Options& options, std::vector<Warning>& of_reader) {
  ProgressLine line;
  line.show("reading " + options.model);
  RawAttributes raw;
  Model model = read_model(options.model, {.max_influences = kAllInfluences, .raw = &raw});
  of_reader = model.warnings;
  const Character character(std::move(model), {}, options.threads);
  line.show("checking " + options.model);
  return check_health(character, raw, options.health);
}

int check(const Options& options) {
  Outputs outputs({options.json}, {options.model});
  Health health;
  std::vector<Warning> of_reader;
  try {
    health = health_of(options, of_reader);
  } catch (const InputError& e) {
    outputs.write_json(options.json, unreadable_json(options, e));
    throw e.in_file(options.model);
  }
  print_warnings(options.model, of_reader);
  const int errors = health.count(Severity::error), warnings = health.count(Severity::warning);
  const bool healthy = errors == 0 && (!options.strict || warnings == 0);
  print_summary_of_rig(options.model, health);
  print_findings(health);
  std::printf("\n%s, %s, %s: %s\n", counted(errors, "error").c_str(), counted(warnings, "warning").c_str(),
              counted(health.count(Severity::note), "note").c_str(), healthy ? "healthy" : "not healthy");
  outputs.write_json(options.json, health_json(options, health, of_reader, healthy));
  return healthy ? 0 : 1;
}

std::string kinds_footer() {
  std::string text = "Findings: a vertex, triangle, bone or node that\n";
  for (const FindingKind& kind : finding_kinds()) {
    char line[160];
    std::snprintf(line, sizeof line, "  %-7s  %-21s %s\n", std::string(name(kind.severity)).c_str(),
                  std::string(kind.id).c_str(), std::string(kind.says).c_str());
    text += line;
  }
  return text +
         "Exit code: 0 healthy; 1 errors, or with --strict errors or warnings; 2 the file cannot be read.";
}

}  // namespace

Command add_check(Parser program) {
  Parser parser = program.command("check", "Tell what is wrong with a rig, where, and what to do");
  auto options = std::make_shared<Options>();
  add_model(parser, options->model);
  parser.option("--json", options->json, "Write the findings to this file; - is standard output");
  parser.flag("--strict", options->strict, "Warnings count as findings too");
  parser
      .option("--influences", options->health.max_influences, "Bones per vertex that the target engine keeps")
      .within(1, kMaxSlots)
      .shows_default();
  add_threads(parser, options->threads);
  parser.footer(kinds_footer());
  return {parser, [options] { return check(*options); }};
}

}  // namespace skinlight::cli
