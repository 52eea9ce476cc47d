#include "skinlight/core/contracted_pack.h"
#include "skinlight/stability/detail/run_lanes.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

namespace {
struct ContractedHere;  // see core/pack.h
}

void run_contracted_avx2(std::span<const VertexCase> cases, std::span<const Subject> chosen,
                         std::span<Result> results) {
  run_lanes<ContractedPack<ContractedHere>>(cases, chosen, results);
}

}  // namespace skinlight::stability
