#include "repro/tarini2014/tarini2014.h"
#include "skinlight/core/error.h"

namespace skinlight::repro {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {fig2_pill(), fig5_flips(), characters()};
  return all;
}

const Experiment& experiment(const std::string& id) {
  std::string known;
  for (const Experiment& e : experiments()) {
    if (e.id == id) return e;
    known += (known.empty() ? "" : ", ") + e.id;
  }
  throw InputError("", "experiment '" + id + "'", "unknown; choose one of " + known);
}

}  // namespace skinlight::repro
