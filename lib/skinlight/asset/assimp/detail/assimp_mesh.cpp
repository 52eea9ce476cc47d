#include "skinlight/asset/assimp/detail/assimp_mesh.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <tuple>

namespace skinlight::assimp {

namespace {

// The linear part's cofactors: what normals are multiplied with, but for its sign and size.
Mat3d cofactors(const Mat4x3d& m) { return {cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])}; }

double determinant(const Mat4x3d& m) { return dot(m[0], cross(m[1], m[2])); }

Mat4x3d inverse(const Mat4x3d& m) {
  const Mat3d c = cofactors(m) * (1 / determinant(m));
  const auto turned = [&](Vec3d v) { return Vec3d(dot(c[0], v), dot(c[1], v), dot(c[2], v)); };
  return {turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1}), -turned(m[3])};
}

// Whether a placement can be undone: below this share of the volume that its columns could span, floats of
// the file make it flat.
bool is_regular(const Mat4x3d& m) {
  constexpr double kFlat = 1e-6;
  return std::abs(determinant(m)) > kFlat * length(m[0]) * length(m[1]) * length(m[2]);
}

std::string at_vertex(const std::string& element, std::size_t v) {
  return element + " vertex " + std::to_string(v);
}

void require_attribute(const std::vector<float>& numbers, std::size_t columns, std::size_t vertices,
                       const std::string& element) {
  if (numbers.size() != columns * vertices)
    throw InputError(
        "", element,
        std::to_string(numbers.size()) + " numbers for " + std::to_string(vertices) + " vertices");
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i])) throw InputError("", at_vertex(element, i / columns), "is not finite");
}

void require_mesh(const SceneMesh& mesh, const std::string& element) {
  const std::size_t vertices = mesh.position.size() / 3;
  if (mesh.position.size() % 3 != 0 || vertices > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw InputError("", element, std::to_string(mesh.position.size()) + " coordinates");
  require_attribute(mesh.position, 3, vertices, element + " positions");
  for (const auto& [numbers, columns, name] : {std::tuple{&mesh.normal, std::size_t{3}, " normals"},
                                               {&mesh.tangent, std::size_t{3}, " tangents"},
                                               {&mesh.bitangent, std::size_t{3}, " bitangents"},
                                               {&mesh.uv, std::size_t{2}, " uv"}})
    if (!numbers->empty()) require_attribute(*numbers, columns, vertices, element + name);
  if (mesh.tangent.empty() != mesh.bitangent.empty())
    throw InputError("", element, "has tangents or bitangents without the others");
  if (mesh.corners.size() % 3 != 0) throw InputError("", element, "its corners do not make whole triangles");
  for (std::size_t c = 0; c < mesh.corners.size(); ++c)
    if (mesh.corners[c] >= vertices)
      throw InputError("", element + " triangle " + std::to_string(c / 3),
                       "vertex " + std::to_string(mesh.corners[c]) + " of " + std::to_string(vertices));
}

Vec3d row(const std::vector<float>& numbers, std::size_t v) {
  return {numbers[3 * v], numbers[3 * v + 1], numbers[3 * v + 2]};
}

// a / |a|; 0 where it has no direction.
Vec3d direction(Vec3d a) {
  const double size = length(a);
  return size > 0 && std::isfinite(size) ? a / size : Vec3d(0.0);
}

}  // namespace

std::string label(const char* kind, std::size_t index, const std::string& name) {
  constexpr std::size_t kLongest = 60;
  std::string shown = name.substr(0, kLongest);
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
  return std::string(kind) + " " + std::to_string(index) + (shown.empty() ? "" : " (" + shown + ")");
}

Mat4x3d affine(const Matrix& m, const std::string& element) {
  std::array<double, 16> wide{};
  std::copy(m.begin(), m.end(), wide.begin());
  return skinlight::affine(wide, element);
}

// One bone per node and bind pose: meshes that were split by material share theirs.
int MeshMerger::bone_of(int node, const Mat4x3d& inverse_bind) {
  std::array<double, 12> numbers{};
  for (int column = 0; column < 4; ++column)
    for (int r = 0; r < 3; ++r) numbers[static_cast<std::size_t>(3 * column + r)] = inverse_bind[column][r];
  const auto [known, is_new] = bones_.try_emplace({node, numbers}, skeleton_.bone_count());
  if (is_new) {
    skeleton_.bone_node.push_back(node);
    skeleton_.inverse_bind.push_back(inverse_bind);
  }
  return known->second;
}

// Vertices that no bone moves stay with the mesh's own node, as in the programs that write these formats.
MeshMerger::Influences MeshMerger::read_influences(const SceneMesh& mesh, const std::string& element,
                                                   int node, const Mat4x3d& to_mesh) {
  const std::size_t vertices = mesh.position.size() / 3;
  std::vector<std::vector<std::pair<int, float>>> rows(vertices);
  for (std::size_t b = 0; b < mesh.bones.size(); ++b) {
    const SceneBone& bone = mesh.bones[b];
    const std::string bone_element = element + " " + label("bone", b, bone.node);
    if (bone.vertices.size() != bone.weights.size())
      throw InputError("", bone_element, "has not as many vertices as weights");
    const bool is_used =
        std::any_of(bone.weights.begin(), bone.weights.end(), [](float weight) { return weight != 0; });
    const auto found = node_of_.find(bone.node);
    if (found == node_of_.end() && is_used)
      throw InputError("", bone_element, "no node of this name moves it");
    if (found == node_of_.end()) {
      warn(warnings_, bone_element, "has neither node nor weights; it was left out");
      continue;
    }
    const int index = bone_of(found->second, compose(affine(bone.offset, bone_element + " offset"), to_mesh));
    for (std::size_t w = 0; w < bone.weights.size(); ++w) {
      if (bone.vertices[w] >= vertices)
        throw InputError("", bone_element + " weight " + std::to_string(w),
                         "vertex " + std::to_string(bone.vertices[w]) + " of " + std::to_string(vertices));
      if (!std::isfinite(bone.weights[w]))
        throw InputError("", bone_element + " weight " + std::to_string(w), "is not finite");
      if (bone.weights[w] != 0) rows[bone.vertices[w]].push_back({index, bone.weights[w]});
    }
  }
  Influences all;
  for (std::size_t v = 0; v < vertices; ++v) {
    all.first.push_back(all.bone.size());
    const bool is_loose =
        std::none_of(rows[v].begin(), rows[v].end(), [](const auto& r) { return r.second > 0; });
    if (is_loose) rows[v].assign(1, {bone_of(node, to_mesh), 1.0f});
    all.is_loose.push_back(is_loose);
    for (const auto& [bone, weight] : rows[v]) {
      all.bone.push_back(bone);
      all.weight.push_back(weight);
    }
  }
  all.first.push_back(all.bone.size());
  return all;
}

// Importers give every triangle corners of its own. Corners that agree in everything, weights included, are
// one vertex. Returns #corners: the first corner like each.
std::vector<std::uint32_t> MeshMerger::equal_corners(const SceneMesh& mesh, const Influences& influences) {
  const auto compare_rows = [](const std::vector<float>& numbers, std::size_t columns, std::uint32_t a,
                               std::uint32_t b) {
    return numbers.empty()
               ? 0
               : std::memcmp(&numbers[columns * a], &numbers[columns * b], columns * sizeof(float));
  };
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    for (const auto& [numbers, columns] : {std::pair{&mesh.position, std::size_t{3}},
                                           {&mesh.normal, std::size_t{3}},
                                           {&mesh.uv, std::size_t{2}},
                                           {&mesh.tangent, std::size_t{3}},
                                           {&mesh.bitangent, std::size_t{3}}})
      if (const int order = compare_rows(*numbers, columns, a, b); order != 0) return order;
    const std::size_t at_a = influences.first[a], at_b = influences.first[b];
    const std::size_t count_a = influences.first[a + 1] - at_a, count_b = influences.first[b + 1] - at_b;
    if (count_a != count_b) return count_a < count_b ? -1 : 1;
    if (count_a == 0) return 0;
    const int order = std::memcmp(&influences.bone[at_a], &influences.bone[at_b], count_a * sizeof(int));
    return order != 0
               ? order
               : std::memcmp(&influences.weight[at_a], &influences.weight[at_b], count_a * sizeof(float));
  };
  std::vector<std::uint32_t> order(mesh.position.size() / 3), representative(order.size());
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

void MeshMerger::append_vertex(const SceneMesh& mesh, std::size_t v, const Mat4x3d& placement) {
  RiggedMesh& to = collected_.mesh;
  to.p0.push_back(transform_point(placement, row(mesh.position, v)));
  const double mirror = determinant(placement) < 0 ? -1 : 1;
  const Vec3d n = mesh.normal.empty() ? Vec3d(0.0) : row(mesh.normal, v);
  to.n0.push_back(direction(cofactors(placement) * direction(n)) * mirror);
  to.uv.push_back(mesh.uv.empty() ? Vec2d(0, 0) : Vec2d(mesh.uv[2 * v], 1.0 - mesh.uv[2 * v + 1]));
  Vec3d t(0.0);
  double sign = 1;
  if (!mesh.tangent.empty()) {
    t = direction(Mat3d(placement) * row(mesh.tangent, v));
    sign = dot(cross(to.n0.back(), t), Mat3d(placement) * row(mesh.bitangent, v)) < 0 ? -1 : 1;
  }
  collected_.tangent.push_back(t);
  collected_.tangent_sign.push_back(sign);
}

void MeshMerger::append(const SceneMesh& mesh, const std::string& element, int node,
                        const Mat4x3d& placement) {
  require_mesh(mesh, element);
  if (mesh.other_faces > 0) warn(warnings_, element, "has points or lines; they were left out");
  if (mesh.morph_targets > 0) warn(warnings_, element, "has morph targets; they were left out");
  const bool is_placed = is_regular(placement);
  if (!is_placed) warn(warnings_, element, "is flattened by its node; at rest it stands in its own space");
  const Mat4x3d place = is_placed ? placement : identity_transform<double>();
  const Influences influences = read_influences(mesh, element, node, inverse(place));
  const std::vector<std::uint32_t> representative = equal_corners(mesh, influences);

  constexpr int kNone = -1;
  std::vector<int> vertex(representative.size(), kNone);  // of each representative
  const bool is_mirrored = determinant(place) < 0;
  for (std::size_t f = 0; f < mesh.corners.size(); f += 3) {
    Face face{};
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t corner = representative[mesh.corners[f + c]];
      if (vertex[corner] == kNone) {
        vertex[corner] = collected_.mesh.vertex_count();
        append_vertex(mesh, corner, place);
        if (influences.is_loose[corner])
          warn(warnings_, at_vertex(element, corner), "has no weight; it stays with the node of its mesh");
        first_.push_back(bone_.size());
        for (std::size_t i = influences.first[corner]; i < influences.first[corner + 1]; ++i) {
          bone_.push_back(influences.bone[i]);
          weight_.push_back(influences.weight[i]);
        }
      }
      face[c] = vertex[corner];
    }
    if (is_mirrored) std::swap(face[1], face[2]);  // so that it faces where its normals do
    collected_.mesh.faces.push_back(face);
  }
  has_uv_ = has_uv_ || !mesh.uv.empty();
}

RiggedMesh MeshMerger::finish(int max_influences, RawAttributes* raw) {
  RiggedMesh& mesh = collected_.mesh;
  if (mesh.faces.empty()) throw InputError("", "", "has no triangle mesh with a skin");
  first_.push_back(bone_.size());
  std::size_t slots = 1;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) slots = std::max(slots, first_[v + 1] - first_[v]);
  // A table of slots for a file where one vertex has thousands of influences would fill the memory.
  constexpr std::size_t kMostSlots = std::size_t{1} << 28;
  if (slots > kMostSlots / mesh.p0.size())
    throw InputError("", "", "has a vertex of " + std::to_string(slots) + " influences");
  mesh.bone_count = skeleton_.bone_count();
  mesh.slots = static_cast<int>(slots);
  mesh.bone.assign(mesh.p0.size() * slots, 0);
  mesh.weight.assign(mesh.p0.size() * slots, 0.0);
  for (std::size_t v = 0; v < mesh.p0.size(); ++v)
    for (std::size_t i = first_[v]; i < first_[v + 1]; ++i) {
      mesh.bone[v * slots + i - first_[v]] = bone_[i];
      mesh.weight[v * slots + i - first_[v]] = weight_[i];
    }
  if (!has_uv_) mesh.uv.clear();
  return complete(std::move(collected_), max_influences, warnings_, raw);
}

}  // namespace skinlight::assimp
