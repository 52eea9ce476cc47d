// Guards against flips on random tangents, without a mesh.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

// Clamps and the joint guard on 400,000 random cases for each kind of T. Writes random_cases.csv and the
// values "<T>/<guard> <c>/percent" (flipped), "<T>/<guard> <c>/smallest" (share of the standard normal's
// height that is left), and "by_hand", the counter-example to the printed claim.
void try_random_guard_cases(Workbench& bench);

}  // namespace skinlight::repro
