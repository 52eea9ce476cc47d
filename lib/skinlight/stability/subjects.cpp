#include "skinlight/stability/subjects.h"

#include <array>
#include <vector>

#include "skinlight/skinning/detail/skin_modes.h"
#include "skinlight/stability/nearest_name.h"

namespace skinlight::stability {

namespace {

std::vector<Subject> make_subjects() {
  std::vector<Subject> all;
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes) {
      const std::string name = std::string(method.name) + "-" + std::string(row(mode).name);
      for (const GuardRow& guard : guards())
        if (guard.guard == Guard::none)
          all.push_back({name, method.method, mode, guard.guard});
        else if (takes_guard(method.method, mode))
          all.push_back({name + "+" + std::string(guard.name), method.method, mode, guard.guard});
    }
  // J^-T n0 as a textbook would have it, with a matrix library.
  all.push_back({"rival-eigen-loop", Method::lbs, NormalMode::inverse_transpose, Guard::none, true});
  return all;
}

constexpr std::array kQuantities = {
    QuantityRow{Quantity::normal, "", "normal"},
    QuantityRow{Quantity::tangents, ":tangents", "tangents"},
    QuantityRow{Quantity::position, ":position", "position"},
};

}  // namespace

std::span<const Subject> subjects() {
  static const std::vector<Subject> all = make_subjects();
  return all;
}

const Subject& subject_from_name(std::string_view name) { return named(subjects(), name, "kernel"); }

std::span<const QuantityRow> quantities() { return kQuantities; }

}  // namespace skinlight::stability
