#include "skinlight/core/wide.h"
#include "skinlight/stability/detail/errors.h"

namespace skinlight::stability {

void errors_baseline(const VertexCase& c, std::span<const Subject> chosen, std::span<const Asked> asked,
                     std::span<double> errors) {
  errors_over<DoubleDouble>(c, chosen, asked, errors);
}

}  // namespace skinlight::stability
