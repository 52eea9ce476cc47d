// What preprocessing knows about a mesh, as skinning reads it.
#pragma once

#include "skinlight/preprocess/deform_factors.h"

namespace skinlight {

struct DeformVectors;
struct RotationCentres;

// Deform factors, which every method and normal mode reads, and what some of them need besides. Does not own
// what it refers to.
struct SkinData {
  // Deform factors alone are enough for most: wherever SkinData is wanted they will do.
  SkinData(const DeformFactors& deform_factors)
      : factors(deform_factors) {}  // NOLINT(google-explicit-constructor)

  const DeformFactors& factors;
  const DeformVectors* vectors = nullptr;    // for NormalMode::deform_vectors
  const RotationCentres* centres = nullptr;  // for Method::crs
};

}  // namespace skinlight
