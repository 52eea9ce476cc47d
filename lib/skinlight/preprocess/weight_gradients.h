// Gradients of the skinning weights over the rest surface [TPS14 Sec. 3.1, 3.2].
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "skinlight/mesh/averaging.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// Gradients of the three barycentric (hat) functions of the triangle (p, q, r): a weight with corner values w
// has the gradient sum_c w[c] g[c], constant in the face and orthogonal to its normal. This is the solution
// of [TPS14 Eq. 5] in closed form, g[c] = n x e[c] / (2 A). Differs from paper: Eq. 5 as a 4x4 system loses
// all digits in float away from the origin. Zero for triangles without area or with corners that are not
// finite.
std::array<Vec3d, 3> hat_gradients(Vec3d p, Vec3d q, Vec3d r);

// What a one-ring tells about one bone.
struct BoneGradient {
  int bone;
  Vec3d a;  // gradient of its weight, per unit of length
  // Mean over the ring's faces of its weight at the two corners away from the vertex. In a face with edges
  // e1, e2 from the vertex and dual vectors g1, g2 the exact tangent along t0 takes
  // (w1 e1 g1^T + w2 e2 g2^T) t0 where the product rule at the vertex takes w0 t0; the multiple of t0 nearest
  // to it over all directions t0 is (w1 + w2) / 2.
  double smooth_weight = 0;
};

// Averages hat-function gradients into vertices. Built once per mesh; every face's gradients and corner
// weights are computed once and shared by its three corners.
class VertexGradients {
 public:
  // surface must be built from mesh.faces; throws InputError when the sizes differ. Faces of zero gradient
  // count in the denominator of the average: leaving them out makes the factors at the end of a weight ramp
  // up to twice too large.
  VertexGradients(const RiggedMesh& mesh, const Surface& surface, Averaging scheme, int threads = 0);

  // Every bone that any corner of the one-ring of a surface vertex carries, in order of first appearance.
  // Overwrites `gradients`. Empty when the one-ring has no area.
  void at(int surface_vertex, std::vector<BoneGradient>& gradients) const;

  // Any other function f of the file vertices. Calls visit(file_vertex, g, far_share) for every corner of
  // every face of the one-ring and returns the divisor: f's averaged gradient is the sum of g f, its mean
  // over the far ends of the one-ring the sum of far_share f, both over the divisor. Returns 0 when the
  // one-ring has no area: there is no average then.
  template <class Visit>
  double visit(int surface_vertex, Visit&& visit) const {
    double total = 0;
    for (const Corner& corner : surface_.one_ring(surface_vertex)) {
      const FaceTerms& terms = terms_[static_cast<std::size_t>(corner.face)];
      const Face& face = surface_.face(corner.face);
      const double share = terms.corner_weight[static_cast<std::size_t>(corner.corner)];
      total += share;
      for (std::size_t c = 0; c < 3; ++c)
        visit(face[c], terms.hat[c] * share, static_cast<int>(c) == corner.corner ? 0.0 : share / 2);
    }
    // Signed schemes can cancel to a total of zero; nothing can be averaged then.
    return std::isfinite(total) ? total : 0;
  }

 private:
  struct FaceTerms {
    std::array<Vec3d, 3> hat;
    std::array<double, 3> corner_weight;
  };
  const RiggedMesh& mesh_;
  const Surface& surface_;
  std::vector<FaceTerms> terms_;  // #F
};

}  // namespace skinlight
