#include "skinlight/asset/assimp/detail/assimp_mesh.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <tuple>

namespace skinlight::assimp {

namespace {

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

std::vector<Vec3d> rows(const std::vector<float>& numbers) {
  std::vector<Vec3d> all;
  all.reserve(numbers.size() / 3);
  for (std::size_t i = 0; i < numbers.size(); i += 3)
    all.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return all;
}

// The bones whose nodes exist.
std::vector<PartBone> read_bones(const SceneMesh& mesh, const std::string& element,
                                 const std::map<std::string, int>& node_of, std::vector<Warning>& warnings) {
  std::vector<PartBone> bones;
  for (std::size_t b = 0; b < mesh.bones.size(); ++b) {
    const SceneBone& bone = mesh.bones[b];
    const std::string bone_element = element + " " + label("bone", b, bone.node);
    if (bone.vertices.size() != bone.weights.size())
      throw InputError("", bone_element, "has not as many vertices as weights");
    const bool is_used =
        std::any_of(bone.weights.begin(), bone.weights.end(), [](float weight) { return weight != 0; });
    const auto found = node_of.find(bone.node);
    if (found == node_of.end() && is_used)
      throw InputError("", bone_element, "no node of this name moves it");
    if (found == node_of.end()) {
      warn(warnings, bone_element, "has neither node nor weights; it was left out");
      continue;
    }
    bones.push_back({found->second,
                     affine(bone.offset, bone_element + " offset"),
                     bone.vertices,
                     {bone.weights.begin(), bone.weights.end()},
                     bone_element});
  }
  return bones;
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

Part read_part(const SceneMesh& mesh, const std::string& element, const std::map<std::string, int>& node_of,
               std::vector<Warning>& warnings) {
  require_mesh(mesh, element);
  if (mesh.other_faces > 0) warn(warnings, element, "has points or lines; they were left out");
  if (mesh.morph_targets > 0) warn(warnings, element, "has morph targets; they were left out");
  Part part;
  part.points = rows(mesh.position);
  part.normal = rows(mesh.normal);
  part.tangent = rows(mesh.tangent);
  part.bitangent = rows(mesh.bitangent);
  for (std::size_t i = 0; i < mesh.uv.size(); i += 2) part.uv.push_back({mesh.uv[i], mesh.uv[i + 1]});
  for (std::size_t p = 0; p < part.points.size(); ++p) part.point.push_back(static_cast<std::uint32_t>(p));
  for (std::size_t c = 0; c < mesh.corners.size(); c += 3)
    part.triangles.push_back({mesh.corners[c], mesh.corners[c + 1], mesh.corners[c + 2]});
  part.bones = read_bones(mesh, element, node_of, warnings);
  return part;
}

}  // namespace skinlight::assimp
