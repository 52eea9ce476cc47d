#include "skinlight/core/wide.h"
#include "skinlight/stability/detail/errors.h"

namespace skinlight::stability {

namespace {
struct Here;  // see core/pack.h
}

void errors_avx2(const VertexCase& c, std::span<const Subject> chosen, std::span<const Asked> asked,
                 std::span<double> errors) {
  errors_over<PairOfDoubles<Here>>(c, chosen, asked, errors);
}

}  // namespace skinlight::stability
