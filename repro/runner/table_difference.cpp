#include "repro/runner/table_difference.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace skinlight::repro {

namespace {

using Row = std::vector<std::string>;

// Cells in quotes may hold commas and quotes, not line breaks.
std::vector<Row> rows_of(const std::string& csv) {
  std::vector<Row> rows;
  bool quoted = false, begins = true;
  for (const char c : csv) {
    if (begins) rows.push_back({""});
    begins = c == '\n';
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      rows.back().emplace_back();
    else if (!begins)
      rows.back().back() += c;
  }
  return rows;
}

std::optional<double> number_of(const std::string& cell) {
  double value = 0;
  const char* end = cell.data() + cell.size();
  const auto read = std::from_chars(cell.data(), end, value);
  if (cell.empty() || read.ec != std::errc() || read.ptr != end) return {};
  return value;
}

bool alike(const std::string& actual, const std::string& reference, TableTolerance tolerance) {
  if (actual == reference) return true;
  const std::optional<double> a = number_of(actual), b = number_of(reference);
  return a && b && std::abs(*a - *b) <= std::max(tolerance.number, tolerance.share * std::abs(*b));
}

}  // namespace

std::string table_difference(const std::string& actual, const std::string& reference,
                             TableTolerance tolerance, std::span<const std::string> times,
                             const std::function<bool(const std::string&)>& absent) {
  const std::vector<Row> rows = rows_of(actual);
  std::vector<Row> wanted = rows_of(reference);
  if (absent && !wanted.empty())
    wanted.erase(
        std::remove_if(wanted.begin() + 1, wanted.end(), [&](const Row& row) { return absent(row[0]); }),
        wanted.end());
  if (rows.empty() || wanted.empty() || rows[0] != wanted[0]) return "has other columns than its reference";
  if (rows.size() != wanted.size())
    return "has " + std::to_string(rows.size() - 1) + " rows, its reference " +
           std::to_string(wanted.size() - 1);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (rows[r].size() != wanted[r].size() || rows[r].size() != rows[0].size())
      return "row " + std::to_string(r) + " has another number of cells than its reference or the heading";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const bool time = std::find(times.begin(), times.end(), rows[0][c]) != times.end();
      if (time || alike(rows[r][c], wanted[r][c], tolerance)) continue;
      return "row " + std::to_string(r) + " (" + rows[r][0] + "), column " + rows[0][c] + ": " + rows[r][c] +
             ", and " + wanted[r][c] + " in its reference";
    }
  }
  return "";
}

}  // namespace skinlight::repro
