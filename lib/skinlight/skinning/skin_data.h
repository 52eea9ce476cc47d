// What preprocessing knows about a mesh, as skinning reads it.
#pragma once

#include <span>

#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_frames.h"

namespace skinlight {

struct RotationCentres;

// Every part may be left out unless the method or the normal mode reads it; skinning says what is missing. Does not own
// what it refers to.
struct SkinData {
  SkinData() = default;
  // Deform factors alone are enough for most: wherever SkinData is wanted they will do.
  SkinData(const NormalRecord& deform_factors)
      : factors(&deform_factors) {}  // NOLINT(google-explicit-constructor)

  const NormalRecord* factors = nullptr;  // for all normal modes but those of vectors; standard does without
  const NormalRecord* vectors = nullptr;  // for NormalMode::deform_vectors
  const FrameRecord* frames = nullptr;    // for NormalMode::deform_frames, with two frames per vertex
  const RotationCentres* centres = nullptr;  // for Method::crs
};

// The bones and weights that a kernel works with. #V by slots each.
struct VertexSlots {
  int slots = 0;
  std::span<const int> bone;
  std::span<const double> weight;

  std::size_t at(int vertex, int slot) const {
    return static_cast<std::size_t>(vertex) * static_cast<std::size_t>(slots) +
           static_cast<std::size_t>(slot);
  }
};

}  // namespace skinlight
