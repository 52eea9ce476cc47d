#include "skinlight/stability/subjects.h"

#include <array>
#include <vector>

#include "skinlight/core/names.h"
#include "skinlight/stability/stages.h"

namespace skinlight::stability {

namespace {

std::vector<Subject> make_subjects() {
  std::vector<Subject> all;
  for (const KernelRow& kernel : kernel_rows()) {
    const std::string name = std::string(row(kernel.method).name) + "-" + std::string(row(kernel.mode).name);
    for (const GuardRow& guard : guards())
      if (guard.guard == Guard::none)
        all.push_back({name, kernel.method, kernel.mode, guard.guard});
      else if (kernel.guards)
        all.push_back({name + "+" + std::string(guard.name), kernel.method, kernel.mode, guard.guard});
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

const Subject& subject_from_name(std::string_view name) {
  for (const StageRow& stage : stages())
    if (stage.subject.name == name) return stage.subject;
  return row_named(subjects(), name, "kernel");
}

std::span<const QuantityRow> quantities() { return kQuantities; }

}  // namespace skinlight::stability
