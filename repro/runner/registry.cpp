#include "repro/runner/registry.h"

#include <algorithm>

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

std::string unknown_experiment(const std::string& id) {
  std::vector<std::string> names;
  for (const Paper& paper : papers()) names.push_back(paper.id);
  for (const Experiment& e : experiments()) names.push_back(e.id);
  return unknown_name(id, names);
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

std::vector<const Experiment*> experiments_of(std::span<const std::string> ids) {
  const auto of_paper = [](const Experiment& e, const std::string& paper) {
    return e.id.starts_with(paper + "/");
  };
  for (const std::string& id : ids)
    if (std::none_of(experiments().begin(), experiments().end(),
                     [&](const Experiment& e) { return e.id == id || of_paper(e, id); }))
      throw InputError("", "experiment '" + id + "'", unknown_experiment(id));
  std::vector<const Experiment*> chosen;
  for (const Experiment& e : experiments())
    if (ids.empty() || std::any_of(ids.begin(), ids.end(),
                                   [&](const std::string& id) { return e.id == id || of_paper(e, id); }))
      chosen.push_back(&e);
  return chosen;
}

}  // namespace skinlight::repro
