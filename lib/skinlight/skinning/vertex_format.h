// What a vertex carries to be skinned, packed as tightly as [TPS14 Table 1] counts it.
#pragma once

#include <cstddef>
#include <vector>

#include "skinlight/preprocess/deform_factors.h"

namespace skinlight {

// What the normals need beyond the influences.
enum class NormalData {
  none,            // standard [Eq. 3]
  deform_factors,  // alpha and beta of all slots but the first [Eq. 13]: two floats each
  gradients,       // a[s] of all slots [Eq. 7]: three floats each
};

// Bytes per vertex. A slot is a 16-bit bone index and a 32-bit float weight.
struct VertexFormat {
  int slots = 4;
  NormalData normals = NormalData::none;

  int influence_bytes() const { return slots * 6; }
  int normal_bytes() const;
  int bytes() const { return influence_bytes() + normal_bytes(); }
};

// One vertex after another, each: slots bone indices, slots weights, then alpha[1], beta[1], alpha[2] ... or
// a[0], a[1]
// ..., in the machine's byte order. Throws InputError when the factors do not have the format's slots, or a
// bone beyond 16 bits.
std::vector<std::byte> packed_vertices(const DeformFactors& factors, const VertexFormat& format);

// The inverse: slot 0 of alpha and beta is minus the sum of the others [Eq. 12]. Values are floats; what the
// format does not hold is 0.
DeformFactors unpacked_vertices(const std::vector<std::byte>& data, const VertexFormat& format);

}  // namespace skinlight
