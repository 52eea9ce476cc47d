#include "skinlight/skinning/packed_normals.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

void require_entries(std::size_t actual, std::size_t expected, std::string_view what) {
  if (actual != expected)
    throw InputError("", std::string(what),
                     "has " + std::to_string(actual) + " entries, expected " + std::to_string(expected));
}

int vertices_of(const NormalRecord& record) {
  const std::size_t entries = record.bone.size();
  if (record.slots < 1 || record.slots > kMaxSlots || entries % static_cast<std::size_t>(record.slots) != 0)
    throw InputError("", "normal data",
                     std::to_string(record.slots) + " slots for " + std::to_string(entries) + " entries");
  return static_cast<int>(entries / static_cast<std::size_t>(record.slots));
}

// Calls visit(number, unit) for every number that is stored, in the order of storage.
template <class Record, class Visit>
void for_each_stored(Record& record, RecordKind kind, int vertices, Visit visit) {
  for (int v = 0; v < vertices; ++v)
    for (int s = 1; s < record.slots; ++s)
      for (const Quantity quantity : row(kind).columns)
        visit_column(record, quantity, [&](auto& values) {
          auto& entry = values[record.at(v, s)];
          for (int c = 0; c < row(quantity).components(); ++c) visit(component(entry, c), row(quantity).unit);
        });
}

// The low bytes of a word.
std::size_t offset_of_low_bytes(std::size_t bytes) {
  return std::endian::native == std::endian::little ? 0 : sizeof(std::uint32_t) - bytes;
}

}  // namespace

int numbers_per_slot(RecordKind kind) {
  int numbers = 0;
  for (const Quantity quantity : row(kind).columns) numbers += row(quantity).components();
  return numbers;
}

int normal_record_bytes(RecordKind kind, int slots, NumberFormat format) {
  return numbers_per_slot(kind) * (slots - 1) * row(format).bytes;
}

PackedNormals packed_normals(const NormalRecord& record, RecordKind kind, NumberFormat format) {
  const int vertices = vertices_of(record);
  for (const Quantity quantity : row(kind).columns)
    visit_column(record, quantity, [&](const auto& values) {
      require_entries(values.size(), record.bone.size(), row(quantity).name);
    });
  PerUnit largest;
  for_each_stored(record, kind, vertices, [&](double x, Unit unit) {
    if (!(std::abs(x) <= std::numeric_limits<float>::max()))
      throw InputError("", "normal data", "holds a number that is not finite or beyond the range of float");
    largest.of(unit) = std::max(largest.of(unit), std::abs(x));
  });
  PackedNormals packed{kind, format, record.slots, storage_scales(format, largest), {}};
  const auto bytes = static_cast<std::size_t>(row(format).bytes);
  packed.data.reserve(static_cast<std::size_t>(vertices) *
                      static_cast<std::size_t>(normal_record_bytes(kind, record.slots, format)));
  for_each_stored(record, kind, vertices, [&](double x, Unit unit) {
    const std::uint32_t bits = stored_bits(format, x, packed.scale.of(unit));
    const auto* low = reinterpret_cast<const std::byte*>(&bits) + offset_of_low_bytes(bytes);
    packed.data.insert(packed.data.end(), low, low + bytes);
  });
  return packed;
}

void unpack_normals(const PackedNormals& packed, const RiggedMesh& mesh, NormalRecord& record) {
  const int vertices = vertices_of(record);
  if (packed.slots != record.slots) throw InputError("", "packed normals", "are of another number of slots");
  const auto per_vertex =
      static_cast<std::size_t>(normal_record_bytes(packed.kind, packed.slots, packed.format));
  if (packed.data.size() != per_vertex * static_cast<std::size_t>(vertices))
    throw InputError("", "packed normals",
                     std::to_string(packed.data.size()) + " bytes are not " + std::to_string(vertices) +
                         " vertices of " + std::to_string(per_vertex));
  require_entries(mesh.t0.size(), static_cast<std::size_t>(vertices), "tangents of the mesh");
  require_entries(mesh.b0.size(), static_cast<std::size_t>(vertices), "bitangents of the mesh");
  for (const Quantity quantity : row(packed.kind).columns)
    visit_column(record, quantity, [&](auto& values) { values.resize(record.bone.size()); });
  const auto bytes = static_cast<std::size_t>(row(packed.format).bytes);
  const std::byte* next = packed.data.data();
  for_each_stored(record, packed.kind, vertices, [&](double& x, Unit unit) {
    std::uint32_t bits = 0;
    std::memcpy(reinterpret_cast<std::byte*>(&bits) + offset_of_low_bytes(bytes), next, bytes);
    next += bytes;
    x = stored_number(packed.format, bits, packed.scale.of(unit));
  });
  close_sums(record, mesh, 0, vertices, row(packed.kind).columns);
}

}  // namespace skinlight
