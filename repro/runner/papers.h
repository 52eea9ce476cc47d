// The papers: repro/papers.json, the only place that states authors, titles and the order of experiments.
#pragma once

#include <string>
#include <vector>

namespace skinlight::repro {

struct Paper {
  std::string id;     // "tarini2014": folder of its experiments
  std::string cited;  // "Tarini, Panozzo, Sorkine-Hornung 2014"
};

const std::vector<Paper>& papers();

// Throws std::logic_error when there is no such paper: a mistake of the experiment.
const Paper& paper(const std::string& id);

}  // namespace skinlight::repro
