// What skinned normals need per vertex and bone beyond bones and weights: one record of columns, and the
// table of its columns that storage loops over: vertex buffers (skinning/packed_normals.h), files
// (bake/bake.h).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "skinlight/core/number_format.h"
#include "skinlight/mesh/averaging.h"
#include "skinlight/preprocess/slots.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// Per file vertex and slot. The slots extend the mesh's own: same bones and weights first, slot 0 the largest
// weight, then bones that only the one-ring carries, with weight 0. Columns that were not asked for are
// empty; methods say which they read. Slot 0 of a column closes its sum (kColumns), so it need not be stored,
// and what did not fit into the slots moves with it.
struct NormalRecord {
  int slots = 0;
  std::vector<int> bone;       // #V by slots
  std::vector<double> weight;  // #V by slots
  // Deform factors, the gradient along t0 and b0 [TPS14 Eq. 11]; of deform vectors the fourth coordinates of
  // along_t and along_b. Per unit of length, sum 0 [TPS14 Eq. 12].
  std::vector<double> alpha, beta;
  // Mean of the weights at the far ends of the one-ring's faces (BoneGradient). Sum 1: bones that did not fit
  // count in slot 0.
  std::vector<double> smooth_weight;
  // a[s], the gradient of the weight, per unit of length: read by the exact-Jacobian modes only. Sum 0.
  std::vector<Vec3d> gradient;
  // Deform vectors (deform_vectors.h): (along_t, alpha) and (along_b, beta) are homogeneous 4-vectors
  // measured from the vertex. These are their linear parts, pure numbers of the size of a weight. Sums t0,
  // b0.
  std::vector<Vec3d> along_t, along_b;
  Averaging averaging = Averaging::mixed_voronoi;
  Overflow overflow;
  int flat_vertices = 0;  // surface vertices without area around them: normals as standard

  std::size_t at(int vertex, int slot) const {
    return static_cast<std::size_t>(vertex) * static_cast<std::size_t>(slots) +
           static_cast<std::size_t>(slot);
  }
};

enum class Quantity { alpha, beta, smooth_weight, gradient, along_t, along_b };

// What the slots of a column add up to.
enum class SlotSum { zero, one, t0, b0 };

// Numbers of one unit share a scale in storage.
enum class Unit { per_length, pure, length };

struct ColumnRow {
  Quantity quantity;
  std::string_view name;       // in messages
  std::string_view attribute;  // in files, as a part of the name
  SlotSum sum;
  Unit unit;
  // Where it is: one of both.
  std::vector<double> NormalRecord::*numbers;
  std::vector<Vec3d> NormalRecord::*vectors;

  constexpr int components() const { return vectors ? 3 : 1; }
};

// In the order of Quantity.
inline constexpr std::array kColumns = {
    ColumnRow{Quantity::alpha, "alpha", "ALPHA", SlotSum::zero, Unit::per_length, &NormalRecord::alpha,
              nullptr},
    ColumnRow{Quantity::beta, "beta", "BETA", SlotSum::zero, Unit::per_length, &NormalRecord::beta, nullptr},
    ColumnRow{Quantity::smooth_weight, "smooth weights", "SMOOTH", SlotSum::one, Unit::pure,
              &NormalRecord::smooth_weight, nullptr},
    ColumnRow{Quantity::gradient, "gradients", "GRADIENT", SlotSum::zero, Unit::per_length, nullptr,
              &NormalRecord::gradient},
    ColumnRow{Quantity::along_t, "deform vectors along t", "TAU_T", SlotSum::t0, Unit::pure, nullptr,
              &NormalRecord::along_t},
    ColumnRow{Quantity::along_b, "deform vectors along b", "TAU_B", SlotSum::b0, Unit::pure, nullptr,
              &NormalRecord::along_b},
};

constexpr const ColumnRow& row(Quantity quantity) { return kColumns[static_cast<std::size_t>(quantity)]; }

// What a stored record holds.
enum class RecordKind { deform_factors, smoothed, deform_vectors };

namespace columns {
inline constexpr std::array kAll = {Quantity::alpha,    Quantity::beta,    Quantity::smooth_weight,
                                    Quantity::gradient, Quantity::along_t, Quantity::along_b};
inline constexpr std::array kDeformFactors = {Quantity::alpha, Quantity::beta};
inline constexpr std::array kSmoothed = {Quantity::alpha, Quantity::beta, Quantity::smooth_weight};
inline constexpr std::array kDeformVectors = {Quantity::along_t, Quantity::alpha, Quantity::along_b,
                                              Quantity::beta};
}  // namespace columns

struct RecordKindRow {
  RecordKind kind;
  std::string_view name;              // in files
  std::span<const Quantity> columns;  // in the order of a slot's numbers in storage
};

// In the order of RecordKind.
inline constexpr std::array kRecordKinds = {
    RecordKindRow{RecordKind::deform_factors, "deform-factors", columns::kDeformFactors},
    RecordKindRow{RecordKind::smoothed, "smoothed", columns::kSmoothed},
    RecordKindRow{RecordKind::deform_vectors, "deform-vectors", columns::kDeformVectors},
};

constexpr const RecordKindRow& row(RecordKind kind) { return kRecordKinds[static_cast<std::size_t>(kind)]; }

// Calls visit(values) with the column: #V by slots of double or Vec3d, or empty.
template <class Record, class Visit>
decltype(auto) visit_column(Record& record, Quantity quantity, Visit visit) {
  const ColumnRow& column = row(quantity);
  return column.vectors ? visit(record.*column.vectors) : visit(record.*column.numbers);
}

template <class T>
auto& component(T& entry, int c) {
  if constexpr (std::is_same_v<std::remove_const_t<T>, Vec3d>)
    return entry[c];
  else
    return entry;
}

// One number of a column that the record has. entry: NormalRecord::at().
double number_of(const NormalRecord& record, Quantity quantity, std::size_t entry, int component);

// Whether a slot adds nothing, whatever its bone: no weight, and zeros in the columns.
bool is_unused(const NormalRecord& record, std::size_t entry, std::span<const Quantity> columns);

// Slot 0 of vertices first .. first + count - 1 becomes what the sums of the columns leave over; columns that
// the record lacks are skipped. mesh: has the vertices' tangents.
void close_sums(NormalRecord& record, const RiggedMesh& mesh, int first, int count,
                std::span<const Quantity> columns = columns::kAll);

// A number for each unit: the largest sizes in a record, or the scales that storage divides by.
struct PerUnit {
  double per_length = 0;
  double pure = 0;
  double length = 0;  // of deform frames about centres of rotation

  constexpr double& of(Unit unit) {
    return unit == Unit::per_length ? per_length : unit == Unit::pure ? pure : length;
  }
  constexpr double of(Unit unit) const { return PerUnit(*this).of(unit); }
};

PerUnit storage_scales(NumberFormat format, const PerUnit& largest);

// Vertices first .. first + count - 1 as they come back from storage, in all columns that the record has; slot
// 0 closes the sums again.
void round_to_stored(NormalRecord& record, const RiggedMesh& mesh, int first, int count, NumberFormat format,
                     const PerUnit& scale);

}  // namespace skinlight
