// Experiments on [BTGM19]: Bittner et al., Evaluation of Optimised Centres of Rotation Skinning, 2019.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

Experiment bittner_fig8_cor_time();  // Fig. 8, Sec. 4.1
Experiment bittner_table2_fps();     // Table 2
Experiment bittner_table_memory();   // Sec. 5.2.2: the table of memory

}  // namespace skinlight::repro
