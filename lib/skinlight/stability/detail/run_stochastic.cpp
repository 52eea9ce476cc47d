#include "skinlight/core/stochastic.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

template <>
struct Trait<Stochastic> {
  static double value(Stochastic x) { return x.value(); }
  static void seed(std::uint64_t seed) { Stochastic::seed(seed); }
  static bool missed() { return false; }
};

void run_stochastic(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  run_case<Stochastic>(c, chosen, results);
}

}  // namespace skinlight::stability
