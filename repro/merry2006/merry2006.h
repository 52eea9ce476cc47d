// Experiments on [MMG06]: Merry, Marais, Gain, Correct normal transformations for articulated models, 2006.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

Experiment merry_normals();  // Eq. 2 to 4

}  // namespace skinlight::repro
