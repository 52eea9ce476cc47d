#include "skinlight/preprocess/normal_record.h"

namespace skinlight {

namespace {

template <class T>
T sum_of(SlotSum sum, const RiggedMesh& mesh, int vertex) {
  const auto v = static_cast<std::size_t>(vertex);
  if constexpr (std::is_same_v<T, double>)
    return sum == SlotSum::one ? 1 : 0;
  else
    return sum == SlotSum::t0 ? mesh.t0[v] : sum == SlotSum::b0 ? mesh.b0[v] : Vec3d(0.0);
}

}  // namespace

double number_of(const NormalRecord& record, Quantity quantity, std::size_t entry, int component) {
  const ColumnRow& column = row(quantity);
  return column.vectors ? (record.*column.vectors)[entry][component] : (record.*column.numbers)[entry];
}

bool is_unused(const NormalRecord& record, std::size_t entry, std::span<const Quantity> columns) {
  if (record.weight[entry] != 0) return false;
  for (const Quantity quantity : columns)
    for (int c = 0; c < row(quantity).components(); ++c)
      if (number_of(record, quantity, entry, c) != 0) return false;
  return true;
}

void close_sums(NormalRecord& record, const RiggedMesh& mesh, int first, int count,
                std::span<const Quantity> columns) {
  const auto slots = static_cast<std::size_t>(record.slots);
  for (const Quantity quantity : columns)
    visit_column(record, quantity, [&]<class T>(std::vector<T>& values) {
      if (values.empty()) return;
      T* slot = values.data() + record.at(first, 0);
      for (int v = first; v < first + count; ++v, slot += slots) {
        T rest = sum_of<T>(row(quantity).sum, mesh, v);
        for (std::size_t s = 1; s < slots; ++s) rest -= slot[s];
        slot[0] = rest;
      }
    });
}

PerUnit storage_scales(NumberFormat format, const PerUnit& largest) {
  return {storage_scale(format, largest.per_length), storage_scale(format, largest.pure),
          storage_scale(format, largest.length)};
}

void round_to_stored(NormalRecord& record, const RiggedMesh& mesh, int first, int count, NumberFormat format,
                     const PerUnit& scale) {
  for (const ColumnRow& column : kColumns)
    visit_column(record, column.quantity, [&](auto& values) {
      if (values.empty()) return;
      for (int v = first; v < first + count; ++v)
        for (int s = 1; s < record.slots; ++s)
          for (int c = 0; c < column.components(); ++c) {
            double& number = component(values[record.at(v, s)], c);
            number = as_stored(format, number, scale.of(column.unit));
          }
    });
  close_sums(record, mesh, first, count);
}

}  // namespace skinlight
