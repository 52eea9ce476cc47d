#include "skinlight/stability/detail/run_case.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

void run_float(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  run_case<float>(c, chosen, results);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i].rival) results[i] = run_eigen_loop(c);
}

}  // namespace skinlight::stability
