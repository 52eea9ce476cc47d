// Experiments on [TPS14]: Tarini, Panozzo, Sorkine-Hornung, Accurate and Efficient Lighting for Skinned
// Models, 2014.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

Experiment fig1_skirt();         // Fig. 1
Experiment fig2_pill();          // Fig. 2
Experiment fig3_averaging();     // Fig. 3
Experiment fig4_cancellation();  // Fig. 4
Experiment fig5_flips();         // Fig. 5, Sec. 4.4
Experiment fig6_lbs();           // Fig. 6
Experiment fig7_nmax2();         // Fig. 7
Experiment fig8_dqs();           // Fig. 8, Sec. 4.5
Experiment table1_cost();        // Table 1
Experiment characters();         // Sec. 6, on real game characters
Experiment text_claims();        // Sec. 3.2, 6 and 7: the text

}  // namespace skinlight::repro
