// Rows of a table by name; an unknown name is answered with the nearest one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skinlight/core/error.h"

namespace skinlight::stability {

// Of `names`, the one with the fewest letters to insert, delete or replace [Levenshtein 1966].
std::string nearest(std::string_view name, const std::vector<std::string>& names);

// The row with the name. Throws InputError naming the nearest one.
template <class Rows>
const auto& named(const Rows& rows, std::string_view name, const char* what) {
  std::vector<std::string> names;
  for (const auto& row : rows) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  throw InputError("", std::string(what) + " '" + std::string(name) + "'",
                   "unknown; did you mean '" + nearest(name, names) + "'?");
}

}  // namespace skinlight::stability
