// Guards against flips on random tangents, without a mesh.
#pragma once

#include "repro/experiment.h"
#include "skinlight/core/random.h"
#include "skinlight/skinning/kernel_table.h"

namespace skinlight::repro {

// What moves a vertex: one rotation by any angle, or a blend of four, by up to 60 or 180 degrees.
enum class RandomBones { one_rotation, blend_to_60, blend_to_180 };

using RandomTerms = Kernels<double, 4>::TangentTerms;

// T of the bones about random axes, the weights of a blend random too; d and e anywhere in the cube from -5 to 5.
RandomTerms random_terms(Random& random, RandomBones bones);

// n . n_std / |n_std|^2 with n_std = T t0 x T b0: 1 untouched, negative flipped.
double share_left(const RandomTerms& k);

// Clamps and the joint guard on so many random cases for each kind of T. Writes random_cases.csv and the
// values "<T>/<guard> <c>/percent" (flipped), "<T>/<guard> <c>/smallest" (share of the standard normal's
// height that is left), "<T>/<guard> <c>/smallest tangent" (of T t0's length), and "by_hand", the counter-example to the
// printed claim.
void try_random_guard_cases(Workbench& bench, int cases = 400000);

}  // namespace skinlight::repro
