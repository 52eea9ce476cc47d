// What normals need per vertex beyond bones and weights, in few bits: deform factors, smooth weights, deform
// vectors. vertex_format.h packs whole vertices as [TPS14 Table 1] counts them, in floats.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "skinlight/core/number_format.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/preprocess/normal_record.h"

namespace skinlight {

// Numbers per slot: 2, 3 or 8.
int numbers_per_slot(NormalRecord record);

// The record's bytes per vertex: slot 0 is not stored.
int normal_record_bytes(NormalRecord record, int slots, NumberFormat format);

struct PackedNormals {
  NormalRecord record = NormalRecord::deform_factors;
  NumberFormat format = NumberFormat::f32;
  int slots = 0;
  double factor_scale = 1;      // of alpha and beta, per unit of length: storage_scale() of the largest
  double vector_scale = 1;      // of t, b and smooth weights, pure numbers
  std::vector<std::byte> data;  // one vertex after another, slots 1, 2 ..., in the machine's byte order
};

// record: deform_factors or smoothed. Throws InputError for arrays that do not fit together and for numbers
// that are not finite or beyond the range of float.
PackedNormals packed_normals(const DeformFactors& factors, NormalRecord record, NumberFormat format);
PackedNormals packed_normals(const DeformVectors& vectors, NumberFormat format);

// Puts back what comes out of storage: slot 0 closes the sums again, so rigid motions stay exact in any
// format. Bones and weights stay as they are; `mesh` gives the tangents that deform vectors sum to. Throws
// InputError when the record, the slots or the size of the data is another.
void unpack_normals(const PackedNormals& packed, DeformFactors& factors);
void unpack_normals(const PackedNormals& packed, const RiggedMesh& mesh, DeformVectors& vectors);

}  // namespace skinlight
