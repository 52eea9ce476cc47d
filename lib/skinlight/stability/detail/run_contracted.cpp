#include "skinlight/core/contracted.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

void run_contracted(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  run_case<Contracted>(c, chosen, results);
}

}  // namespace skinlight::stability
