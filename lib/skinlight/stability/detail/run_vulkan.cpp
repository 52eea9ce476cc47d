#include "skinlight/core/vulkan_float.h"
#include "skinlight/stability/detail/runs.h"

namespace skinlight::stability {

template <>
struct Trait<VulkanFloat> {
  static double value(VulkanFloat x) { return x.value(); }
  static void seed(std::uint64_t seed) { VulkanFloat::seed(seed); }
  static bool missed() { return VulkanFloat::missed(); }
};

void run_vulkan(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) {
  run_case<VulkanFloat>(c, chosen, results);
}

}  // namespace skinlight::stability
