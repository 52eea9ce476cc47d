#include "skinlight/preprocess/centres/weighted_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "skinlight/core/detail/at.h"

namespace skinlight {

namespace {

using Entry = std::pair<int, double>;  // bone, weight

// Sorts by bone, adds up equal bones and appends the positive weights. Stable: the order of addition is that
// of the entries.
void append_sorted(std::vector<Entry>& entries, WeightVectors& to) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < entries.size();) {
    Entry sum = entries[i++];
    for (; i < entries.size() && entries[i].first == sum.first; ++i) sum.second += entries[i].second;
    if (!(sum.second > 0)) continue;
    to.bone.push_back(sum.first);
    to.weight.push_back(sum.second);
  }
  to.close();
}

// visit(bone, sum of share[i] times its weight in vector i) for every bone of up to three vectors,
// ascending. The vectors may grow meanwhile.
template <class Visit>
void visit_blend(const WeightVectors& w, std::span<const int> vectors, std::span<const double> share,
                 Visit visit) {
  constexpr int kNone = std::numeric_limits<int>::max();
  std::array<std::size_t, 3> next{};
  const auto bone_at = [&](std::size_t i) {
    const auto bones = w.bones(vectors[i]);
    return next[i] < bones.size() ? bones[next[i]] : kNone;
  };
  while (true) {
    int bone = kNone;
    for (std::size_t i = 0; i < vectors.size(); ++i) bone = std::min(bone, bone_at(i));
    if (bone == kNone) return;
    double sum = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i)
      if (bone_at(i) == bone) sum += share[i] * w.weights(vectors[i])[next[i]++];
    visit(bone, sum);
  }
}

// How many weights all triangles have together: memory is taken once, not grown.
std::size_t bones_of_faces(const WeightedSurface& surface) {
  std::size_t total = 0;
  constexpr double kOnce[3] = {1, 1, 1};
  for (const Face& f : surface.faces) visit_blend(surface.weights, f, kOnce, [&](int, double) { ++total; });
  return total;
}

}  // namespace

double squared_distance(const WeightVectors& a, int i, const WeightVectors& b, int j) {
  const auto bones_a = a.bones(i), bones_b = b.bones(j);
  const auto weights_a = a.weights(i), weights_b = b.weights(j);
  double sum = 0;
  std::size_t x = 0, y = 0;
  while (x < bones_a.size() || y < bones_b.size()) {
    double difference;
    if (y == bones_b.size() || (x < bones_a.size() && bones_a[x] < bones_b[y]))
      difference = weights_a[x++];
    else if (x == bones_a.size() || bones_b[y] < bones_a[x])
      difference = weights_b[y++];
    else
      difference = weights_a[x++] - weights_b[y++];
    sum += difference * difference;
  }
  return sum;
}

void append_blend(const WeightVectors& w, std::span<const int> vectors, std::span<const double> share,
                  WeightVectors& to) {
  visit_blend(w, vectors, share, [&](int bone, double sum) {
    if (!(sum > 0)) return;
    to.bone.push_back(bone);
    to.weight.push_back(sum);
  });
  to.close();
}

WeightedSurface weighted_surface(const RiggedMesh& mesh, const Surface& surface) {
  if (surface.face_count() != static_cast<int>(mesh.faces.size()) ||
      surface.file_vertex_count() != mesh.vertex_count())
    throw InputError("", "surface", "was built from another mesh");
  WeightedSurface welded;
  welded.p.reserve(at(surface.vertex_count()));
  welded.faces.reserve(mesh.faces.size());
  welded.weights.reserve(at(surface.vertex_count()),
                         static_cast<std::size_t>(std::count_if(mesh.weight.begin(), mesh.weight.end(),
                                                                [](double w) { return w > 0; })));
  std::vector<Entry> entries;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const int first = surface.representative(v);
    welded.p.push_back(mesh.p0[at(first)]);
    entries.clear();
    for (int k = 0; k < mesh.slots; ++k)
      entries.emplace_back(mesh.bones_of(first)[at(k)], mesh.weights_of(first)[at(k)]);
    append_sorted(entries, welded.weights);
  }
  for (int f = 0; f < surface.face_count(); ++f) {
    Face corners = surface.face(f);
    for (int& v : corners) v = surface.vertex_of(v);
    welded.faces.push_back(corners);
  }
  return welded;
}

WeightedTriangles weighted_triangles(const WeightedSurface& surface) {
  WeightedTriangles triangles;
  triangles.area.reserve(surface.faces.size());
  triangles.centroid.reserve(surface.faces.size());
  triangles.weights.reserve(surface.faces.size(), bones_of_faces(surface));
  constexpr double kThirds[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (const Face& f : surface.faces) {
    const Vec3d a = surface.p[at(f[0])], b = surface.p[at(f[1])], c = surface.p[at(f[2])];
    const double area = length(cross(b - a, c - a)) / 2;
    triangles.area.push_back(std::isfinite(area) ? area : 0);
    triangles.centroid.push_back((a + b + c) / 3.0);
    append_blend(surface.weights, f, kThirds, triangles.weights);
  }
  return triangles;
}

}  // namespace skinlight
