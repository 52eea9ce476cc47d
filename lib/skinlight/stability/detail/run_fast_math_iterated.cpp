// Compiled with -ffast-math, apart from the other kernels.
#include "skinlight/stability/detail/fast_math.h"

namespace skinlight::stability {

using KernelTable = PartOfTable<Part::iterated>;  // what run_case.h finds

}  // namespace skinlight::stability

#include "skinlight/stability/detail/run_case.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

void run_fast_math_iterated(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  run_case<FastFloat>(c, chosen, results);
}

}  // namespace skinlight::stability
