#include "skinlight/core/low_precision.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

void run_half(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  run_case<Half>(c, chosen, results);
}

}  // namespace skinlight::stability
