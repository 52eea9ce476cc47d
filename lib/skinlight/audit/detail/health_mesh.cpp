#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "skinlight/audit/detail/health_checks.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/mesh/weld.h"

namespace skinlight::health {

namespace {

// Bounds below which twins are one point of the surface, as weld() has them.
constexpr double kSameWeight = 1e-6;  // float rounding of normalised weights
constexpr double kSameNormal = 0.2;   // degrees

constexpr double kSliver = 1e-3;  // angles of .06 degrees: no modeller means it
constexpr double kFlatUv = 1e-6;  // likewise

// node: of each bone. Several skins may have one, each as a bone of its own.
double weight_difference(const RiggedMesh& mesh, std::span<const int> node, int a, int b) {
  const auto weight_of = [&](int v, int n) {
    double sum = 0;
    for (std::size_t k = 0; k < at(mesh.slots); ++k)
      if (node[at(mesh.bones_of(v)[k])] == n) sum += mesh.weights_of(v)[k];
    return sum;
  };
  double largest = 0;
  for (const int v : {a, b})
    for (const int bone : mesh.bones_of(v))
      largest = std::max(largest, std::abs(weight_of(a, node[at(bone)]) - weight_of(b, node[at(bone)])));
  return largest;
}

// A mesh under several skins is several bodies, which may stand in one place: the first of each mesh are body 0, the
// second ones body 1.
std::vector<int> bodies(const RawAttributes& raw, int vertices) {
  std::vector<int> body(at(vertices), 0);
  std::map<int, std::set<int>> skins;  // of each mesh, so far
  std::map<std::pair<int, int>, int> known;
  for (const RawPrimitive& p : raw.primitives) {
    if (skins[p.mesh].insert(p.skin).second)
      known[{p.mesh, p.skin}] = static_cast<int>(skins[p.mesh].size()) - 1;
    std::fill_n(body.begin() + p.first, p.count, known[{p.mesh, p.skin}]);
  }
  return body;
}

struct Shape {
  double longest = 0;  // edge
  double height = 0;   // over it
};

Shape shape(Vec3d p, Vec3d q, Vec3d r) {
  const double longest = std::max({length(q - p), length(r - q), length(p - r)});
  return {longest, longest > 0 ? length(cross(q - p, r - p)) / longest : 0.0};
}

Vec3d lifted(Vec2d uv) { return {uv.x, uv.y, 0}; }

}  // namespace

double diagonal(const std::vector<Vec3d>& p) {
  Vec3d low = p[0], high = low;
  for (const Vec3d& q : p)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], q[i]);
      high[i] = std::max(high[i], q[i]);
    }
  return length(high - low);
}

// A jump is an edge along which the whole weight would change within 1 / 5000 of the mesh's size: a tenth of
// the finest edges of real characters.
void check_edges(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings) {
  std::vector<int> own(at(mesh.bone_count));  // an edge lies within one skin
  std::iota(own.begin(), own.end(), 0);
  constexpr double kJump = 5000;
  const double size = diagonal(mesh.p0);
  std::vector<double> worst(mesh.p0.size(), 0.0);
  std::vector<int> other(mesh.p0.size(), -1);
  for (const Face& face : mesh.faces)
    for (std::size_t c = 0; c < 3; ++c) {
      const int a = face[c], b = face[(c + 1) % 3];
      const double length_share = length(mesh.p0[at(a)] - mesh.p0[at(b)]) / size;
      // Too long for a jump, or twins, which are told of elsewhere.
      if (!(length_share < 1 / kJump) || length_share <= kSamePlace) continue;
      const double jump = weight_difference(mesh, own, a, b) / length_share;
      for (const auto& [v, to] : {std::pair(a, b), std::pair(b, a)})
        if (jump > kJump && jump > worst[at(v)]) {
          worst[at(v)] = jump;
          other[at(v)] = to;
        }
    }
  Tally jumps;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (other[at(v)] >= 0) jumps.add(v, worst[at(v)]);
  const auto vertex = [&](int v) { return vertex_name(raw, v); };
  add(findings, "weights-jump", Part::vertex, jumps, mesh.vertex_count(), vertex,
      [&](int v) { return "towards " + vertex(other[at(v)]); });
}

int check_positions(const Model& model, const RawAttributes& raw, std::vector<Finding>& findings) {
  const RiggedMesh& mesh = model.mesh;
  const std::vector<int> body = bodies(raw, mesh.vertex_count());
  const std::vector<int> position =
      weld_vertices(mesh.p0, [&](int a, int b) { return body[at(a)] == body[at(b)]; });
  const int positions = position.empty() ? 0 : *std::max_element(position.begin(), position.end()) + 1;
  std::vector<int> first(at(positions), -1), members(at(positions), 0);
  std::vector<double> corner(at(positions), 0.0);  // largest angle to the first member, degrees
  Tally torn;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const std::size_t p = at(position[at(v)]);
    ++members[p];
    if (first[p] < 0) {
      first[p] = v;
      continue;
    }
    // Flat ones that the reader made are no edges of the file.
    if (raw.normal[at(first[p])] != Vec3d(0.0) && raw.normal[at(v)] != Vec3d(0.0))
      corner[p] = std::max(corner[p], kDegrees * angle_between(mesh.n0[at(first[p])], mesh.n0[at(v)]));
    if (const double difference = weight_difference(mesh, model.skeleton.bone_node, first[p], v);
        difference > kSameWeight)
      torn.add(v, difference);
  }
  Tally split, hard;
  for (std::size_t p = 0; p < first.size(); ++p) {
    if (members[p] > 1) split.add(first[p], members[p]);
    if (corner[p] > kSameNormal) hard.add(first[p], corner[p]);
  }
  const auto vertex = [&](int v) { return vertex_name(raw, v); };
  const auto twin = [&](int v) { return "its twin is " + vertex(first[at(position[at(v)])]); };
  add(findings, "twins-split-weights", Part::vertex, torn, mesh.vertex_count(), vertex, twin);
  const bool unindexed = mesh.p0.size() == 3 * mesh.faces.size();
  add(findings, "positions-split", Part::vertex, split, positions, vertex, [&](int) {
    return std::to_string(mesh.vertex_count()) + " vertices at " + std::to_string(positions) + " positions" +
           (unindexed ? "; every corner of a triangle is a vertex of its own" : "");
  });
  add(findings, "hard-edges", Part::vertex, hard, positions, vertex);
  return positions;
}

void check_triangles(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings) {
  Tally degenerate, sliver, flat_uv;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto [a, b, c] = mesh.faces[f];
    const int index = static_cast<int>(f);
    const Shape in_space = shape(mesh.p0[at(a)], mesh.p0[at(b)], mesh.p0[at(c)]);
    if (in_space.height <= kFlat * in_space.longest) {
      degenerate.add(index, 0);
      continue;
    }
    if (in_space.height < kSliver * in_space.longest) sliver.add(index, in_space.longest / in_space.height);
    if (mesh.uv.empty()) continue;
    const Shape in_uv = shape(lifted(mesh.uv[at(a)]), lifted(mesh.uv[at(b)]), lifted(mesh.uv[at(c)]));
    if (in_uv.height <= kFlatUv * in_uv.longest) flat_uv.add(index, 0);
  }
  const int faces = static_cast<int>(mesh.faces.size());
  const auto triangle = [&](int f) { return "triangle " + std::to_string(f); };
  const auto corners = [&](int f) { return "it starts at " + vertex_name(raw, mesh.faces[at(f)][0]); };
  add(findings, "triangles-degenerate", Part::triangle, degenerate, faces, triangle, corners);
  add(findings, "triangles-sliver", Part::triangle, sliver, faces, triangle, corners);
  add(findings, "uv-degenerate", Part::triangle, flat_uv, faces, triangle, corners);
}

void check_frames(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings) {
  Tally no_normal, no_tangent, no_uv, wrong_hand;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (raw.normal[at(v)] == Vec3d(0.0)) no_normal.add(v, 0);
    if (raw.tangent[at(v)] == Vec3d(0.0)) (mesh.uv.empty() ? no_uv : no_tangent).add(v, 0);
  }
  if (no_uv.count + no_tangent.count < mesh.vertex_count()) {
    RiggedMesh computed = mesh;
    compute_tangent_frames(computed);
    for (int v = 0; v < mesh.vertex_count(); ++v)
      if (raw.tangent[at(v)] != Vec3d(0.0) && computed.frame_source[at(v)] == FrameSource::uv &&
          raw.tangent_sign[at(v)] != computed.handedness[at(v)])
        wrong_hand.add(v, 0);
  }
  const auto vertex = [&](int v) { return vertex_name(raw, v); };
  const int vertices = mesh.vertex_count();
  add(findings, "normals-missing", Part::vertex, no_normal, vertices, vertex);
  add(findings, "uv-missing", Part::vertex, no_uv, vertices, vertex);
  add(findings, "tangents-missing", Part::vertex, no_tangent, vertices, vertex);
  add(findings, "tangents-handedness", Part::vertex, wrong_hand, vertices, vertex, [&](int) {
    return std::string(wrong_hand.count == vertices
                           ? "all of them: v may point the other way than the tangents were made for"
                           : "");
  });
}

}  // namespace skinlight::health
