#include "skinlight/core/names.h"

#include <algorithm>

namespace skinlight {

namespace {

constexpr std::size_t kFew = 12;       // names that one line can list
constexpr std::size_t kBeginning = 3;  // letters with which a name may begin and be meant

// Letters to insert, delete, replace or swap with the next [Damerau 1964].
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  const auto best = std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
    return edits(name, a) < edits(name, b);
  });
  return best == names.end() ? std::string() : *best;
}

std::string unknown_name(std::string_view name, const std::vector<std::string>& names) {
  const auto begun = std::find_if(names.begin(), names.end(), [&](const std::string& n) {
    return name.size() >= kBeginning && n.starts_with(name);
  });
  const std::string near = begun != names.end() ? *begun : nearest(name, names);
  const bool meant = begun != names.end() || (!near.empty() && edits(name, near) <= (name.size() + 2) / 3);
  std::string text = "unknown; ";
  if (meant) text.append("did you mean '").append(near).append("'?");
  if (meant && names.size() > kFew) return text;
  text += meant ? " Choose one of " : "choose one of ";
  for (std::size_t i = 0; i < names.size(); ++i) text.append(i > 0 ? ", " : "").append(names[i]);
  return text;
}

}  // namespace skinlight
