// Compiled with -ffast-math: the compiler may reorder sums, replace divisions and take numbers for finite.
#include "skinlight/stability/detail/fast_math.h"

namespace skinlight::stability {

using KernelTable = KernelsApart;  // what run_case.h finds

}  // namespace skinlight::stability

#include "skinlight/stability/detail/run_case.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

void run_fast_math(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  run_case<FastFloat>(c, chosen, results);
}

}  // namespace skinlight::stability
