// Which kind of normals will pay on a character, before anything is posed: by its one-rings alone, in milliseconds.
#pragma once

#include "skinlight/character/character.h"
#include "skinlight/preprocess/one_ring.h"

namespace skinlight {

// Upper quartile of the change of weight along an edge, over the area where bones blend. Where it is small, weights are
// nearly linear over a one-ring, and deform factors say it all; where a quarter of the edges takes half of the weight to
// other bones, only the triangles themselves do. The limits are of a survey over 274 rigs of 38 families: what they name is
// the cheapest kind that takes away four fifths of what the best does on 71 % of rigs whose family had no part in them
// (always the most frequent kind: 55 %). repro/survey/predictor.py finds both for a survey of one's own.
inline constexpr double kFactorsUpTo = .23;
inline constexpr double kSmoothedUpTo = .5;

// standard where nothing blends; else deform, smoothed or deform_vectors. Of linear blend skinning.
NormalMode predicted_normals(const RingSummary& rest);
NormalMode predicted_normals(const Character& character);

}  // namespace skinlight
