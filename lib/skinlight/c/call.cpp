#include "skinlight/c/detail/call.h"

#include <cmath>
#include <new>

namespace skinlight::c {

namespace {

// Of this thread's last call that failed.
struct LastError {
  std::string text, file, element, reason;
};
thread_local LastError last;

skinlight_status failed(skinlight_status status, const InputError& error) noexcept {
  try {
    last = {error.what(), error.file(), error.element(), error.reason()};
  } catch (...) {
    last = {};  // no memory to say what failed
  }
  return status;
}

template <class T>
T number_at(const skinlight_array& array, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(array.data) + offset, sizeof value);
  return value;
}

// Calls read(number) for rows x width numbers of any of the types.
template <class Read>
void read_numbers(const skinlight_array& array, std::size_t rows, std::size_t width, const char* what,
                  const Read& read) {
  const auto all = [&](auto one) {
    const std::size_t stride = array.stride != 0 ? array.stride : width * sizeof one;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < width; ++c)
        read(number_at<decltype(one)>(array, r * stride + c * sizeof one));
  };
  switch (array.type) {
    case SKINLIGHT_F32:
      return all(float{});
    case SKINLIGHT_F64:
      return all(double{});
    case SKINLIGHT_I32:
      return all(std::int32_t{});
    case SKINLIGHT_U8:
      return all(std::uint8_t{});
    case SKINLIGHT_U16:
      return all(std::uint16_t{});
    case SKINLIGHT_U32:
      return all(std::uint32_t{});
    case SKINLIGHT_I64:
      return all(std::int64_t{});
    default:
      throw BadCall{std::string(what) + ": type " + std::to_string(array.type) + " is unknown"};
  }
}

[[noreturn]] void refuse_index(std::int64_t index, std::size_t at, const char* what, const char* row,
                               const char* of) {
  throw InputError("", std::string(what) + ", " + row + " " + std::to_string(at),
                   std::string(of) + " " + std::to_string(index) + " does not exist");
}

bool is_real(std::int32_t type) { return type == SKINLIGHT_F32 || type == SKINLIGHT_F64; }

}  // namespace

skinlight_status call(const std::function<void()>& work) {
  try {
    work();
    return SKINLIGHT_OK;
  } catch (const BadCall& e) {
    return failed(SKINLIGHT_BAD_CALL, InputError("", "", e.what));
  } catch (const InputError& e) {
    return failed(SKINLIGHT_BAD_INPUT, e);
  } catch (const std::bad_alloc&) {
    return failed(SKINLIGHT_OUT_OF_MEMORY, InputError("", "", "out of memory"));
  } catch (const std::exception& e) {
    return failed(SKINLIGHT_INTERNAL, InputError("", "", e.what()));
  } catch (...) {
    return failed(SKINLIGHT_INTERNAL, InputError("", "", "unknown error"));
  }
}

int count_of(std::size_t count, const char* what) {
  if (count == 0 || count > kMostEntries)
    throw InputError("", what, std::to_string(count) + " is out of range");
  return static_cast<int>(count);
}

void require_array(const skinlight_array& array, const char* what) {
  if (!array.data) throw InputError("", what, "is NULL");
}

std::vector<double> numbers(const skinlight_array& array, std::size_t rows, std::size_t width,
                            const char* what) {
  std::vector<double> values;
  if (!array.data) return values;
  if (!is_real(array.type)) throw BadCall{std::string(what) + ": type is neither SKINLIGHT_F32 nor _F64"};
  values.reserve(rows * width);
  read_numbers(array, rows, width, what, [&](auto x) { values.push_back(static_cast<double>(x)); });
  return values;
}

std::vector<int> indices(const skinlight_array& array, std::size_t rows, std::size_t width, const char* what,
                         const char* row, const char* of) {
  std::vector<int> values;
  if (!array.data) return values;
  if (is_real(array.type)) throw BadCall{std::string(what) + ": type is no integer"};
  values.reserve(rows * width);
  read_numbers(array, rows, width, what, [&](auto x) {
    const auto index = static_cast<std::int64_t>(x);
    if (index != static_cast<int>(index)) refuse_index(index, values.size() / width, what, row, of);
    values.push_back(static_cast<int>(index));
  });
  return values;
}

std::vector<Vec3d> vectors(const skinlight_array& array, std::size_t rows, const char* what,
                           std::size_t width) {
  const std::vector<double> values = numbers(array, rows, width, what);
  std::vector<Vec3d> v;
  v.reserve(values.size() / width);
  for (std::size_t i = 0; i < values.size(); i += width)
    v.emplace_back(values[i], values[i + 1], values[i + 2]);
  return v;
}

std::vector<double> signs(const skinlight_array& array, std::size_t rows, const char* what) {
  const std::vector<double> values = numbers(array, rows, 4, what);
  std::vector<double> w;
  for (std::size_t i = 3; i < values.size(); i += 4) w.push_back(values[i]);
  return w;
}

std::vector<Mat4x3d> transforms(const skinlight_array& pose, std::size_t bones) {
  require_array(pose, "pose");
  const std::vector<double> values = numbers(pose, bones, 12, "pose");
  std::vector<Mat4x3d> M;
  for (const double* m = values.data(); m != values.data() + values.size(); m += 12) {
    const auto column = [m](std::size_t c) { return Vec3d(m[c], m[4 + c], m[8 + c]); };
    M.emplace_back(column(0), column(1), column(2), column(3));
  }
  return M;
}

bool wanted(const skinlight_output& output, bool are_indices, const char* what) {
  if (!output.data) return false;
  if (are_indices ? output.type != SKINLIGHT_I32 : !is_real(output.type))
    throw BadCall{std::string(what) +
                  (are_indices ? ": type is not SKINLIGHT_I32" : ": type is neither SKINLIGHT_F32 nor _F64")};
  return true;
}

Method method_of(std::int32_t constant) { return meaning(kMethods, constant, "method"); }

std::optional<Averaging> averaging_of(std::int32_t constant) {
  if (constant == SKINLIGHT_USUAL_AVERAGING) return std::nullopt;
  return meaning(kAveragings, constant, "averaging", SKINLIGHT_MIXED_VORONOI);
}

int threads_of(std::int32_t threads) {
  if (threads < 0) throw InputError("", "threads", std::to_string(threads) + " is negative");
  return threads;
}

RigArrays rig_arrays(const skinlight_rig_arrays& theirs) {
  count_of(theirs.vertex_count, "vertex_count");
  count_of(theirs.face_count, "face_count");
  count_of(theirs.bone_count, "bone_count");
  const std::size_t vertices = theirs.vertex_count;
  RigArrays rig;
  rig.influences = count_of(theirs.influences, "influences");
  count_of(vertices * theirs.influences, "vertex_count * influences");
  require_array(theirs.positions, "positions");
  require_array(theirs.faces, "faces");
  require_array(theirs.bones, "bones");
  require_array(theirs.weights, "weights");
  rig.positions = vectors(theirs.positions, vertices, "positions");
  const std::vector<int> corners = indices(theirs.faces, theirs.face_count, 3, "faces", "face", "vertex");
  for (std::size_t i = 0; i < corners.size(); i += 3)
    rig.faces.push_back({corners[i], corners[i + 1], corners[i + 2]});
  rig.bones = indices(theirs.bones, vertices, theirs.influences, "bones", "vertex", "bone");
  rig.weights = numbers(theirs.weights, vertices, theirs.influences, "weights");
  rig.rest_normals = vectors(theirs.normals, vertices, "normals");
  rig.rest_tangents = vectors(theirs.tangents, vertices, "tangents", 4);
  rig.rest_sides = signs(theirs.tangents, vertices, "tangents");
  const std::vector<double> uv = numbers(theirs.uv, vertices, 2, "uv");
  for (std::size_t i = 0; i < uv.size(); i += 2) rig.uv.emplace_back(uv[i], uv[i + 1]);
  return rig;
}

}  // namespace skinlight::c

extern "C" {

const char* skinlight_version(void) { return SKINLIGHT_VERSION; }
const char* skinlight_error_text(void) { return skinlight::c::last.text.c_str(); }
const char* skinlight_error_file(void) { return skinlight::c::last.file.c_str(); }
const char* skinlight_error_element(void) { return skinlight::c::last.element.c_str(); }
const char* skinlight_error_reason(void) { return skinlight::c::last.reason.c_str(); }

}  // extern "C"
