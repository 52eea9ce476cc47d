#include "skinlight/core/low_precision_pack.h"
#include "skinlight/stability/detail/run_lanes.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

namespace {
struct HalfHere;  // see core/pack.h
}

void run_half_avx2(std::span<const VertexCase> cases, std::span<const Subject> chosen,
                   std::span<Result> results) {
  run_lanes<HalfPack<HalfHere>>(cases, chosen, results);
}

}  // namespace skinlight::stability
