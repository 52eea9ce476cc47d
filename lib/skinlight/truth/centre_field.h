// The centres of rotation of a procedural rig as a function of its surface, with exact derivatives.
#pragma once

#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

// [BTGM19 Eq. 10] over the rig's own triangles, and its derivative over the rest space: the centre depends on
// the weights of a vertex only, so grad C = sum_s dC/dw[s] grad w[s] with the rig's exact gradients. By the
// complex step, as one loop over all triangles for every set of weights that occurs: meant for rigs whose
// rings share their weights. A vertex on a single bone has itself as its centre, which does not move: nothing
// depends on it where weights do not change. Throws InputError for a rig without gradients.
CentreField centre_field(const ProceduralRig& rig, double sigma = 0.1);

// The same as skinning reads it.
RotationCentres centres_of(const ProceduralRig& rig, const CentreField& field);

}  // namespace skinlight
