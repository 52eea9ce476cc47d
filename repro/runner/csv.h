// Rows of the tables that experiments write.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <string>

namespace skinlight::repro {

// A number in a table: six significant digits.
inline std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// Texts, then numbers to nine digits, separated by commas and ended by a line break. Texts must hold neither
// commas nor quotes.
inline std::string csv_row(std::initializer_list<std::string> texts, std::initializer_list<double> numbers) {
  std::string row;
  for (const std::string& text : texts) row += text + ",";
  for (const double number : numbers) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.9g,", number);
    row += digits;
  }
  row.back() = '\n';
  return row;
}

}  // namespace skinlight::repro
