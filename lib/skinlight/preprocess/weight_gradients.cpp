#include "skinlight/preprocess/weight_gradients.h"

#include <cmath>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"

namespace skinlight {

std::array<Vec3d, 3> hat_gradients(Vec3d p, Vec3d q, Vec3d r) {
  const Vec3d normal = cross(q - p, r - p);  // n * 2A
  const double squared = dot(normal, normal);
  // Below the smallest normal number, 1 / squared would overflow.
  if (!(squared > 1e-300) || !std::isfinite(squared)) return {Vec3d(0.0), Vec3d(0.0), Vec3d(0.0)};
  const Vec3d m = normal / squared;  // n / (2A)
  return {cross(m, r - q), cross(m, p - r), cross(m, q - p)};
}

VertexGradients::VertexGradients(const RiggedMesh& mesh, const Surface& surface, Averaging scheme,
                                 int threads)
    : mesh_(mesh), surface_(surface), terms_(mesh.faces.size()) {
  if (surface.face_count() != static_cast<int>(mesh.faces.size()) ||
      surface.file_vertex_count() != mesh.vertex_count())
    throw InputError("", "surface", "was built from another mesh");
  parallel_for(surface.face_count(), threads, [&](int begin, int end) {
    for (int f = begin; f < end; ++f) {
      const Face& face = surface.face(f);
      Vec3d p[3];
      for (std::size_t c = 0; c < 3; ++c) p[c] = mesh.p0[static_cast<std::size_t>(face[c])];
      FaceTerms& terms = terms_[static_cast<std::size_t>(f)];
      terms.hat = hat_gradients(p[0], p[1], p[2]);
      for (std::size_t c = 0; c < 3; ++c)
        terms.corner_weight[c] = corner_weight(scheme, p[c], p[(c + 1) % 3], p[(c + 2) % 3]);
    }
  });
}

void VertexGradients::at(int surface_vertex, std::vector<BoneGradient>& gradients) const {
  gradients.clear();
  const double total = visit(surface_vertex, [&](int file_vertex, Vec3d g, double far_share) {
    const auto bones = mesh_.bones_of(file_vertex);
    const auto weights = mesh_.weights_of(file_vertex);
    for (std::size_t k = 0; k < weights.size() && weights[k] != 0; ++k) {  // descending: zeros are last
      std::size_t i = 0;
      while (i < gradients.size() && gradients[i].bone != bones[k]) ++i;
      if (i == gradients.size()) gradients.push_back({bones[k], Vec3d(0.0)});
      gradients[i].a += g * weights[k];
      gradients[i].smooth_weight += far_share * weights[k];
    }
  });
  if (total == 0) gradients.clear();
  for (BoneGradient& gradient : gradients) {
    gradient.a = gradient.a / total;
    gradient.smooth_weight /= total;
  }
}

}  // namespace skinlight
