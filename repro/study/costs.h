// What normals cost per vertex: operations of the shipped kernels under linear blend skinning, bytes of the shipped
// records.
#pragma once

#include <string>

#include "skinlight/core/number_format.h"
#include "skinlight/skinning/kernel_table.h"

namespace skinlight::repro {

// As [TPS14 Table 1] counts, over `slots` of 1, 2, 3, 4, 6 or 8 (kernels of any number can be compiled).
// Modes: standard, deform, smoothed, deform_vectors.
long operations(NormalMode mode, int slots);

// Beyond bones and weights, which standard normals need as well.
int bytes(NormalMode mode, int slots, NumberFormat format);

// The same of two deform frames, with a centre each (CRS) or without: numbers, and what stored_frames() scales them by.
int frame_bytes(int slots, bool centres, NumberFormat format);

}  // namespace skinlight::repro
