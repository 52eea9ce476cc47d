// The skinned surface as the centres of rotation see it: welded, with the weights of a vertex as one vector.
#pragma once

#include <span>
#include <vector>

#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// Vectors of weights, one entry per bone, of which only the positive ones are stored, bones ascending.
struct WeightVectors {
  std::vector<int> offset = {0};  // #vectors + 1
  std::vector<int> bone;
  std::vector<double> weight;

  int count() const { return static_cast<int>(offset.size()) - 1; }
  std::span<const int> bones(int i) const { return {bone.data() + begin(i), size(i)}; }
  std::span<const double> weights(int i) const { return {weight.data() + begin(i), size(i)}; }
  void reserve(std::size_t vectors, std::size_t entries) {
    offset.reserve(vectors + 1);
    bone.reserve(entries);
    weight.reserve(entries);
  }
  // Closes the vector of the entries pushed since the last call.
  void close() { offset.push_back(static_cast<int>(bone.size())); }

 private:
  std::size_t begin(int i) const { return static_cast<std::size_t>(offset[static_cast<std::size_t>(i)]); }
  std::size_t size(int i) const {
    const auto at = static_cast<std::size_t>(i);
    return static_cast<std::size_t>(offset[at + 1] - offset[at]);
  }
};

// |w_a - w_b|^2, the l2 distance of [LH16] squared.
double squared_distance(const WeightVectors& a, int i, const WeightVectors& b, int j);

// Appends the sum of share[i] times vector vectors[i] to `to`, which may be w itself: of up to three.
void append_blend(const WeightVectors& w, std::span<const int> vectors, std::span<const double> share,
                  WeightVectors& to);

struct WeightedSurface {
  std::vector<Face> faces;  // #F by 3 surface vertices
  std::vector<Vec3d> p;     // #V by 3
  WeightVectors weights;    // #V

  int vertex_count() const { return static_cast<int>(p.size()); }
  int face_count() const { return static_cast<int>(faces.size()); }
};

// Vertices are those of `surface`, with the weights of their first file vertex. Throws InputError when
// `surface` was built from another mesh.
WeightedSurface weighted_surface(const RiggedMesh& mesh, const Surface& surface);

// Bisects triangles along the edge with the largest distance of weights |w_i - w_j|_2 until none is above
// `threshold` [BTGM19 Sec. 3.3: epsilon]; the surface and the weights along old edges stay what they are, old
// vertices come first, neighbours stay neighbours: for what walks over the surface. Sums need less, see
// weight_pieces.h. Differs from paper: it splits every offending edge as it meets it, which multiplies
// triangles without end on real characters; the largest edge first keeps the pieces round in the space of
// weights. Throws InputError for a threshold outside [0.01, 2]: below, there would be 10,000 pieces.
WeightedSurface subdivide_by_weights(const WeightedSurface& surface, double threshold);

// Throws that.
void require_subdivision_threshold(double threshold);

// The triangles of [BTGM19 Eq. 10]: weights w_t and centre v_t are means over the corners, a_t is the area.
struct WeightedTriangles {
  std::vector<double> area;     // #F; 0 where it is not finite
  std::vector<Vec3d> centroid;  // #F by 3
  WeightVectors weights;        // #F

  int count() const { return weights.count(); }
};

WeightedTriangles weighted_triangles(const WeightedSurface& surface);

}  // namespace skinlight
