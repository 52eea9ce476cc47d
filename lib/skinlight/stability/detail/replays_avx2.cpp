#include "skinlight/core/contracted_pack.h"
#include "skinlight/core/low_precision_pack.h"
#include "skinlight/core/vulkan_pack.h"
#include "skinlight/stability/detail/replay.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

namespace {
struct Here;  // see core/pack.h
}

void replay_contracted_avx2(const KernelTape& tape, std::span<const VertexCase> cases,
                            std::span<Result> results) {
  replay_cases<ContractedPack<Here>>(tape, cases, results);
}

void replay_vulkan_avx2(const KernelTape& tape, std::span<const VertexCase> cases,
                        std::span<Result> results) {
  replay_cases<VulkanPack<Here>>(tape, cases, results);
}

void replay_half_avx2(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results) {
  replay_cases<HalfPack<Here>>(tape, cases, results);
}

}  // namespace skinlight::stability
