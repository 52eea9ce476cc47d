#include "repro/tarini2014/tarini2014.h"
#include "skinlight/core/error.h"

namespace skinlight::repro {

const std::vector<Experiment>& experiments() {
  // In the paper's order.
  static const std::vector<Experiment> all = {
      fig1_skirt(), fig2_pill(),
      fig6_lbs(), fig7_nmax2(),
      fig8_dqs(), characters(),
  };
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
