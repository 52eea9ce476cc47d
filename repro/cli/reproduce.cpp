#include <cstdio>
#include <map>
#include <memory>
#include <utility>

#include "repro/cli/commands.h"
#include "repro/runner/registry.h"
#include "repro/runner/runner.h"

namespace skinlight::cli {

namespace {

struct ReproduceOptions {
  std::vector<std::string> ids;
  std::string out = "out", renderer = "auto";
  int threads = 0;
  bool video = false;
};

// Claims by kind and verdict: what the paper prints, what it says and what is ours are never added up.
class Counts {
 public:
  void add(const repro::RunReport& report) {
    for (const repro::Judgement& j : report.judgements) ++counts_[{j.claim->kind, j.verdict}];
  }
  void print() const {
    for (const auto& kind : repro::kClaimKinds) {
      std::string words;
      for (const auto& verdict : repro::kVerdicts)
        if (const auto found = counts_.find({kind.value, verdict.value}); found != counts_.end())
          words.append(words.empty() ? "" : ", ")
              .append(std::to_string(found->second))
              .append(" ")
              .append(verdict.name);
      if (!words.empty()) std::printf("%s: %s\n", std::string(kind.plural).c_str(), words.c_str());
    }
  }

 private:
  std::map<std::pair<repro::ClaimKind, repro::Verdict>, int> counts_;
};

int reproduce(const ReproduceOptions& options) {
  const std::vector<const repro::Experiment*> chosen = repro::experiments_of(options.ids);
  repro::Studio studio(renderer_from_name(options.renderer));
  std::fprintf(stderr, "renderer: %s\n", studio.renderer_version().c_str());
  bool failed = false;
  Counts counts;
  int number = 0;
  for (const repro::Experiment* e : chosen) {
    std::string prefix = "[";
    prefix += std::to_string(++number) + "/" + std::to_string(chosen.size()) + "] " + e->id;
    ProgressLine line;
    const repro::RunReport report =
        repro::run(*e, studio, {options.out, options.threads, options.video},
                   [&](const std::string& step) { line.show(prefix + ": " + step); });
    line.clear();
    if (!report.not_run.empty()) std::printf("%s: not run: %s\n", e->id.c_str(), report.not_run.c_str());
    if (!report.note.empty()) std::printf("%s: %s\n", e->id.c_str(), report.note.c_str());
    for (const std::string& reason : report.left_out)
      std::printf("%s: left out: %s\n", e->id.c_str(), reason.c_str());
    for (const repro::Judgement& j : report.judgements)
      if (j.verdict != repro::Verdict::not_run)
        std::printf("%-24s %-24s %-17s %.6g\n", e->id.c_str(), j.claim->name.c_str(),
                    std::string(repro::name(j.verdict)).c_str(), j.value);
    failed = failed || report.failed();
    counts.add(report);
  }
  counts.print();
  return failed ? 1 : 0;
}

}  // namespace

Command add_reproduce(Parser program) {
  Parser parser = program.command("reproduce", "Run experiments and judge their claims");
  auto options = std::make_shared<ReproduceOptions>();
  parser.option(
      "ID", options->ids,
      "Experiments, as tarini2014/fig2_pill, or all of a paper, as tarini2014; all when none is given");
  parser.option("--out", options->out, "Folder for the results").shows_default();
  parser
      .option("--renderer", options->renderer,
              "auto (hardware when there is one), llvmpipe, egl-device, egl-surfaceless or osmesa")
      .shows_default();
  parser.option("--threads", options->threads, "Threads; 0 uses all cores. Results do not depend on it")
      .not_negative()
      .shows_default();
  parser.flag("--video", options->video,
              "Also write a video of every animated experiment, with the ffmpeg program");
  return {parser, [options] { return reproduce(*options); }};
}

}  // namespace skinlight::cli
