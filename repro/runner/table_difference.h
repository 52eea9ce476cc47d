// Tables that experiments write, compared with those of their golden references.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace skinlight::repro {

// What two numbers of a table may differ by: this share of the reference, or this much.
inline constexpr double kTableShare = 1e-6, kTableNumber = 1e-9;

struct TableTolerance {
  double share = kTableShare, number = kTableNumber;
};

// The first place where a table is not as its reference, in words; empty where there is none. Both have a heading and rows
// of as many cells, as metrics_csv() and csv_row() write them. Texts are equal, numbers within the tolerance; columns of
// times only have to be there. Rows of the reference that `absent` says of, by their first cell, have no counterpart.
std::string table_difference(const std::string& actual, const std::string& reference,
                             TableTolerance tolerance, std::span<const std::string> times,
                             const std::function<bool(const std::string&)>& absent = {});

}  // namespace skinlight::repro
