// Arrays as NumPy writes them: what other programs hand over.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace skinlight {

// One array, its values as double (exact for every type read but integers beyond 2^53).
struct NpyArray {
  std::string type;                // as the file spells it: "<f4"
  std::vector<std::size_t> shape;  // empty: a single number
  std::vector<double> values;      // C order: the last index runs fastest

  bool is_integer() const { return type[1] == 'i' || type[1] == 'u'; }
  std::string shape_text() const;  // as Python prints it: "(4, 3)", "(6,)"
};

// Reads versions 1.0 to 3.0 of the format: little-endian floats of 2, 4 and 8 bytes, integers of 1 to 8, C or
// Fortran order, up to 4 dimensions. Throws InputError naming the file and the part ("header", "data") that
// is malformed or of another type; nothing is allocated for data that the file does not hold.
NpyArray read_npy_array(const std::filesystem::path& path);

}  // namespace skinlight
