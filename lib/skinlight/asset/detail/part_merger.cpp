#include "skinlight/asset/detail/part_merger.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace skinlight {

namespace {

// The linear part's cofactors: what normals are multiplied with, but for its sign and size.
Mat3d cofactors(const Mat4x3d& m) { return {cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])}; }

double determinant(const Mat4x3d& m) { return dot(m[0], cross(m[1], m[2])); }

// a / |a|; 0 where it has no direction.
Vec3d direction(Vec3d a) {
  const double size = length(a);
  return size > 0 && std::isfinite(size) ? a / size : Vec3d(0.0);
}

// The part with corners of its own for every triangle, and the triangle's normal at them.
Part with_flat_normals(const Part& part) {
  Part flat = part;
  flat.point.clear();
  flat.tangent.clear();
  flat.bitangent.clear();
  flat.uv.clear();
  flat.triangles.clear();
  flat.normals_are_made = true;
  for (const auto& triangle : part.triangles) {
    const auto p = [&](std::size_t c) { return part.points[part.point[triangle[c]]]; };
    const auto first = static_cast<std::uint32_t>(flat.point.size());
    for (const std::uint32_t corner : triangle) {
      flat.point.push_back(part.point[corner]);
      flat.normal.push_back(direction(cross(p(1) - p(0), p(2) - p(0))));
      if (!part.uv.empty()) flat.uv.push_back(part.uv[corner]);
    }
    flat.triangles.push_back({first, first + 1, first + 2});
  }
  return flat;
}

template <class T>
int compare_rows(const std::vector<T>& rows, std::size_t a, std::size_t b) {
  return rows.empty() ? 0 : std::memcmp(&rows[a], &rows[b], sizeof(T));
}

}  // namespace

Mat4x3d inverse(const Mat4x3d& m) {
  const Mat3d c = cofactors(m) * (1 / determinant(m));
  const auto turned = [&](Vec3d v) { return Vec3d(dot(c[0], v), dot(c[1], v), dot(c[2], v)); };
  return {turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1}), -turned(m[3])};
}

bool is_regular(const Mat4x3d& m) {
  constexpr double kFlat = 1e-6;  // below, floats of the file make it flat
  return std::abs(determinant(m)) > kFlat * length(m[0]) * length(m[1]) * length(m[2]);
}

// Points that no bone moves stay with the mesh's own node, as in the programs that write these formats.
PartMerger::Influences PartMerger::read_influences(const Part& part, int node, const Mat4x3d& to_part,
                                                   const Mat4x3d& to_node) {
  const std::size_t points = part.points.size();
  std::vector<std::vector<std::pair<int, double>>> rows(points);
  for (const PartBone& bone : part.bones) {
    const int index = bones_.bone_of(bone.node, compose(bone.offset, to_part));
    for (std::size_t w = 0; w < bone.weights.size(); ++w) {
      const auto fail = [&](const std::string& reason) {
        throw InputError("", bone.element + " weight " + std::to_string(w), reason);
      };
      if (bone.points[w] >= points)
        fail("vertex " + std::to_string(bone.points[w]) + " of " + std::to_string(points));
      if (!std::isfinite(bone.weights[w]) && !options_.keep_unusable_weights) fail("is not finite");
      if (bone.weights[w] != 0) rows[bone.points[w]].push_back({index, bone.weights[w]});
    }
  }
  Influences all;
  for (std::size_t p = 0; p < points; ++p) {
    all.first.push_back(all.bone.size());
    const bool is_loose = std::none_of(rows[p].begin(), rows[p].end(),
                                       [](const auto& r) { return !(r.second <= 0); });  // or not finite
    if (is_loose) rows[p].assign(1, {bones_.bone_of(node, compose(to_node, to_part)), 1.0});
    all.is_loose.push_back(is_loose);
    for (const auto& [bone, weight] : rows[p]) {
      all.bone.push_back(bone);
      all.weight.push_back(weight);
    }
  }
  all.first.push_back(all.bone.size());
  return all;
}

// Importers give every triangle corners of its own. Corners that agree in everything, weights included, are
// one vertex. Returns #corners: the first corner like each.
std::vector<std::uint32_t> PartMerger::equal_corners(const Part& part, const Influences& influences) {
  const auto compare_points = [&](std::uint32_t a, std::uint32_t b) {
    if (a == b) return 0;
    if (const int order = compare_rows(part.points, a, b); order != 0) return order;
    if (const int order = compare_rows(part.kind, a, b); order != 0) return order;
    const std::size_t at_a = influences.first[a], at_b = influences.first[b];
    const std::size_t count_a = influences.first[a + 1] - at_a, count_b = influences.first[b + 1] - at_b;
    if (count_a != count_b) return count_a < count_b ? -1 : 1;
    if (count_a == 0) return 0;
    const int order = std::memcmp(&influences.bone[at_a], &influences.bone[at_b], count_a * sizeof(int));
    return order != 0
               ? order
               : std::memcmp(&influences.weight[at_a], &influences.weight[at_b], count_a * sizeof(double));
  };
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    if (const int order = compare_points(part.point[a], part.point[b]); order != 0) return order;
    if (const int order = compare_rows(part.normal, a, b); order != 0) return order;
    if (const int order = compare_rows(part.uv, a, b); order != 0) return order;
    if (const int order = compare_rows(part.tangent, a, b); order != 0) return order;
    return compare_rows(part.bitangent, a, b);
  };
  std::vector<std::uint32_t> order(part.point.size()), representative(order.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int c = compare(a, b);
    return c != 0 ? c < 0 : a < b;
  });
  for (std::size_t i = 0; i < order.size(); ++i)
    representative[order[i]] =
        i > 0 && compare(order[i - 1], order[i]) == 0 ? representative[order[i - 1]] : order[i];
  return representative;
}

void PartMerger::append_vertex(const Part& part, std::size_t corner, const Mat4x3d& placement) {
  RiggedMesh& to = collected_.mesh;
  to.p0.push_back(transform_point(placement, part.points[part.point[corner]]));
  const double mirror = determinant(placement) < 0 ? -1 : 1;
  const bool has_normal = !part.normal.empty() && !part.normals_are_made;
  const Vec3d n = has_normal ? part.normal[corner] : Vec3d(0.0);
  to.n0.push_back(direction(cofactors(placement) * direction(n)) * mirror);
  collected_.normal_length.push_back(length(n));
  to.uv.push_back(part.uv.empty() ? Vec2d(0, 0) : Vec2d(part.uv[corner].x, 1.0 - part.uv[corner].y));
  Vec3d t(0.0);
  double sign = 1;
  if (!part.tangent.empty()) {
    // v runs the other way in the library, so b, which follows it, does too.
    t = direction(Mat3d(placement) * part.tangent[corner]) * length(part.tangent[corner]);
    sign = dot(cross(to.n0.back(), t), Mat3d(placement) * part.bitangent[corner]) < 0 ? 1 : -1;
  }
  collected_.tangent.push_back(t);
  collected_.tangent_sign.push_back(sign);
}

std::vector<std::uint32_t> PartMerger::append(const Part& part, const std::string& element, int node,
                                              const Mat4x3d& placement, const Mat4x3d& to_node) {
  if (part.normal.empty() && options_.missing_normals == MissingNormals::flat)
    return append(with_flat_normals(part), element, node, placement, to_node);
  const bool is_placed = is_regular(placement);
  if (!is_placed) warn(warnings_, element, "is flattened by its node; at rest it stands in its own space");
  const Mat4x3d place = is_placed ? placement : identity_transform<double>();
  const Influences influences = read_influences(part, node, inverse(place), to_node);
  const std::vector<std::uint32_t> representative = equal_corners(part, influences);

  constexpr int kNone = -1;
  std::vector<int> vertex(representative.size(), kNone);  // of each representative
  std::vector<std::uint32_t> points;
  const bool is_mirrored = determinant(place) < 0;
  for (const auto& triangle : part.triangles) {
    Face face{};
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t corner = representative[triangle[c]], point = part.point[corner];
      if (vertex[corner] == kNone) {
        vertex[corner] = collected_.mesh.vertex_count();
        append_vertex(part, corner, place);
        if (!is_finite(collected_.mesh.p0.back()))
          throw InputError("", element + " vertex " + std::to_string(point),
                           "its place in the scene is not finite");
        points.push_back(point);
        if (influences.is_loose[point])
          warn(warnings_, element + " vertex " + std::to_string(point),
               "has no weight; it stays with the node of its mesh");
        first_.push_back(bone_.size());
        for (std::size_t i = influences.first[point]; i < influences.first[point + 1]; ++i) {
          bone_.push_back(influences.bone[i]);
          weight_.push_back(influences.weight[i]);
        }
      }
      face[c] = vertex[corner];
    }
    if (is_mirrored) std::swap(face[1], face[2]);  // so that it faces where its normals do
    collected_.mesh.faces.push_back(face);
  }
  has_uv_ = has_uv_ || !part.uv.empty();
  return points;
}

RiggedMesh PartMerger::finish() {
  RiggedMesh& mesh = collected_.mesh;
  if (mesh.faces.empty()) throw InputError("", "", "has no triangle mesh with a skin");
  first_.push_back(bone_.size());
  std::size_t slots = 1;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) slots = std::max(slots, first_[v + 1] - first_[v]);
  // A table of slots for a file where one vertex has thousands of influences would fill the memory.
  constexpr std::size_t kMostSlots = std::size_t{1} << 28;
  if (slots > kMostSlots / mesh.p0.size())
    throw InputError("", "", "has a vertex of " + std::to_string(slots) + " influences");
  mesh.bone_count = bones_.count();
  mesh.slots = static_cast<int>(slots);
  mesh.bone.assign(mesh.p0.size() * slots, 0);
  mesh.weight.assign(mesh.p0.size() * slots, 0.0);
  for (std::size_t v = 0; v < mesh.p0.size(); ++v)
    for (std::size_t i = first_[v]; i < first_[v + 1]; ++i) {
      mesh.bone[v * slots + i - first_[v]] = bone_[i];
      mesh.weight[v * slots + i - first_[v]] = weight_[i];
    }
  if (!has_uv_) mesh.uv.clear();
  return complete(std::move(collected_), options_, warnings_);
}

}  // namespace skinlight
