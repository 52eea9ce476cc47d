// Experiments on [SLIDES]: a lecture on skinning, from the interpolation of transformations to the blending
// methods.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

Experiment interpolation();     // "Interpolation of Transformations", "Spherical Averages"
Experiment morph_targets();     // "Morph Target Animation"
Experiment dual_numbers();      // "Screw Motions & Dual Quaternion Blending"
Experiment blending_gallery();  // "Log-matrix Blending", "Dual Quaternions", "Spherical Blend Skinning"
Experiment antipodality();      // the signs in "Spherical Blending" and "Dual Quaternion Blending"

}  // namespace skinlight::repro
