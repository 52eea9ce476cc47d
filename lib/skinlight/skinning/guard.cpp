#include "skinlight/skinning/guard.h"

#include <array>
#include <cmath>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/names.h"

namespace skinlight {

namespace {

constexpr std::array kGuards = {
    GuardRow{Guard::none, "none", "unguarded", {}, ""},
    GuardRow{Guard::clamp, "clamp", "clamp", {Guard::clamp, kPaperClamp}, "guard_clamp"},
    GuardRow{Guard::joint, "joint", "joint", {Guard::joint, 0.9}, "guard_joint"},
    GuardRow{Guard::test_then_fix, "test-then-fix", "test-then-fix", kRecommendedGuard,
             "guard_test_then_fix"},
};

// Stands for no limit: its square still fits a float.
constexpr double kNoLimit = 1e18;

void require(bool ok, const char* what, double value, const char* reason) {
  if (!ok) throw InputError("", std::string(what) + " = " + std::to_string(value) + " of the guard", reason);
}

}  // namespace

std::span<const GuardRow> guards() { return kGuards; }
const GuardRow& row(Guard guard) { return kGuards[static_cast<std::size_t>(guard)]; }

Guard guard_from_name(std::string_view name) { return row_named(kGuards, name, "guard").guard; }

GuardInput guard_input(const GuardOptions& options, const Pose& pose) {
  if (options.guard == Guard::none) return {};
  require(options.c >= 0, "c", options.c, "must not be negative");
  if (options.guard == Guard::joint) {
    require(options.c < 1, "c", options.c, "must be below 1");
    return {options.c, 0};
  }
  if (options.guard == Guard::test_then_fix)
    require(options.k >= 0 && options.k < 1, "k", options.k, "must lie in [0, 1)");
  const double limit = std::isinf(options.c) ? kNoLimit : options.c * pose.scale;
  return {limit, options.guard == Guard::test_then_fix ? options.k : 0};
}

}  // namespace skinlight
