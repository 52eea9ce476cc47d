#include "repro/cli/check.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "repro/cli/outputs.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/bake/stale.h"

namespace skinlight::cli {

namespace {

using Json = nlohmann::ordered_json;

Checked checked_file(const std::string& file, const CheckOptions& options) {
  Checked checked{file, {}, {}, {}};
  ProgressLine line;
  try {
    line.show("reading " + file);
    RawAttributes raw;
    Model model = read_model(file, {.max_influences = kAllInfluences,
                                    .raw = &raw,
                                    .keep_unusable_weights = true,
                                    .missing_normals = missing_normals_from_name(options.missing_normals)});
    raw.stale_bakes = stale_bakes(file);
    checked.of_reader = model.warnings;
    const Character character(std::move(model), {}, options.threads);
    line.show("checking " + file);
    checked.health = check_health(character, raw, options.health);
  } catch (const InputError& e) {
    checked.unreadable = e.in_file(file);
  }
  return checked;
}

// One file is an object; of several, or of a pattern, it has them all.
Json json_of(const std::vector<Checked>& all, const CheckOptions& options) {
  if (all.size() == 1 && options.models == std::vector<std::string>{all.front().file})
    return health_json(all.front(), options);
  Json models = Json::array();
  for (const Checked& checked : all) models.push_back(health_json(checked, options));
  const bool healthy =
      std::all_of(all.begin(), all.end(), [&](const Checked& c) { return c.healthy(options.strict); });
  return {{"schema", models.front()["schema"]}, {"healthy", healthy}, {"models", models}};
}

int check(const CheckOptions& options) {
  const std::vector<std::string> files = model_files(options.models);
  Outputs outputs({options.json, options.sarif, options.junit}, files);
  std::vector<Checked> all;
  for (const std::string& file : files) {
    if (!all.empty()) std::printf("\n");
    all.push_back(checked_file(file, options));
    print_checked(all.back(), options.strict);
  }
  const auto count = [&](auto is) { return static_cast<int>(std::count_if(all.begin(), all.end(), is)); };
  const int healthy = count([&](const Checked& c) { return c.healthy(options.strict); });
  const int unreadable = count([](const Checked& c) { return c.unreadable.has_value(); });
  if (all.size() > 1)
    std::printf("\n%zu models: %d healthy, %d not healthy, %d unreadable\n", all.size(), healthy,
                static_cast<int>(all.size()) - healthy - unreadable, unreadable);
  if (!options.json.empty()) outputs.write_json(options.json, json_of(all, options));
  if (!options.sarif.empty()) outputs.write_json(options.sarif, sarif(all));
  if (!options.junit.empty()) outputs.write(options.junit, junit(all, options.strict));
  if (unreadable > 0) return kBadInput;
  return healthy == static_cast<int>(all.size()) ? 0 : 1;
}

std::string footer() {
  std::string text =
      "Several files are checked one after the other. In quotes, * and ? stand for characters of a name and ** for any\n"
      "folders, so that 'assets/**' is every model below assets.\n"
      "Findings: a vertex, triangle, bone or node that\n";
  for (const FindingKind& kind : finding_kinds()) {
    char line[160];
    std::snprintf(line, sizeof line, "  %-7s  %-22s %s\n", std::string(name(kind.severity)).c_str(),
                  std::string(kind.id).c_str(), std::string(kind.says).c_str());
    text += line;
  }
  return text +
         "Exit code: 0 healthy; 1 errors, or with --strict errors or warnings; 2 a file cannot be read.";
}

}  // namespace

Command add_check(Parser program) {
  Parser parser = program.command("check", "Tell what is wrong with rigs, where, and what to do");
  auto options = std::make_shared<CheckOptions>();
  parser.option("MODEL", options->models, "Rigs: " + model_formats() + "; files or patterns").required();
  parser.option("--json", options->json, "Write the findings to this file; - is standard output")
      .called("FILE");
  parser.option("--sarif", options->sarif, "The same as SARIF 2.1.0, which code hosts show beside changes")
      .called("FILE");
  parser.option("--junit", options->junit, "The same as JUnit's XML, a test per model and kind of finding")
      .called("FILE");
  parser.flag("--strict", options->strict, "Warnings count as findings too");
  parser
      .option("--influences", options->health.max_influences, "Bones per vertex that the target engine keeps")
      .within(1, kMaxSlots)
      .shows_default();
  add_missing_normals(parser, options->missing_normals);
  add_threads(parser, options->threads);
  parser.footer(footer());
  return {parser, [options] { return check(*options); }};
}

}  // namespace skinlight::cli
