#include "skinlight/preprocess/centres/rotation_centres.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/centres/centre_sums.h"
#include "skinlight/preprocess/centres/detail/weight_pieces.h"
#include "skinlight/preprocess/weight_gradients.h"

namespace skinlight {

namespace {

void require_positive(const char* name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError("", name + (" " + std::to_string(value)), "must be positive and finite");
}

void check(const CentreOptions& options) {
  require_positive("sigma", options.sigma);
  if (options.method != CentreMethod::breadth_first) return;
  require_positive("cutoff", options.cutoff);
  require_positive("omega", options.omega);
}

// The middle of the bounding box: sums about it keep their digits however far the mesh is from the origin.
Vec3d middle_of(std::span<const Vec3d> p) {
  if (p.empty()) return Vec3d(0.0);
  Vec3d low = p[0], high = p[0];
  for (const Vec3d& q : p)
    for (int c = 0; c < 3; ++c) {
      low[c] = std::fmin(low[c], q[c]);
      high[c] = std::fmax(high[c], q[c]);
    }
  return low + (high - low) * 0.5;
}

std::vector<CentreSum> sums(const WeightedSurface& surface, const WeightedTriangles& triangles,
                            const CentreTargets& targets, const CentreOptions& options) {
  const SumOptions how{options.sigma, options.threads, options.progress};
  switch (options.method) {
    case CentreMethod::naive:
      return sum_naively(triangles, targets, how);
    case CentreMethod::breadth_first:
      return sum_breadth_first(surface, triangles, targets, {options.cutoff, options.omega}, how);
    case CentreMethod::bone_pairs:
      break;
  }
  return sum_by_bone_pairs(triangles, targets, how);
}

// Eq. 10, per file vertex.
RotationCentres divide(const RiggedMesh& mesh, const Surface& surface, std::span<const CentreSum> sum,
                       Vec3d origin) {
  RotationCentres centres;
  centres.centre = mesh.p0;
  centres.has_centre.assign(mesh.p0.size(), 0);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const CentreSum& s = sum[at(surface.vertex_of(v))];
    const Vec3d centre = origin + s.first / s.weight;
    const bool defined = s.weight > 0 && std::isfinite(dot(centre, centre));
    const bool single = mesh.slots == 1 || !(mesh.weights_of(v)[1] > 0);  // weights descend
    if (defined) centres.centre[at(v)] = centre;
    centres.has_centre[at(v)] = defined;
    centres.single_bone += single;
    centres.limits += single && defined;
    centres.without_centre += !defined;
  }
  return centres;
}

// The search walks over the surface and needs pieces that meet; the exact sums need less, and fewer.
WeightedTriangles finer(WeightedSurface& surface, const CentreOptions& options) {
  if (options.method != CentreMethod::breadth_first) return weighted_pieces(surface, options.subdivide_above);
  surface = subdivide_by_weights(surface, options.subdivide_above);
  return weighted_triangles(surface);
}

// Everything but the derivatives; what this needs is gone before those are taken.
RotationCentres find_centres(const RiggedMesh& mesh, const Surface& surface, const CentreOptions& options) {
  WeightedSurface welded = weighted_surface(mesh, surface);
  const Vec3d origin = middle_of(welded.p);
  for (Vec3d& p : welded.p) p -= origin;
  const CentreTargets targets = centre_targets(welded);
  const WeightedTriangles triangles =
      options.subdivide_above != 0 ? finer(welded, options) : weighted_triangles(welded);
  RotationCentres centres = divide(mesh, surface, sums(welded, triangles, targets, options), origin);
  centres.triangles = triangles.count();
  return centres;
}

// (grad C) t0 and (grad C) b0 from the one-ring's hat gradients.
void differentiate(const RiggedMesh& mesh, const Surface& surface, const CentreOptions& options,
                   RotationCentres& centres) {
  centres.along_t.assign(mesh.p0.size(), Vec3d(0.0));
  centres.along_b = centres.along_t;
  const VertexGradients gradients(mesh, surface, options.averaging, options.threads);
  parallel_for(mesh.vertex_count(), options.threads, [&](int begin, int end) {
    for (int v = begin; v < end; ++v) {
      if (!centres.has_centre[at(v)]) continue;
      Vec3d along_t(0.0), along_b(0.0);
      const double total = gradients.visit(surface.vertex_of(v), [&](int corner, Vec3d g, double) {
        if (!centres.has_centre[at(corner)]) return;
        // Relative to the vertex's own: the hat gradients of a face add up to 0.
        const Vec3d difference = centres.centre[at(corner)] - centres.centre[at(v)];
        along_t += difference * dot(g, mesh.t0[at(v)]);
        along_b += difference * dot(g, mesh.b0[at(v)]);
      });
      if (total == 0) continue;
      centres.along_t[at(v)] = along_t / total;
      centres.along_b[at(v)] = along_b / total;
    }
  });
}

}  // namespace

RotationCentres rotation_centres(const RiggedMesh& mesh, const Surface& surface,
                                 const CentreOptions& options) {
  check(options);
  RotationCentres centres = find_centres(mesh, surface, options);
  differentiate(mesh, surface, options, centres);
  return centres;
}

}  // namespace skinlight
