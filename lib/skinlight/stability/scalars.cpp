#include "skinlight/stability/scalars.h"

#include <array>

#include "skinlight/stability/detail/runs.h"
#include "skinlight/core/names.h"
#include "skinlight/stability/stages.h"

namespace skinlight::stability {

namespace {

constexpr std::array kScalars = {
    ScalarRow{"float", "32-bit floats, every operation rounded to nearest", true, false, run_float},
    ScalarRow{"contracted", "floats with fused multiply-adds, as compilers for GPUs and ARM make them", false,
              false, run_contracted},
    ScalarRow{"fast-math", "floats as compiled with -ffast-math", false, false, run_fast_math},
    ScalarRow{"vulkan", "floats of any graphics processor that the Vulkan specification allows", false, true,
              run_vulkan},
    ScalarRow{"half", "half precision throughout: 11 significant bits, 5 of exponent", false, false,
              run_half},
};

}  // namespace

std::span<const ScalarRow> scalars() { return kScalars; }

const ScalarRow& scalar_from_name(std::string_view name) {
  if (stage_scalar().name == name) return stage_scalar();
  return row_named(scalars(), name, "scalar");
}

}  // namespace skinlight::stability
