// Rows of tables by their names, as the command line and files give them.
#pragma once

#include <string>
#include <string_view>

#include "skinlight/core/error.h"

namespace skinlight {

struct NameOfRow {
  template <class Row>
  constexpr std::string_view operator()(const Row& row) const {
    return row.name;
  }
};

// The row of that name, `what` it is being "skinning method", say. Throws InputError listing the names.
template <class Rows, class NameOf = NameOfRow>
const auto& row_named(const Rows& rows, std::string_view name, std::string_view what, NameOf name_of = {}) {
  std::string known;
  for (const auto& row : rows) {
    const std::string_view is = name_of(row);
    if (is == name) return row;
    known.append(known.empty() ? "" : ", ").append(is);
  }
  throw InputError("", std::string(what) + " '" + std::string(name) + "'", "unknown; choose one of " + known);
}

}  // namespace skinlight
