#include "skinlight/preprocess/weight_gradients.h"

#include <algorithm>
#include <cmath>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"

namespace skinlight {

namespace {

// a b^T.
Mat3d outer_product(Vec3d a, Vec3d b) { return {a * b.x, a * b.y, a * b.z}; }

// Zero where the face is too small to have one.
Vec3d face_normal(Vec3d p, Vec3d q, Vec3d r) {
  const Vec3d normal = cross(q - p, r - p);
  const double size = length(normal);
  return size > 0 ? normal / size : Vec3d(0.0);
}

}  // namespace

std::array<Vec3d, 3> hat_gradients(Vec3d p, Vec3d q, Vec3d r) {
  const Vec3d normal = cross(q - p, r - p);  // n * 2A
  const double squared = dot(normal, normal);
  // Below the smallest normal number, 1 / squared would overflow.
  if (!(squared > 1e-300) || !std::isfinite(squared)) return {Vec3d(0.0), Vec3d(0.0), Vec3d(0.0)};
  const Vec3d m = normal / squared;  // n / (2A)
  return {cross(m, r - q), cross(m, p - r), cross(m, q - p)};
}

VertexGradients::VertexGradients(const RiggedMesh& mesh, const Surface& surface, Averaging scheme,
                                 int threads, bool maps)
    : mesh_(mesh), surface_(surface), terms_(mesh.faces.size()), normals_(maps ? mesh.faces.size() : 0) {
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
      terms.corner_weight = corner_weights(scheme, p[0], p[1], p[2]);
      if (maps) normals_[static_cast<std::size_t>(f)] = face_normal(p[0], p[1], p[2]);
    }
  });
}

template <class Entry, class Term, class Add>
double VertexGradients::gather(int surface_vertex, std::vector<Entry>& entries, Term term, Add add) const {
  entries.clear();
  // Held here, for the compiler cannot know that entries do not overlay the mesh.
  const auto slots = static_cast<std::size_t>(mesh_.slots);
  const int* const all_bones = mesh_.bone.data();
  const double* const all_weights = mesh_.weight.data();
  const Face* const faces = surface_.face_count() > 0 ? &surface_.face(0) : nullptr;
  Entry* known = entries.data();
  std::size_t count = 0;
  const double total = visit_corners(surface_vertex, [&](int f, std::size_t c, std::size_t k, double share) {
    const std::size_t first = static_cast<std::size_t>(faces[f][c]) * slots;
    const auto of_corner = term(f, c, k, share);
    // Weights descend: zeros are last.
    for (std::size_t s = first; s < first + slots && all_weights[s] != 0; ++s) {
      const int bone = all_bones[s];
      std::size_t i = 0;
      while (i < count && known[i].bone != bone) ++i;
      if (i == count) {
        entries.push_back({bone});
        known = entries.data();
        ++count;
      }
      add(known[i], of_corner, share * all_weights[s]);
    }
  });
  if (total == 0) entries.clear();
  return total;
}

void VertexGradients::at(int surface_vertex, std::vector<BoneGradient>& gradients) const {
  struct Term {
    const Vec3d* hat;
    bool far;
  };
  const FaceTerms* const terms = terms_.data();
  const double total = gather(
      surface_vertex, gradients,
      [terms](int f, std::size_t c, std::size_t k, double) {
        return Term{&terms[f].hat[c], c != k};
      },
      [](BoneGradient& gradient, const Term& term, double share) {
        gradient.a += *term.hat * share;
        if (term.far) gradient.smooth_weight += share / 2;
      });
  for (BoneGradient& gradient : gradients) {
    gradient.a = gradient.a / total;
    gradient.smooth_weight /= total;
  }
}

void VertexGradients::maps_at(int surface_vertex, std::vector<BoneMap>& maps) const {
  struct Term {
    Vec3d hat;
    Mat3d map;
  };
  const double total = gather(
      surface_vertex, maps,
      [&](int f, std::size_t c, std::size_t k, double share) -> Term {
        const Mat3d none{Vec3d(0.0), Vec3d(0.0), Vec3d(0.0)};
        if (share == 0) return {Vec3d(0.0), none};  // corners may not be finite
        const Vec3d g = terms_[static_cast<std::size_t>(f)].hat[c];
        if (c == k) {
          const Vec3d n = normals_[static_cast<std::size_t>(f)];
          return {g, outer_product(n, n)};
        }
        const Face& face = surface_.face(f);
        const auto p = [&](std::size_t i) { return mesh_.p0[static_cast<std::size_t>(face[i])]; };
        return {g, outer_product(p(c) - p(k), g)};
      },
      [](BoneMap& map, const Term& term, double share) {
        map.a += term.hat * share;
        for (int c = 0; c < 3; ++c) map.linear[c] += term.map[c] * share;
      });
  for (BoneMap& map : maps) {
    map.a = map.a / total;
    for (int c = 0; c < 3; ++c) map.linear[c] = map.linear[c] / total;
  }
  const auto finite = [](const BoneMap& map) {
    return is_finite(map.a) && is_finite(map.linear[0]) && is_finite(map.linear[1]) &&
           is_finite(map.linear[2]);
  };
  // Coordinates near the ends of double's range leave it in products: as if there were no area.
  if (!std::all_of(maps.begin(), maps.end(), finite)) maps.clear();
}

}  // namespace skinlight
