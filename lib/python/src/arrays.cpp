#include "arrays.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace skinlight::python {

namespace {

py::object input_error() { return py::module_::import("skinlight._errors").attr("InputError"); }

std::string shape_text(const py::array& array) {
  return py::str(py::tuple(array.attr("shape"))).cast<std::string>();
}

py::array as_array(const py::object& object, const char* what) {
  py::array array = py::array::ensure(object);
  if (!array) {
    PyErr_Clear();
    refuse("", what, "is no array of numbers");
  }
  return array;
}

void require_shape(const py::array& array, const char* what, const Shape& shape) {
  bool fits = array.ndim() == shape.dimensions;
  for (py::ssize_t i = 0; fits && i < array.ndim(); ++i) {
    const py::ssize_t wanted = shape.sizes[static_cast<std::size_t>(i)];
    fits = wanted == kAny || array.shape(i) == wanted;
  }
  if (fits) return;
  std::string text;
  for (py::ssize_t i = 0; i < shape.dimensions; ++i) {
    const py::ssize_t wanted = shape.sizes[static_cast<std::size_t>(i)];
    text += (i == 0 ? "" : ", ") + (wanted == kAny ? "any" : std::to_string(wanted));
  }
  if (shape.dimensions == 1) text += ",";
  refuse("", what, "has shape " + shape_text(array) + ", expected (" + text + ")");
}

bool is_native(const py::dtype& type) {
  const char order = type.byteorder();
  return order == '=' || order == '|';
}

// The constant of skinlight.h, or -1.
std::int32_t type_of(const py::dtype& type) {
  if (!is_native(type)) return -1;
  const char kind = type.kind();
  const py::ssize_t size = type.itemsize();
  if (kind == 'f') return size == 4 ? SKINLIGHT_F32 : size == 8 ? SKINLIGHT_F64 : -1;
  if (kind == 'i') return size == 4 ? SKINLIGHT_I32 : size == 8 ? SKINLIGHT_I64 : -1;
  if (kind == 'u')
    return size == 1 ? SKINLIGHT_U8 : size == 2 ? SKINLIGHT_U16 : size == 4 ? SKINLIGHT_U32 : -1;
  return -1;
}

// Whether the last `inner` dimensions lie side by side, and rows stand one after another.
bool rows_lie_well(const py::array& array, py::ssize_t inner) {
  py::ssize_t step = array.itemsize();
  for (py::ssize_t d = array.ndim() - 1; d >= array.ndim() - inner; --d) {
    if (array.shape(d) != 1 && array.strides(d) != step) return false;
    step *= array.shape(d);
  }
  return inner == array.ndim() || array.shape(0) <= 1 || array.strides(0) >= step;
}

skinlight_array described(const py::array& array, py::ssize_t inner) {
  skinlight_array own = {array.data(), 0, type_of(array.dtype())};
  if (inner < array.ndim() && array.shape(0) > 1) own.stride = static_cast<std::size_t>(array.strides(0));
  return own;
}

// What the interface does not read as it is gets copied into `wide`.
Input taken(py::array array, const char* what, const Shape& shape, bool as_is, const char* wide) {
  require_shape(array, what, shape);
  if (!as_is || !rows_lie_well(array, shape.inner))
    array = py::array(array.attr("astype")(as_is ? py::object(array.dtype()) : py::str(wide), "C"));
  return {array, described(array, shape.inner), array.shape(0), array.ndim() > 1 ? array.shape(1) : 1};
}

}  // namespace

py::str text(std::string_view bytes) {
  PyObject* decoded = PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), "replace");
  if (!decoded) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

void refuse(const std::string& file, const std::string& element, const std::string& reason) {
  const py::object type = input_error();
  // As os.fsdecode(): another call finds the file by it.
  const auto name = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeFSDefaultAndSize(file.data(), static_cast<py::ssize_t>(file.size())));
  if (!name) throw py::error_already_set();
  PyErr_SetObject(type.ptr(), type(name, text(element), text(reason)).ptr());
  throw py::error_already_set();
}

void raise(skinlight_status status) {
  if (status == SKINLIGHT_OUT_OF_MEMORY) {
    PyErr_NoMemory();
    throw py::error_already_set();
  }
  if (status == SKINLIGHT_INTERNAL) {
    PyErr_SetObject(PyExc_RuntimeError, text(skinlight_error_text()).ptr());
    throw py::error_already_set();
  }
  refuse(skinlight_error_file(), skinlight_error_element(), skinlight_error_reason());
}

Input reals(const py::object& object, const char* what, const Shape& shape) {
  if (object.is_none()) return {};
  py::array array = as_array(object, what);
  const char kind = array.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u')
    refuse("", what, "has dtype " + py::str(array.dtype()).cast<std::string>() + ", expected real numbers");
  const std::int32_t type = type_of(array.dtype());
  return taken(array, what, shape, type == SKINLIGHT_F32 || type == SKINLIGHT_F64, "float64");
}

Input integers(const py::object& object, const char* what, const Shape& shape, const char* row,
               const char* of) {
  if (object.is_none()) return {};
  py::array array = as_array(object, what);
  const char kind = array.dtype().kind();
  // An empty list is an array of doubles.
  if (kind != 'i' && kind != 'u' && array.size() != 0)
    refuse("", what, "has dtype " + py::str(array.dtype()).cast<std::string>() + ", expected integers");
  // What int64 does not hold would become negative.
  if (kind == 'u' && array.itemsize() == 8 && array.size() != 0 && array.ndim() == 2) {
    const auto most = array.attr("max")().cast<std::uint64_t>();
    const auto at = array.attr("argmax")().cast<py::ssize_t>();
    if (most > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      refuse("", std::string(what) + ", " + row + " " + std::to_string(at / array.shape(1)),
             std::string(of) + " " + std::to_string(most) + " does not exist");
  }
  return taken(array, what, shape, type_of(array.dtype()) != -1 && kind != 'f', "int64");
}

Input pose(const py::object& object, std::size_t bones) {
  if (object.is_none()) refuse("", "pose", "is None");
  py::array array = as_array(object, "pose");
  const auto count = static_cast<py::ssize_t>(bones);
  const bool square = array.ndim() == 3 && array.shape(1) == 4;
  Input taken = reals(array, "pose", {{count, square ? 4 : 3, 4}, 3, 2});
  if (!square) return taken;
  const std::size_t size = taken.array.type == SKINLIGHT_F32 ? sizeof(float) : sizeof(double);
  const std::size_t stride = taken.array.stride ? taken.array.stride : 16 * size;
  for (std::size_t b = 0; b < bones; ++b)
    for (std::size_t c = 0; c < 4; ++c) {
      const char* at = static_cast<const char*>(taken.array.data) + b * stride + (12 + c) * size;
      double number = 0;
      float single = 0;
      if (taken.array.type == SKINLIGHT_F32) {
        std::memcpy(&single, at, sizeof single);
        number = static_cast<double>(single);
      } else {
        std::memcpy(&number, at, sizeof number);
      }
      if (number != (c == 3 ? 1.0 : 0.0))
        refuse("", "pose, bone " + std::to_string(b), "the last row is not 0 0 0 1");
    }
  taken.array.stride = stride;
  return taken;
}

skinlight_output output(const py::object& object, const char* what, const Shape& shape, bool are_indices) {
  if (object.is_none()) return {};
  if (!py::isinstance<py::array>(object)) refuse("", what, "is no numpy array");
  py::array array = py::reinterpret_borrow<py::array>(object);
  require_shape(array, what, shape);
  const std::int32_t type = type_of(array.dtype());
  if (are_indices ? type != SKINLIGHT_I32 : type != SKINLIGHT_F32 && type != SKINLIGHT_F64)
    refuse("", what,
           "has dtype " + py::str(array.dtype()).cast<std::string>() + ", expected " +
               (are_indices ? "int32" : "float32 or float64"));
  if (!array.writeable()) refuse("", what, "is read-only");
  if (!rows_lie_well(array, shape.inner))
    refuse("", what, "has strides that overlap or split rows: hand over rows that lie side by side");
  const skinlight_array own = described(array, shape.inner);
  return {array.mutable_data(), own.stride, own.type};
}

}  // namespace skinlight::python
