// Rows of tables by their names, as the command line and files give them; an unknown name is answered with the nearest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skinlight/core/error.h"

namespace skinlight {

// Of `names`, the one with the fewest letters to insert, delete, replace or swap [Damerau 1964]; "" when there is none.
std::string nearest(std::string_view name, const std::vector<std::string>& names);

// The reason why `name`, which is none of `names`, is refused: what was meant, perhaps, and what there is.
std::string unknown_name(std::string_view name, const std::vector<std::string>& names);

struct NameOfRow {
  template <class Row>
  constexpr std::string_view operator()(const Row& row) const {
    return row.name;
  }
};

// The row of that name, `what` it is being "skinning method", say. Throws InputError with unknown_name().
template <class Rows, class NameOf = NameOfRow>
const auto& row_named(const Rows& rows, std::string_view name, std::string_view what, NameOf name_of = {}) {
  std::vector<std::string> names;
  for (const auto& row : rows) {
    if (name_of(row) == name) return row;
    names.emplace_back(name_of(row));
  }
  throw InputError("", std::string(what) + " '" + std::string(name) + "'", unknown_name(name, names));
}

}  // namespace skinlight
