#include "skinlight/preprocess/one_ring.h"

#include <algorithm>
#include <cmath>

#include "skinlight/core/angle.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/mesh/normals.h"

namespace skinlight {

namespace {

// The corners of a face, from the one given on.
struct Turned {
  int vertex, next, previous;  // file vertices
  Turned(const Surface& surface, Corner c)
      : vertex(surface.face(c.face)[at(c.corner)]),
        next(surface.face(c.face)[at((c.corner + 1) % 3)]),
        previous(surface.face(c.face)[at((c.corner + 2) % 3)]) {}
};

double size_of(std::span<const Vec3d> p) {
  if (p.empty()) return 0;
  Vec3d low = p[0], high = p[0];
  for (const Vec3d& x : p)
    for (int c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], x[c]);
      high[c] = std::max(high[c], x[c]);
    }
  return length(high - low);
}

// Half the sum over bones of |w_a - w_b|, which is that of max(w_a - w_b, 0) where weights sum to 1.
double weight_change(const RiggedMesh& mesh, int a, int b) {
  double lost = 0;
  for (int i = 0; i < mesh.slots; ++i) {
    const int bone = mesh.bones_of(a)[at(i)];
    double other = 0;
    for (int j = 0; j < mesh.slots; ++j)
      if (mesh.bones_of(b)[at(j)] == bone) other += mesh.weights_of(b)[at(j)];
    lost += std::max(mesh.weights_of(a)[at(i)] - other, 0.0);
  }
  return std::min(lost, 1.0);
}

// Unit normal, or 0 of a face without area.
Vec3d face_normal(const RiggedMesh& mesh, int f) {
  const Face& face = mesh.faces[at(f)];
  const Vec3d n =
      cross(mesh.p0[at(face[1])] - mesh.p0[at(face[0])], mesh.p0[at(face[2])] - mesh.p0[at(face[0])]);
  const double size = length(n);
  return size > 0 ? n / size : Vec3d(0.0);
}

bool share_an_edge(const Surface& surface, const Turned& a, const Turned& b) {
  return surface.vertex_of(a.previous) == surface.vertex_of(b.next) ||
         surface.vertex_of(a.next) == surface.vertex_of(b.previous);
}

// Both edges of every corner: inner edges count twice, borders once.
template <class Function>
void each_edge(const Surface& surface, int vertex, Function&& function) {
  for (const Corner c : surface.one_ring(vertex)) {
    const Turned corner(surface, c);
    function(corner.vertex, corner.next);
    function(corner.vertex, corner.previous);
  }
}

double largest_dihedral(const RiggedMesh& mesh, const Surface& surface, int vertex) {
  const std::span<const Corner> ring = surface.one_ring(vertex);
  double largest = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Corner a = ring[i], b = ring[(i + 1) % ring.size()];
    if (a.face == b.face || !share_an_edge(surface, Turned(surface, a), Turned(surface, b))) continue;
    const Vec3d na = face_normal(mesh, a.face), nb = face_normal(mesh, b.face);
    if (length(na) > 0 && length(nb) > 0) largest = std::max(largest, kDegrees * angle_between(na, nb));
  }
  return largest;
}

// The smallest values that cover 1/4, 1/2, 3/4 and all of the weight. chosen: indices into values.
Quartiles quartiles(const std::vector<double>& values, const std::vector<double>& weights,
                    std::vector<int> chosen) {
  std::stable_sort(chosen.begin(), chosen.end(), [&](int a, int b) { return values[at(a)] < values[at(b)]; });
  double all = 0, covered = 0;
  for (const int v : chosen) all += weights[at(v)];
  Quartiles q;
  double* const places[] = {&q.q1, &q.median, &q.q3, &q.max};
  std::size_t next = 0;
  for (const int v : chosen) {
    covered += weights[at(v)];
    while (next < 3 && covered >= .25 * static_cast<double>(next + 1) * all) *places[next++] = values[at(v)];
    q.max = values[at(v)];
  }
  return q;
}

// A value per surface vertex to all its file vertices.
std::vector<double> spread(const Surface& surface, const std::vector<double>& of_surface) {
  std::vector<double> of_file(at(surface.file_vertex_count()));
  for (int v = 0; v < surface.file_vertex_count(); ++v) of_file[at(v)] = of_surface[at(surface.vertex_of(v))];
  return of_file;
}

}  // namespace

OneRings one_rings(const RiggedMesh& mesh, const Surface& surface) {
  const auto count = at(surface.vertex_count());
  std::vector<double> lengths(count), changes(count), dihedrals(count);
  const double size = size_of(mesh.p0);
  for (int v = 0; v < surface.vertex_count(); ++v) {
    double sum = 0;
    int edges = 0;
    each_edge(surface, v, [&](int a, int b) {
      sum += length(mesh.p0[at(b)] - mesh.p0[at(a)]);
      ++edges;
      changes[at(v)] = std::max(changes[at(v)], weight_change(mesh, a, b));
    });
    if (edges > 0 && size > 0) lengths[at(v)] = sum / edges / size;
    dihedrals[at(v)] = largest_dihedral(mesh, surface, v);
  }
  return {spread(surface, lengths), spread(surface, changes), spread(surface, dihedrals)};
}

RingSummary summary(const OneRings& rings, const RiggedMesh& mesh, const Surface& surface) {
  const std::vector<double> areas = vertex_areas(surface, mesh.p0);
  std::vector<int> chosen;
  double all = 0, blended = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    all += areas[at(v)];
    if (!(rings.weight_change[at(v)] > kBlends)) continue;
    blended += areas[at(v)];
    chosen.push_back(v);
  }
  return {all > 0 ? blended / all : 0, quartiles(rings.edge_length, areas, chosen),
          quartiles(rings.weight_change, areas, chosen), quartiles(rings.dihedral, areas, chosen)};
}

std::vector<double> non_rigidity(const Surface& surface, std::span<const Vec3d> rest,
                                 std::span<const Vec3d> posed) {
  std::vector<double> result(at(surface.vertex_count()));
  for (int v = 0; v < surface.vertex_count(); ++v) {
    double sum = 0;
    int edges = 0;
    each_edge(surface, v, [&](int a, int b) {
      const double before = length(rest[at(b)] - rest[at(a)]);
      if (!(before > 0)) return;
      sum += std::abs(length(posed[at(b)] - posed[at(a)]) / before - 1);
      ++edges;
    });
    if (edges > 0) result[at(v)] = sum / edges;
  }
  return spread(surface, result);
}

}  // namespace skinlight
