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
  Vec3d a{0.0};  // gradient of its weight, per unit of length
  // Mean over the ring's faces of its weight at the two corners away from the vertex. In a face with edges
  // e1, e2 from the vertex and dual vectors g1, g2 the exact tangent along t0 takes
  // (w1 e1 g1^T + w2 e2 g2^T) t0 where the product rule at the vertex takes w0 t0; the multiple of t0 nearest
  // to it over all directions t0 is (w1 + w2) / 2.
  double smooth_weight = 0;
};

// How a one-ring moves with one bone: with q the vertex's position under the bone, the bone's share of the
// posed tangent along any t0 is M[s] (linear t0) + q (a . t0), exactly so for the posed triangles' own maps.
struct BoneMap {
  int bone;
  Mat3d linear{Vec3d(0.0), Vec3d(0.0), Vec3d(0.0)};  // near w[s] times the identity
  Vec3d a{0.0};                                      // as in BoneGradient
};

// Averages hat-function gradients into vertices. Built once per mesh; every face's gradients and corner
// weights are computed once and shared by its three corners.
class VertexGradients {
 public:
  // surface must be built from mesh.faces; throws InputError when the sizes differ. Faces of zero gradient
  // count in the denominator of the average: leaving them out makes the factors at the end of a weight ramp
  // up to twice too large. maps: keep what maps_at() needs.
  VertexGradients(const RiggedMesh& mesh, const Surface& surface, Averaging scheme, int threads = 0,
                  bool maps = false);

  // Every bone that any corner of the one-ring of a surface vertex carries, in order of first appearance.
  // Overwrites `gradients`. Empty when the one-ring has no area.
  void at(int surface_vertex, std::vector<BoneGradient>& gradients) const;

  // Any other function f of the file vertices. Calls visit(file_vertex, g, far_share) for every corner of
  // every face of the one-ring and returns the divisor: f's averaged gradient is the sum of g f, its mean
  // over the far ends of the one-ring the sum of far_share f, both over the divisor. Returns 0 when the
  // one-ring has no area: there is no average then.
  template <class Visit>
  double visit(int surface_vertex, Visit&& visit) const {
    return visit_corners(surface_vertex, [&](int f, std::size_t c, std::size_t k, double share) {
      visit(surface_.face(f)[c], terms_[static_cast<std::size_t>(f)].hat[c] * share,
            c == k ? 0.0 : share / 2);
    });
  }

  // The same bones with their maps, averaged over the faces. In the face with corners p0 (the vertex), p1, p2
  // and normal n, rest edges e1, e2 with dual vectors g1, g2, a tangent is t0 = e1 (g1 . t0) + e2 (g2 . t0) +
  // n (n . t0), and every posed edge is sum_s M[s] (w1 p1 - w0 p0), so that bone s carries
  //   linear = w1 e1 g1^T + w2 e2 g2^T + w0 n n^T   and   a = w0 g0 + w1 g1 + w2 g2;
  // n is carried by the vertex's own weights, as T n.
  void maps_at(int surface_vertex, std::vector<BoneMap>& maps) const;

 private:
  // Calls visit(face, c, k, share) for every corner c of every face of the one-ring, where corner k is the
  // vertex itself. Returns the sum of the faces' shares, 0 when there is nothing to average.
  template <class Visit>
  double visit_corners(int surface_vertex, Visit&& visit) const {
    double total = 0;
    const FaceTerms* const terms = terms_.data();
    for (const Corner& corner : surface_.one_ring(surface_vertex)) {
      const auto k = static_cast<std::size_t>(corner.corner);
      const double share = terms[static_cast<std::size_t>(corner.face)].corner_weight[k];
      total += share;
      for (std::size_t c = 0; c < 3; ++c) visit(corner.face, c, k, share);
    }
    // Signed schemes can cancel to a total of zero; nothing can be averaged then.
    return std::isfinite(total) ? total : 0;
  }

  // The same per bone: term(face, c, k, share) is what corner c has for all its bones, add(entry, term, share)
  // gives it to one of them, whose weight is in the share. Fills `entries`, empty when there is nothing to
  // average.
  template <class Entry, class Term, class Add>
  double gather(int surface_vertex, std::vector<Entry>& entries, Term term, Add add) const;

  struct FaceTerms {
    std::array<Vec3d, 3> hat;
    std::array<double, 3> corner_weight;
  };
  const RiggedMesh& mesh_;
  const Surface& surface_;
  std::vector<FaceTerms> terms_;  // #F
  std::vector<Vec3d> normals_;    // #F or empty
};

}  // namespace skinlight
