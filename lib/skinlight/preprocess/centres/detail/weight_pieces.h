// Triangles cut into pieces of nearly one weight, for the sums of [BTGM19 Eq. 10], which read no more of them
// than area, centroid and weights there: pieces need not meet edge to edge, nor be triangles.
#pragma once

#include <array>
#include <vector>

#include "skinlight/preprocess/centres/weighted_surface.h"

namespace skinlight {

using Barycentric = std::array<double, 3>;  // adds up to 1
using Polygon = std::vector<Barycentric>;   // convex, in a triangle, oriented as it is

// Convex pieces that cover a triangle, with no two weights in one of them more than `threshold` apart
// [BTGM19 Sec. 3.3: epsilon]. Differs from paper: it splits edges, and triangles with them. Where weights
// change in one direction only, this cuts strips across it, as many as the largest distance needs; where they
// change in two, strips are cut into cells.
std::vector<Polygon> pieces_of(const WeightVectors& weights, const Face& f, double threshold);

// All triangles in pieces, with the weights at their centroids, and areas that add up to the triangles'.
// Throws InputError for a threshold outside [0.01, 2]: below, there would be 10,000 pieces.
WeightedTriangles weighted_pieces(const WeightedSurface& surface, double threshold);

}  // namespace skinlight
