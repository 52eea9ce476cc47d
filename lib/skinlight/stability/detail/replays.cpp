#include "skinlight/core/contracted.h"
#include "skinlight/core/low_precision.h"
#include "skinlight/core/stochastic.h"
#include "skinlight/core/vulkan_float.h"
#include "skinlight/stability/detail/replay.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

void replay_contracted(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results) {
  replay_cases<Contracted>(tape, cases, results);
}

void replay_vulkan(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results) {
  replay_cases<VulkanFloat>(tape, cases, results);
}

void replay_half(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results) {
  replay_cases<Half>(tape, cases, results);
}

void replay_stochastic(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results) {
  replay_cases<Stochastic>(tape, cases, results);
}

}  // namespace skinlight::stability
