// What normals need per vertex beyond bones and weights, in few bits.
#pragma once

#include <cstddef>
#include <vector>

#include "skinlight/preprocess/normal_record.h"
#include "skinlight/skinning/kernel_table.h"

namespace skinlight {

// The normals of linear blend skinning that read a record of this kind.
constexpr NormalMode mode_reading(RecordKind kind) {
  constexpr std::array kModes = {NormalMode::deform, NormalMode::smoothed, NormalMode::deform_vectors};
  static_assert(kModes.size() == kRecordKinds.size());
  return kModes[static_cast<std::size_t>(kind)];
}

// Numbers per slot: 2, 3 or 8.
int numbers_per_slot(RecordKind kind);

// The record's bytes per vertex: slot 0 is not stored.
int normal_record_bytes(RecordKind kind, int slots, NumberFormat format);

struct PackedNormals {
  RecordKind kind = RecordKind::deform_factors;
  NumberFormat format = NumberFormat::f32;
  int slots = 0;
  PerUnit scale{1, 1};          // storage_scales() of the largest
  std::vector<std::byte> data;  // one vertex after another, slots 1, 2 ..., in the machine's byte order
};

// Throws InputError for columns that are missing or do not fit together and for numbers that are not finite
// or beyond the range of float.
PackedNormals packed_normals(const NormalRecord& record, RecordKind kind, NumberFormat format);

// Puts back what comes out of storage: slot 0 closes the sums again, so rigid motions stay exact in any
// format. Bones, weights and other columns stay as they are; `mesh` has the tangents that deform vectors sum
// to. Throws InputError when the slots or the size of the data is another.
void unpack_normals(const PackedNormals& packed, const RiggedMesh& mesh, NormalRecord& record);

}  // namespace skinlight
