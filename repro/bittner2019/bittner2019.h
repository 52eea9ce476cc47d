// Experiments on [BTGM19]: Bittner et al., Evaluation of Optimised Centres of Rotation Skinning, 2019.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

Experiment bittner_table_memory();  // Sec. 5.2.2: the table of memory

}  // namespace skinlight::repro
