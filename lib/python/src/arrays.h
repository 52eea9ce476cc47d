// numpy arrays as skinlight.h takes them: handed over as they lie where the types and strides allow, else copied once.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <string>
#include <string_view>

#include "skinlight.h"

namespace skinlight::python {

namespace py = pybind11;

// In a shape: any number.
inline constexpr py::ssize_t kAny = -1;

// What an array has to look like; its last `inner` dimensions make up a row.
struct Shape {
  std::array<py::ssize_t, 3> sizes = {};
  py::ssize_t dimensions = 2, inner = 1;
};
constexpr Shape rows_of(py::ssize_t rows, py::ssize_t width) { return {{rows, width}, 2, 1}; }

// An array that lives as long as this.
struct Input {
  py::object keep;  // null: none was given
  skinlight_array array = {};
  py::ssize_t rows = 0, width = 0;  // its first and second number of entries
};

// Throw InputError of Python about `what` for anything else than an array of that shape and of real numbers (integers
// count), or of integers. None is no array.
Input reals(const py::object& object, const char* what, const Shape& shape);
// row, of: what a row is and what its numbers are indices of, for those that are too large to hand over.
Input integers(const py::object& object, const char* what, const Shape& shape, const char* row,
               const char* of);

// A pose: (B, 3, 4), or (B, 4, 4) with last rows 0 0 0 1.
Input pose(const py::object& object, std::size_t bones);

// An array to be filled: writeable, of that shape and of float32, float64 or, for indices, int32; rows do not overlap.
// None is no output.
skinlight_output output(const py::object& object, const char* what, const Shape& shape,
                        bool are_indices = false);

// Files may say anything: what is no UTF-8 is replaced.
py::str text(std::string_view bytes);

// Raises skinlight.InputError.
[[noreturn]] void refuse(const std::string& file, const std::string& element, const std::string& reason);

// The exception of a call that failed.
[[noreturn]] void raise(skinlight_status status);

// Runs a function of skinlight.h without the GIL; what it says is wrong becomes an exception.
template <class Function>
void run(const Function& function) {
  skinlight_status status;
  {
    const py::gil_scoped_release release;
    status = function();
  }
  if (status != SKINLIGHT_OK) raise(status);
}

}  // namespace skinlight::python
