// Experiments on [TPS14]: Tarini, Panozzo, Sorkine-Hornung, Accurate and Efficient Lighting for Skinned
// Models, 2014.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

Experiment fig2_pill();   // Fig. 2
Experiment fig5_flips();  // Fig. 5
Experiment characters();  // Sec. 6, on real game characters

}  // namespace skinlight::repro
