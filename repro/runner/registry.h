// All experiments. repro/papers.json lists them; repro/CMakeLists.txt makes the table of functions from it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "repro/experiment.h"

namespace skinlight::repro {

// repro/<paper>/<name>.cpp defines `Experiment make()` in the namespace skinlight::repro::<paper>::<name>.
struct Registered {
  const char* paper;
  const char* name;
  Experiment (*make)();
};
std::span<const Registered> registered();

// In the order of the report, with ids and claims. Throws InputError when a claim has words or a finding only.
const std::vector<Experiment>& experiments();

// Throws InputError naming the nearest id.
const Experiment& experiment(const std::string& id);

// Those that `ids` name, each once, in the order of the report; a paper ("tarini2014") names all of its own. All when
// `ids` is empty. Throws InputError naming the nearest id or paper.
std::vector<const Experiment*> experiments_of(std::span<const std::string> ids);

}  // namespace skinlight::repro
