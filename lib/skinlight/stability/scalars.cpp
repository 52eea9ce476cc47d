#include "skinlight/stability/scalars.h"

#include <array>
#include <limits>

#include "skinlight/core/names.h"
#include "skinlight/stability/detail/runs.h"
#include "skinlight/stability/stages.h"

namespace skinlight::stability {

namespace {

// unit_or() of shaders/kernels/vertex.glsl: a square of three products, inversesqrt and a product, each within so many units
// in the last place of 2^-23: 1.5 + .5 + 1 rounded to nearest, 3 + 2 + 1 as Vulkan allows.
constexpr double kUnit = 0x1p-23, kNearestLength = 3 * kUnit, kVulkanLength = 6 * kUnit;
// Squares in half precision may lie below its smallest normal number, where few bits are left of them.
constexpr double kAnyLength = std::numeric_limits<double>::infinity();

constexpr std::array kScalars = {
    ScalarRow{"float", "32-bit floats, every operation rounded to nearest", true, false, kNearestLength,
              run_float},
    ScalarRow{"contracted", "floats with fused multiply-adds, as compilers for GPUs and ARM make them", false,
              false, kNearestLength, nullptr, replay_contracted, replay_contracted_avx2},
    ScalarRow{"fast-math", "floats as compiled with -ffast-math", false, false, kVulkanLength, run_fast_math},
    ScalarRow{"vulkan", "floats of any graphics processor that the Vulkan specification allows", false, true,
              kVulkanLength, nullptr, replay_vulkan, replay_vulkan_avx2},
    ScalarRow{"half", "half precision throughout: 11 significant bits, 5 of exponent", false, false,
              kAnyLength, nullptr, replay_half, replay_half_avx2},
};

}  // namespace

std::span<const ScalarRow> scalars() { return kScalars; }

const ScalarRow& scalar_from_name(std::string_view name) {
  if (stage_scalar().name == name) return stage_scalar();
  return row_named(scalars(), name, "scalar");
}

}  // namespace skinlight::stability
