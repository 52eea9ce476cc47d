#include "skinlight/core/vulkan_pack.h"
#include "skinlight/stability/detail/run_lanes.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

namespace {
struct VulkanHere;  // see core/pack.h
}

template <>
struct LaneTrait<VulkanPack<VulkanHere>> {
  using Floats = VulkanPack<VulkanHere>;
  static void seed(const std::uint64_t (&seeds)[Floats::kLanes]) { Floats::seed(seeds); }
  static bool missed(int lane) { return Floats::missed(lane); }
};

void run_vulkan_avx2(std::span<const VertexCase> cases, std::span<const Subject> chosen,
                     std::span<Result> results) {
  run_lanes<VulkanPack<VulkanHere>>(cases, chosen, results);
}

}  // namespace skinlight::stability
