#include <algorithm>
#include <cstdio>
#include <memory>

#include "repro/cli/commands.h"
#include "repro/runner/golden_references.h"
#include "repro/runner/registry.h"

namespace skinlight::cli {

namespace {

struct GoldenOptions {
  std::vector<std::string> ids;
  std::string golden = "golden", out = "build/golden";
  std::string renderer = "llvmpipe";
  bool no_times = false;
};

// Runs the experiment into out/<id>.
repro::RunReport reproduce(const repro::Experiment& experiment, repro::Studio& studio,
                           const GoldenOptions& options) {
  ProgressLine line;
  return repro::run(experiment, studio, {options.out, 0},
                    [&](const std::string& step) { line.show(experiment.id + ": " + step); });
}

bool fails(const repro::Judgement& judgement) { return judgement.verdict == repro::Verdict::failed; }

// Times are disturbed by whatever else the machine does, and not alike in a second run; a fault fails in all of them.
constexpr int kRunsOfTimes = 3;

repro::RunReport reproduce_times(const repro::Experiment& experiment, repro::Studio& studio,
                                 const GoldenOptions& options) {
  repro::RunReport report = reproduce(experiment, studio, options);
  for (int run = 1; run < kRunsOfTimes && !experiment.times.empty() &&
                    std::any_of(report.judgements.begin(), report.judgements.end(), fails);
       ++run) {
    std::printf("%s: a claim about times failed: measured again\n", experiment.id.c_str());
    report = reproduce(experiment, studio, options);
  }
  return report;
}

// How many of the run's claims failed, each told in a line.
int failed_claims(const repro::Experiment& experiment, const repro::RunReport& report) {
  int failed = 0;
  for (const repro::Judgement& j : report.judgements) {
    if (!fails(j)) continue;
    std::printf("%s: claim %s failed: measured %.6g\n", experiment.id.c_str(), j.claim->name.c_str(),
                j.value);
    ++failed;
  }
  return failed;
}

int check(const GoldenOptions& options) {
  // One that is named by its own id has to have references.
  std::vector<const repro::Experiment*> chosen = repro::experiments_of(options.ids);
  std::erase_if(chosen, [&](const repro::Experiment* e) {
    return !repro::has_golden(*e) &&
           std::find(options.ids.begin(), options.ids.end(), e->id) == options.ids.end();
  });
  if (options.no_times) {
    std::erase_if(chosen, [](const repro::Experiment* e) { return !e->times.empty(); });
    if (chosen.empty()) throw InputError("", "--no-times", "leaves out all that is named");
  }

  repro::Studio studio(renderer_from_name(options.renderer));
  const std::filesystem::path failures = std::filesystem::path(options.out) / "failures";
  int mismatches = 0, failed = 0;
  for (const repro::Experiment* e : chosen) {
    const repro::RunReport report = reproduce_times(*e, studio, options);
    if (!report.not_run.empty()) {
      std::printf("%s: not run: %s\n", e->id.c_str(), report.not_run.c_str());
      continue;
    }
    failed += failed_claims(*e, report);
    const auto found =
        repro::check_golden(*e, std::filesystem::path(options.out) / e->id, options.golden, failures);
    for (const repro::GoldenMismatch& m : found)
      std::printf("%s: %s: %s\n", e->id.c_str(), m.file.c_str(), m.reason.c_str());
    if (found.empty()) std::printf("%s: matches its golden references\n", e->id.c_str());
    mismatches += static_cast<int>(found.size());
  }
  if (mismatches > 0)
    std::printf("%d mismatches; actual, expected and difference are in %s\n", mismatches,
                failures.string().c_str());
  if (failed > 0) std::printf("%d claims failed\n", failed);
  return mismatches > 0 || failed > 0 ? 1 : 0;
}

int bless(const GoldenOptions& options) {
  repro::Studio studio(Renderer::llvmpipe);  // the renderer of all references
  for (const std::string& id : options.ids) {
    const repro::Experiment& experiment = repro::experiment(id);
    failed_claims(experiment, reproduce(experiment, studio, options));
    repro::bless_golden(experiment, std::filesystem::path(options.out) / id, options.golden);
    std::printf("%s: references written to %s\n", id.c_str(), options.golden.c_str());
  }
  return 0;
}

}  // namespace

Command add_golden(Parser program) {
  Parser parser = program.command("golden", "Compare with golden references, or make new ones");
  parser.needs_command();
  auto options = std::make_shared<GoldenOptions>();
  Parser checker =
      parser.command("check", "Run experiments, judge their claims, compare normals and pictures");
  Parser blesser = parser.command("bless", "Make the results the references (after looking at them)");
  checker.option("ID", options->ids, "Experiments, or papers; all with references when none is given");
  blesser.option("ID", options->ids, "Experiments").required();
  for (Parser sub : {checker, blesser}) {
    sub.option("--golden", options->golden, "Folder of the references").shows_default();
    sub.option("--out", options->out, "Folder for the runs and for what differs").shows_default();
  }
  checker
      .option(
          "--renderer", options->renderer,
          "llvmpipe, as the references, auto (hardware when there is one), egl-device, egl-surfaceless or osmesa")
      .shows_default();
  checker.flag("--no-times", options->no_times,
               "Leave out experiments about times, which sanitizers and profilers change");
  return {parser, [options, checker] { return checker.parsed() ? check(*options) : bless(*options); }};
}

}  // namespace skinlight::cli
