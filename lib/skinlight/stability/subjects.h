// What the record is about: every kernel, derived from the table of kernels, and rivals beside them.
#pragma once

#include <span>
#include <string>

#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/kernel_table.h"

namespace skinlight::stability {

// A method in a normal mode with a guard, or a rival: another way to the same normals, as people write it.
struct Subject {
  std::string name;  // "lbs-deform+clamp"
  Method method;
  NormalMode mode;
  Guard guard;
  bool rival = false;
};

// One for each method, mode and guard that go together; modes together with their guards. Rivals last.
std::span<const Subject> subjects();

// Throws InputError naming the nearest one.
const Subject& subject_from_name(std::string_view name);

// Which of its results a cell is about.
enum class Quantity {
  normal,
  tangents,  // the worse one of two
  position,  // relative to the largest coordinate that bones move the vertex to
};

struct QuantityRow {
  Quantity quantity;
  std::string_view suffix;  // of the kernel in a cell's id: "", ":tangents", ":position"
  std::string_view label;
};

std::span<const QuantityRow> quantities();

}  // namespace skinlight::stability
