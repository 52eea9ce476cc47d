// What all functions of skinlight.h share: statuses from exceptions, versioned structs, rows of numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "skinlight/bake/bake.h"
#include "skinlight/c/skinlight.h"
#include "skinlight/character/character.h"
#include "skinlight/character/rig_arrays.h"
#include "skinlight/core/error.h"
#include "skinlight/skinning/guard.h"

// What skinlight.h calls a rig.
struct skinlight_rig {
  skinlight::Character character;
};

namespace skinlight::c {

// A call that breaks the header's rules, as opposed to data that cannot be used.
struct BadCall {
  std::string what;
};

// Runs the function's work; what it throws becomes the status and this thread's error.
skinlight_status call(const std::function<void()>& work);

template <class T>
T& needed(T* pointer, const char* what) {
  if (!pointer) throw BadCall{std::string(what) + " is NULL"};
  return *pointer;
}

// The caller's version of a struct as the library's own: members that it does not have are 0. NULL: all are.
template <class T>
T own_version(const T* theirs, const char* what) {
  T own = {};
  own.struct_size = sizeof own;
  if (!theirs) return own;
  // Nobody's struct begins with less than its size, nor with one that memory cannot hold.
  const std::size_t size = theirs->struct_size;
  if (size < sizeof size || size > (std::size_t{1} << 16))
    throw BadCall{std::string(what) + ": struct_size is not that of the struct"};
  std::memcpy(static_cast<void*>(&own), static_cast<const void*>(theirs), std::min(size, sizeof own));
  own.struct_size = sizeof own;
  return own;
}

// Throws unless give() can fill the caller's struct: told before the work.
template <class T>
void require_struct(const T* theirs, const char* what) {
  own_version(&needed(theirs, what), what);
}

// Fills what the caller's version of the struct has room for.
template <class T>
void give(T value, T* theirs, const char* what) {
  require_struct(theirs, what);
  value.struct_size = theirs->struct_size;
  std::memcpy(static_cast<void*>(theirs), static_cast<const void*>(&value),
              std::min(theirs->struct_size, sizeof value));
}

// Sizes beyond this are slips or uninitialised memory; below it no product of ours overflows.
inline constexpr std::size_t kMostEntries = std::numeric_limits<int>::max() / 16;

// Throws InputError for 0 and for more.
int count_of(std::size_t count, const char* what);

// rows x width numbers; none for an array that is none.
std::vector<double> numbers(const skinlight_array& array, std::size_t rows, std::size_t width,
                            const char* what);
// Throws InputError for an index that no int holds: `of` is what the index is of, `row` what a row is.
std::vector<int> indices(const skinlight_array& array, std::size_t rows, std::size_t width, const char* what,
                         const char* row, const char* of);

// Of the first three of `width` numbers a row.
std::vector<Vec3d> vectors(const skinlight_array& array, std::size_t rows, const char* what,
                           std::size_t width = 3);
// The fourth of four numbers a row.
std::vector<double> signs(const skinlight_array& array, std::size_t rows, const char* what);

// Throws InputError when there is none.
void require_array(const skinlight_array& array, const char* what);

std::vector<Mat4x3d> transforms(const skinlight_array& pose, std::size_t bones);

// Whether an output is wanted. Throws BadCall unless its numbers are real, or for indices SKINLIGHT_I32.
bool wanted(const skinlight_output& output, bool are_indices, const char* what);

// Writes number(row, column) of rows x width, in the output's type; nothing when it is not wanted.
template <class Number>
void write(const skinlight_output& output, std::size_t rows, std::size_t width, const char* what,
           const Number& number) {
  using Value = decltype(number(std::size_t{0}, std::size_t{0}));
  if (!wanted(output, std::is_same_v<Value, int>, what)) return;
  const auto fill = [&](auto one) {
    const std::size_t stride = output.stride != 0 ? output.stride : width * sizeof one;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < width; ++c) {
        one = static_cast<decltype(one)>(number(r, c));
        std::memcpy(static_cast<char*>(output.data) + r * stride + c * sizeof one, &one, sizeof one);
      }
  };
  if (output.type == SKINLIGHT_F32)
    fill(0.0f);
  else if (output.type == SKINLIGHT_F64)
    fill(0.0);
  else
    fill(std::int32_t{0});
}

template <class Real>
void write(const skinlight_output& output, const std::vector<Vec3<Real>>& v, const char* what) {
  write(output, v.size(), 3, what, [&](std::size_t r, std::size_t c) { return v[r][static_cast<int>(c)]; });
}

// values: rows x width.
template <class T>
void write(const skinlight_output& output, const std::vector<T>& values, std::size_t width,
           const char* what) {
  write(output, values.size() / width, width, what,
        [&](std::size_t r, std::size_t c) { return values[r * width + c]; });
}

// What the header's constants stand for, in their order. Those of methods are places in the table, which grows at its end
// only.
inline constexpr auto kMethods = [] {
  std::array<Method, kMethodCount> methods{};
  for (std::size_t i = 0; i < methods.size(); ++i) methods[i] = static_cast<Method>(i);
  return methods;
}();
// Behind the usual ones; a mode that has no constant of its own yet follows.
inline constexpr std::array kNamedModes = {
    NormalMode::standard,       NormalMode::inverse_transpose, NormalMode::cofactors,
    NormalMode::tangent_pair,   NormalMode::deform_naive,      NormalMode::deform,
    NormalMode::exact,          NormalMode::smoothed,          NormalMode::exact_fixed_centre,
    NormalMode::deform_vectors, NormalMode::deform_eq13,       NormalMode::deform_frames};
inline constexpr auto kModes = [] {
  std::array<NormalMode, kNormalModeCount> modes{};
  std::size_t count = 0;
  for (const NormalMode mode : kNamedModes) modes[count++] = mode;
  for (std::size_t i = 0; count < modes.size(); ++i)
    if (std::find(modes.begin(), modes.begin() + count, static_cast<NormalMode>(i)) == modes.begin() + count)
      modes[count++] = static_cast<NormalMode>(i);
  return modes;
}();
inline constexpr std::array kGuards = {Guard::none, Guard::clamp, Guard::joint, Guard::test_then_fix};
inline constexpr std::array kAveragings = {Averaging::mixed_voronoi, Averaging::area,    Averaging::angle,
                                           Averaging::angle_area,    Averaging::uniform, Averaging::max1999,
                                           Averaging::cotangent};
// As the mode that reads them.
inline constexpr std::array kBakedRecords = {NormalMode::deform, NormalMode::smoothed,
                                             NormalMode::deform_vectors, NormalMode::deform_frames};
inline constexpr std::array kLayouts = {FactorLayout::attributes, FactorLayout::texcoord};
// Their constants are places in the table, which grows at its end only.
inline constexpr auto kFormats = [] {
  std::array<NumberFormat, kNumberFormats.size()> formats{};
  for (std::size_t i = 0; i < formats.size(); ++i) formats[i] = kNumberFormats[i].format;
  return formats;
}();
inline constexpr std::array kMissingNormals = {MissingNormals::as_the_format_says, MissingNormals::flat,
                                               MissingNormals::smooth};

// The place of a constant of the header in its table, which begins with `first`; nothing for one that is none.
template <class T, std::size_t N>
std::optional<std::size_t> place_of(const std::array<T, N>&, std::int32_t constant, std::int32_t first = 0) {
  const std::int64_t place = std::int64_t{constant} - first;
  if (place < 0 || place >= static_cast<std::int64_t>(N)) return std::nullopt;
  return static_cast<std::size_t>(place);
}

// What a constant stands for. Throws InputError about `what` for one that is none.
template <class T, std::size_t N>
T meaning(const std::array<T, N>& table, std::int32_t constant, const char* what, std::int32_t first = 0) {
  const auto place = place_of(table, constant, first);
  if (!place) throw InputError("", what, std::to_string(constant) + " is unknown");
  return table[*place];
}

// And back.
template <class T, std::size_t N>
std::int32_t constant_of(const std::array<T, N>& table, T of) {
  return static_cast<std::int32_t>(std::find(table.begin(), table.end(), of) - table.begin());
}

Method method_of(std::int32_t constant);
int threads_of(std::int32_t threads);
std::optional<Averaging> averaging_of(std::int32_t constant);

// Arrays of a rig, as rigged_mesh() wants them.
RigArrays rig_arrays(const skinlight_rig_arrays& theirs);

}  // namespace skinlight::c
