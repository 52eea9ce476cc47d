// Lines of reflection close up: the golden reference in which one degree at one vertex shows. Shading forgives that, and
// stored normals say nothing of what is drawn from them.
#pragma once

#include "repro/experiment.h"
#include "repro/runner/runner.h"
#include "repro/subject.h"

namespace skinlight::repro {

inline constexpr int kCloseUpPixels = 160;  // of one method's square

// Narrow stripes: a tilt of one degree turns the reflected ray by two, a third of a stripe.
inline constexpr Reflection kCloseUpStripes = {.stripe_degrees = 6};

// Where it looks: the first vertex that bones share most evenly, or nearly so. Ties are frequent on procedural rigs, and
// rounding must not decide them.
int close_up_vertex(const RiggedMesh& mesh);

// The vertex with what surrounds it, one square per method from left to right, seen along the posed faces' normal.
Image8 close_up(const Experiment& experiment, const Subject& subject, const Pose& pose, Studio& studio,
                int threads);

// Of the rig whose normals are stored, or of the first one, in the last pose: close_up.png. Nothing without a rig.
void draw_close_up(const Experiment& experiment, Studio& studio, int threads, const Progress& progress,
                   const std::filesystem::path& folder, std::vector<Output>& outputs);

}  // namespace skinlight::repro
