// Beyond the papers. README.md in this folder is about normals that stay right on coarse meshes.
#pragma once

#include "repro/experiment.h"

namespace skinlight::repro {

Experiment beyond_exact_dqs();      // dual quaternions: the exact derivative beside the paper's approximation
Experiment beyond_exact_crs();      // centres of rotation, with and without the gradient of the centre
Experiment beyond_exact_sbs_log();  // spherical blend skinning, log-matrix blending
Experiment beyond_coarse_meshes();  // every animated model: standard, deform factors, smooth weights, vectors
Experiment beyond_refinement();     // one body from 100 to 100,000 vertices
Experiment beyond_quantised();      // in how few bits
Experiment beyond_slots();          // in how few slots

}  // namespace skinlight::repro
