#include "skinlight/bake/detail/gltf_record.h"

#include <algorithm>

#include "skinlight/core/error.h"

namespace skinlight {

namespace gltf {

namespace {

// Attribute n of those that begin with a column.
std::string attribute_name(Quantity quantity, int n) {
  return "_DEFORM_" + std::string(row(quantity).attribute) + "_" + std::to_string(n);
}

// An attribute for slots 4 n .. 4 n + 3 of a column of numbers.
RecordAttribute four_slots(Quantity quantity, int set) {
  RecordAttribute attribute{attribute_name(quantity, set), {}};
  for (int s = 4 * set; s < 4 * set + 4; ++s) attribute.numbers.push_back({quantity, s});
  return attribute;
}

// A vector with its fourth coordinate.
RecordAttribute one_vector(Quantity vector, Quantity fourth, int slot) {
  return {attribute_name(vector, slot),
          {{vector, slot, 0}, {vector, slot, 1}, {vector, slot, 2}, {fourth, slot}}};
}

bool has_vectors(RecordKind kind) { return row(row(kind).columns[0]).components() > 1; }

// The columns two by two, of every slot but the first; a column that is left over has its slots two by two.
std::vector<RecordAttribute> texcoord_attributes(RecordKind kind, int slots, int first) {
  std::vector<RecordAttribute> attributes;
  const auto add = [&](VertexNumber a, VertexNumber b) {
    const int set = first + static_cast<int>(attributes.size());
    attributes.push_back({texcoord_name(set), {a, b}});
  };
  const auto columns = row(kind).columns;
  for (std::size_t c = 0; c + 1 < columns.size(); c += 2)
    for (int s = 1; s < slots; ++s) add({columns[c], s}, {columns[c + 1], s});
  if (columns.size() % 2 == 1)
    for (int s = 1; s < slots; s += 2) add({columns.back(), s}, {columns.back(), (s + 1) % slots});
  return attributes;
}

}  // namespace

std::vector<RecordAttribute> record_attributes(RecordKind kind, FactorLayout layout, int slots,
                                               int first_texcoord) {
  if (layout == FactorLayout::texcoord) {
    if (has_vectors(kind))
      throw InputError("", "layout texcoord",
                       "holds no deform vectors: sets of texture coordinates have two numbers each, so they "
                       "would take " +
                           std::to_string(4 * (slots - 1)) +
                           ", and engines read 8 at most; use layout attributes");
    return texcoord_attributes(kind, slots, first_texcoord);
  }
  std::vector<RecordAttribute> attributes;
  const auto columns = row(kind).columns;
  if (has_vectors(kind)) {
    for (int s = 1; s < slots; ++s)
      for (std::size_t c = 0; c < columns.size(); c += 2)
        attributes.push_back(one_vector(columns[c], columns[c + 1], s));
    return attributes;
  }
  for (int set = 0; 4 * set < slots; ++set)
    for (const Quantity quantity : columns) attributes.push_back(four_slots(quantity, set));
  return attributes;
}

std::string texcoord_name(int set) { return "TEXCOORD_" + std::to_string(set); }

int texcoord_sets(RecordKind kind, int slots) {
  return static_cast<int>(texcoord_attributes(kind, slots, 0).size());
}

}  // namespace gltf

RecordCost record_cost(RecordKind kind, FactorLayout layout, NumberFormat format, int slots) {
  constexpr int kAlignment = 4;  // glTF aligns the elements of vertex attributes
  RecordCost cost;
  for (const gltf::RecordAttribute& attribute : gltf::record_attributes(kind, layout, slots, 0)) {
    const int bytes = static_cast<int>(attribute.numbers.size()) * row(format).bytes;
    cost.bytes += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    ++cost.attributes;
  }
  return cost;
}

NormalRecord stored_record(NormalRecord record, const RiggedMesh& mesh, std::span<const StoredRange> ranges,
                           NumberFormat format) {
  for (const StoredRange& range : ranges)
    round_to_stored(record, mesh, range.first, range.count, format, storage_scales(format, range.largest));
  return record;
}

}  // namespace skinlight
