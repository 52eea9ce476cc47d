// Experiments on [BTGM19]: Bittner et al., Evaluation of Optimised Centres of Rotation Skinning, 2019.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

Experiment bittner_fig1_candywrapper();  // Fig. 1
Experiment bittner_fig2_artefacts();     // Fig. 2
Experiment bittner_fig4_blending();      // Fig. 4
Experiment bittner_fig5_tail_bulge();    // Fig. 5
Experiment bittner_fig6_cuboid();        // Fig. 6
Experiment bittner_fig7_wolf();          // Fig. 7
Experiment bittner_fig8_cor_time();      // Fig. 8, Sec. 4.1
Experiment bittner_claims();             // Sec. 5.1: the text
Experiment bittner_table2_fps();         // Table 2
Experiment bittner_table_memory();       // Sec. 5.2.2: the table of memory

}  // namespace skinlight::repro
