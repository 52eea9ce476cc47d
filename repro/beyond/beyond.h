// Beyond the papers.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

Experiment beyond_exact_dqs();      // dual quaternions: the exact derivative beside the paper's approximation
Experiment beyond_exact_crs();      // centres of rotation, with and without the gradient of the centre
Experiment beyond_exact_sbs_log();  // spherical blend skinning, log-matrix blending

}  // namespace skinlight::repro
