#include "skinlight/stability/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace skinlight::stability {

namespace {

std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  const auto best = std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
    return edits(name, a) < edits(name, b);
  });
  return best == names.end() ? std::string() : *best;
}

}  // namespace skinlight::stability
