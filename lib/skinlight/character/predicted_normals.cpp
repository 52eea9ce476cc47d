#include "skinlight/character/predicted_normals.h"

namespace skinlight {

NormalMode predicted_normals(const RingSummary& rest) {
  if (!(rest.blended > 0)) return NormalMode::standard;
  if (rest.weight_change.q3 < kFactorsUpTo) return NormalMode::deform;
  if (rest.weight_change.q3 < kSmoothedUpTo) return NormalMode::smoothed;
  return NormalMode::deform_vectors;
}

NormalMode predicted_normals(const Character& character) {
  const RiggedMesh& mesh = character.mesh();
  const Surface& surface = character.surface();
  return predicted_normals(summary(one_rings(mesh, surface), mesh, surface));
}

}  // namespace skinlight
