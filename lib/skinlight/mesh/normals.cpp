#include "skinlight/mesh/normals.h"

namespace skinlight {

std::vector<Vec3d> vertex_normals(const Surface& surface, std::span<const Vec3d> p, Averaging scheme,
                                  int* undefined) {
  const auto at = [&](int v) { return p[static_cast<std::size_t>(v)]; };
  std::vector<Vec3d> of_surface(static_cast<std::size_t>(surface.vertex_count()));
  int missing = 0;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    Vec3d sum(0.0);
    for (const Corner& corner : surface.one_ring(v)) {
      const Face& f = surface.face(corner.face);
      const auto c = static_cast<std::size_t>(corner.corner);
      const Vec3d a = at(f[c]), b = at(f[(c + 1) % 3]), d = at(f[(c + 2) % 3]);
      const Vec3d n = cross(b - a, d - a);
      const double weight = corner_weight(scheme, a, b, d);
      if (weight != 0) sum += n * (weight / length(n));
    }
    const double size = length(sum);
    if (!(size > 0)) ++missing;
    of_surface[static_cast<std::size_t>(v)] = size > 0 ? sum / size : Vec3d(0, 0, 1);
  }
  if (undefined) *undefined = missing;

  std::vector<Vec3d> n(p.size());
  for (std::size_t v = 0; v < n.size(); ++v)
    n[v] = of_surface[static_cast<std::size_t>(surface.vertex_of(static_cast<int>(v)))];
  return n;
}

std::vector<double> vertex_areas(const Surface& surface, std::span<const Vec3d> p) {
  const auto at = [&](int v) { return p[static_cast<std::size_t>(v)]; };
  std::vector<double> of_surface(static_cast<std::size_t>(surface.vertex_count()), 0.0);
  for (int f = 0; f < surface.face_count(); ++f) {
    const Face& c = surface.face(f);
    const double third = length(cross(at(c[1]) - at(c[0]), at(c[2]) - at(c[0]))) / 6;
    for (int v : c) of_surface[static_cast<std::size_t>(surface.vertex_of(v))] += third;
  }
  std::vector<double> areas(p.size());
  for (int v = 0; v < surface.file_vertex_count(); ++v) {
    const int s = surface.vertex_of(v);
    areas[static_cast<std::size_t>(v)] = of_surface[static_cast<std::size_t>(s)] / surface.multiplicity(s);
  }
  return areas;
}

}  // namespace skinlight
