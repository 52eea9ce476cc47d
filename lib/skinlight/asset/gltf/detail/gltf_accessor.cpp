#include "skinlight/asset/gltf/detail/gltf_accessor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"

namespace skinlight::gltf {

namespace {

// No real file decodes each of its bytes 64 times. Files beyond the large one (ten million vertices) are read whole, some
// parts of them three times, by bake.
constexpr std::uint64_t kNumbersPerByte = 64, kSmallestBudget = 1u << 20, kLargeBudget = 1u << 28,
                        kNumbersPerByteOfLarge = 4;

template <class T>
double load(const unsigned char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

double component_value(const unsigned char* from, int component_type, bool normalized) {
  switch (component_type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return normalized ? std::max(load<std::int8_t>(from) / 127, -1.0) : load<std::int8_t>(from);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return load<std::uint8_t>(from) / (normalized ? 255 : 1);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return normalized ? std::max(load<std::int16_t>(from) / 32767, -1.0) : load<std::int16_t>(from);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return load<std::uint16_t>(from) / (normalized ? 65535 : 1);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return load<std::uint32_t>(from);
    default:
      return load<float>(from);
  }
}

std::size_t component_size(int component_type) {
  switch (component_type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return 1;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return 2;
    default:
      return 4;  // UNSIGNED_INT and FLOAT; formats allow no others
  }
}

std::size_t component_count(int type) {
  switch (type) {
    case TINYGLTF_TYPE_SCALAR:
      return 1;
    case TINYGLTF_TYPE_VEC2:
      return 2;
    case TINYGLTF_TYPE_VEC3:
      return 3;
    case TINYGLTF_TYPE_VEC4:
      return 4;
    default:
      return 16;  // MAT4; formats allow no others
  }
}

std::string numbered(const std::string& element, const char* kind, std::size_t index) {
  return element + " " + kind + " " + std::to_string(index);
}

std::uint64_t number_budget(std::uint64_t bytes, std::uint64_t decoded) {
  return std::min(kSmallestBudget + kNumbersPerByte * bytes + decoded,
                  std::max(kLargeBudget, kNumbersPerByteOfLarge * bytes));
}

Accessors::Accessors(const tinygltf::Model& file) : file_(file) {
  std::uint64_t bytes = 0, decoded = 0;
  for (const tinygltf::Buffer& buffer : file.buffers)
    (buffer.name == kDecodedBuffer ? decoded : bytes) += buffer.data.size();
  budget_ = number_budget(bytes, decoded);
}

// The first of `count` elements of `size` bytes, `stride` apart, all proven to lie inside view and buffer.
const unsigned char* Accessors::bytes(int view, std::size_t offset, std::size_t stride, std::size_t size,
                                      std::size_t count, const std::string& element) const {
  require_reference(view, file_.bufferViews.size(), "buffer view", element);
  const tinygltf::BufferView& v = file_.bufferViews[static_cast<std::size_t>(view)];
  const std::string view_element = element + " (buffer view " + std::to_string(view) + ")";
  require_reference(v.buffer, file_.buffers.size(), "buffer", view_element);
  const std::vector<unsigned char>& data = file_.buffers[static_cast<std::size_t>(v.buffer)].data;
  if (v.byteOffset > data.size() || v.byteLength > data.size() - v.byteOffset)
    throw InputError("", view_element,
                     std::to_string(v.byteLength) + " bytes at " + std::to_string(v.byteOffset) +
                         " do not fit the buffer's " + std::to_string(data.size()));
  // No product below overflows: byteLength is the size of memory we hold, and stride at most 252.
  if (count > v.byteLength || offset > v.byteLength || stride * (count - 1) + size > v.byteLength - offset)
    throw InputError("", view_element,
                     std::to_string(count) + " elements of " + std::to_string(size) + " bytes at " +
                         std::to_string(offset) + " do not fit its " + std::to_string(v.byteLength) +
                         " bytes");
  return data.data() + v.byteOffset + offset;
}

Table Accessors::read(int index, const Format& format, const std::string& element) {
  require_reference(index, file_.accessors.size(), "accessor", element);
  const tinygltf::Accessor& accessor = file_.accessors[static_cast<std::size_t>(index)];
  if (!contains(format.types, accessor.type) || !contains(format.component_types, accessor.componentType))
    throw InputError("", element,
                     "accessor " + std::to_string(index) + " has a type that is not allowed here (" +
                         "component type " + std::to_string(accessor.componentType) + ")");
  if (format.counts && accessor.normalized)
    throw InputError(
        "", element,
        "accessor " + std::to_string(index) + " is normalised, so its whole numbers would be fractions");
  if (accessor.count < 1) throw InputError("", element, "accessor " + std::to_string(index) + " is empty");

  Table table{accessor.count, component_count(accessor.type), {}};
  charge(table.rows, table.columns, element);

  // A buffer view is checked before its numbers get memory.
  const std::size_t width = component_size(accessor.componentType), size = width * table.columns;
  const unsigned char* first = nullptr;
  std::size_t stride = size;
  if (accessor.bufferView != -1) {
    require_reference(accessor.bufferView, file_.bufferViews.size(), "buffer view", element);
    const std::size_t stated = file_.bufferViews[static_cast<std::size_t>(accessor.bufferView)].byteStride;
    if (stated != 0 && stated < size)
      throw InputError("", element,
                       "byte stride " + std::to_string(stated) + " is less than the element's " +
                           std::to_string(size) + " bytes");
    if (stated != 0) stride = stated;
    first = bytes(accessor.bufferView, accessor.byteOffset, stride, size, table.rows, element);
  }
  table.values.assign(table.rows * table.columns, 0.0);
  if (first != nullptr)
    for (std::size_t r = 0; r < table.rows; ++r)
      for (std::size_t c = 0; c < table.columns; ++c)
        table.values[r * table.columns + c] =
            component_value(first + r * stride + c * width, accessor.componentType, accessor.normalized);
  if (accessor.sparse.isSparse) overwrite_sparse(accessor, table, element);
  return table;
}

Table Accessors::read_rows(int accessor, const Format& format, std::size_t vertices,
                           const std::string& element) {
  Table table = read(accessor, format, element);
  if (vertices != kAnyCount && table.rows != vertices)
    throw InputError("", element,
                     std::to_string(table.rows) + " elements for " + std::to_string(vertices) + " vertices");
  return table;
}

Table Accessors::read_vertices(int accessor, const Format& format, std::size_t vertices,
                               const std::string& element) {
  Table table = read_rows(accessor, format, vertices, element);
  for (std::size_t i = 0; i < table.values.size(); ++i)
    if (!std::isfinite(table.values[i]))
      throw InputError("", numbered(element, "vertex", i / table.columns), "is not finite");
  return table;
}

void Accessors::charge(std::size_t rows, std::size_t columns, const std::string& element) {
  if (columns != 0 && rows > budget_ / columns)
    throw InputError("", element,
                     std::to_string(rows) + " elements are more than a file of this size can hold");
  budget_ -= rows * columns;
}

void Accessors::overwrite_sparse(const tinygltf::Accessor& accessor, Table& table,
                                 const std::string& element) const {
  const auto& sparse = accessor.sparse;
  const std::string where = element + " sparse entries";
  if (sparse.count < 1 || static_cast<std::size_t>(sparse.count) > table.rows)
    throw InputError("", where, std::to_string(sparse.count) + " entries of " + std::to_string(table.rows));
  if (sparse.indices.byteOffset < 0 || sparse.values.byteOffset < 0)
    throw InputError("", where, "negative byte offset");
  if (!contains({TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
                 TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT},
                sparse.indices.componentType))
    throw InputError("", where, "index component type " + std::to_string(sparse.indices.componentType));

  const auto count = static_cast<std::size_t>(sparse.count);
  const std::size_t index_width = component_size(sparse.indices.componentType);
  const std::size_t width = component_size(accessor.componentType), size = width * table.columns;
  const unsigned char* index_at =
      bytes(sparse.indices.bufferView, static_cast<std::size_t>(sparse.indices.byteOffset), index_width,
            index_width, count, where);
  const unsigned char* value_at = bytes(
      sparse.values.bufferView, static_cast<std::size_t>(sparse.values.byteOffset), size, size, count, where);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(
        component_value(index_at + i * index_width, sparse.indices.componentType, false));
    if (row >= table.rows)
      throw InputError("", where + " entry " + std::to_string(i),
                       "index " + std::to_string(row) + " of " + std::to_string(table.rows));
    for (std::size_t c = 0; c < table.columns; ++c)
      table.values[row * table.columns + c] =
          component_value(value_at + i * size + c * width, accessor.componentType, accessor.normalized);
  }
}

}  // namespace skinlight::gltf
