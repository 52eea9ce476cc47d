// What preprocessing knows about a mesh, as skinning reads it.
#pragma once

#include "skinlight/preprocess/deform_factors.h"

namespace skinlight {

struct RotationCentres;

// Deform factors, which every method and normal mode reads, and what some of them need besides. Does not own
// what it refers to.
struct SkinData {
  // Deform factors alone are enough for most: wherever SkinData is wanted they will do.
  SkinData(const NormalRecord& deform_factors)
      : factors(deform_factors) {}  // NOLINT(google-explicit-constructor)

  const NormalRecord& factors;
  const NormalRecord* vectors = nullptr;     // for NormalMode::deform_vectors
  const RotationCentres* centres = nullptr;  // for Method::crs
};

}  // namespace skinlight
