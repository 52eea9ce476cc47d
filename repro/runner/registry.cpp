#include "repro/runner/registry.h"

#include "repro/runner/claim_file.h"
#include "repro/runner/data_file.h"
#include "repro/runner/papers.h"
#include "skinlight/core/names.h"

namespace skinlight::repro {

namespace {

// "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 2", or "Beyond Le, Hodgins 2016 and Bittner et al. 2019".
std::string cited(const std::string& folder, const Experiment& experiment) {
  std::string text = experiment.builds_on.empty() ? paper(folder).cited : "";
  for (const std::string& id : experiment.builds_on)
    text += (text.empty() ? "Beyond " : " and ") + paper(id).cited;
  return experiment.place.empty() ? text : text + ", " + experiment.place;
}

std::vector<Experiment> made() {
  const auto read = [](const std::string& file) { return read_claims("repro/" + file, data_file(file)); };
  const std::vector<Claim> common = read("common.claims.json");
  std::vector<Experiment> all;
  for (const Registered& entry : registered()) {
    Experiment e = entry.make();
    e.id = std::string(entry.paper) + "/" + entry.name;
    e.paper = cited(entry.paper, e);
    const std::string file = e.id + ".claims.json";
    e.claims = join_claims("repro/" + file, e.findings, read(file), common);
    all.push_back(std::move(e));
  }
  return all;
}

}  // namespace

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = made();
  return all;
}

const Experiment& experiment(const std::string& id) {
  return row_named(experiments(), id, "experiment",
                   [](const Experiment& e) { return std::string_view(e.id); });
}

}  // namespace skinlight::repro
