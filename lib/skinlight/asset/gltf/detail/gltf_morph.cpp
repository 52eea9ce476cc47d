#include "skinlight/asset/gltf/detail/gltf_morph.h"

#include <cmath>
#include <optional>
#include <utility>

#include "skinlight/asset/detail/reading.h"

namespace skinlight::gltf {

namespace {

// Names stand in the mesh's extras by common practice; the format has none.
std::string target_name(const tinygltf::Mesh& mesh, std::size_t target) {
  if (!mesh.extras.Has("targetNames")) return "";
  const tinygltf::Value& names = mesh.extras.Get("targetNames");
  if (!names.IsArray() || target >= names.ArrayLen()) return "";
  const tinygltf::Value& name = names.Get(target);
  return name.IsString() ? name.Get<std::string>() : "";
}

void require_weights(const std::vector<double>& weights, std::size_t targets, const std::string& element) {
  if (!weights.empty() && weights.size() != targets)
    throw InputError(
        "", element,
        std::to_string(weights.size()) + " morph weights for " + std::to_string(targets) + " targets");
  for (const double weight : weights)
    if (!std::isfinite(weight)) throw InputError("", element, "a morph weight is not finite");
}

}  // namespace

MorphRange MorphReader::open(int mesh, int node) {
  const tinygltf::Mesh& from = file_.meshes[static_cast<std::size_t>(mesh)];
  const std::vector<double>& own = file_.nodes[static_cast<std::size_t>(node)].weights;
  const std::size_t count = from.primitives.empty() ? 0 : from.primitives[0].targets.size();
  const std::string mesh_name = "mesh " + std::to_string(mesh), node_name = "node " + std::to_string(node);
  require_weights(from.weights, count, mesh_name);
  require_weights(own, count, node_name);

  constexpr std::size_t kNumbersPerTarget = 64;  // what an empty one takes in memory, generously
  accessors_.charge(count, kNumbersPerTarget, mesh_name + " targets");
  const MorphRange range{static_cast<int>(targets_.size()), static_cast<int>(count)};
  for (std::size_t k = 0; k < count; ++k) {
    targets_.emplace_back();
    targets_.back().morph.name = target_name(from, k);
    weights_.push_back(!own.empty() ? own[k] : !from.weights.empty() ? from.weights[k] : 0);
  }
  of_nodes_[node] = range;
  return range;
}

void MorphReader::append(const tinygltf::Primitive& primitive, const MorphRange& range, int first,
                         std::size_t count, const std::string& element) {
  if (primitive.targets.size() != static_cast<std::size_t>(range.count))
    throw InputError("", element,
                     "has " + std::to_string(primitive.targets.size()) +
                         " morph targets, the mesh's first primitive has " + std::to_string(range.count));
  for (std::size_t k = 0; k < primitive.targets.size(); ++k) {
    Target& to = targets_[static_cast<std::size_t>(range.first) + k];
    const auto read = [&](const char* attribute) -> std::optional<Table> {
      const auto found = primitive.targets[k].find(attribute);
      if (found == primitive.targets[k].end()) return std::nullopt;
      return accessors_.read_vertices(found->second, kVec3, count,
                                      numbered(element, "target", k) + " " + attribute);
    };
    const auto row = [](const std::optional<Table>& table, std::size_t v) {
      return table ? Vec3d(table->row(v)[0], table->row(v)[1], table->row(v)[2]) : Vec3d(0.0);
    };
    // Changes of a normal or tangent that the file does not have mean nothing.
    const bool has_normals = primitive.attributes.count("NORMAL") != 0,
               has_tangents = primitive.attributes.count("TANGENT") != 0;
    const std::optional<Table> position = read("POSITION"),
                               normal = has_normals ? read("NORMAL") : std::nullopt,
                               tangent = has_tangents ? read("TANGENT") : std::nullopt;
    to.has_normals |= normal.has_value();
    to.has_tangents |= tangent.has_value();
    for (std::size_t v = 0; v < count; ++v) {
      const Vec3d dp = row(position, v), dn = row(normal, v), dt = row(tangent, v);
      if (dp == Vec3d(0.0) && dn == Vec3d(0.0) && dt == Vec3d(0.0)) continue;
      to.morph.vertex.push_back(first + static_cast<int>(v));
      to.morph.dp.push_back(dp);
      to.morph.dn.push_back(dn);
      to.morph.dt.push_back(dt);
    }
  }
}

void MorphReader::finish(Model& model) {
  for (Target& target : targets_) {
    if (!target.has_normals) target.morph.dn.clear();
    if (!target.has_tangents) target.morph.dt.clear();
    model.morphs.push_back(std::move(target.morph));
  }
  targets_.clear();
  make_names_distinct(model.morphs, "target");
  model.morph_weights = std::move(weights_);
  validate(model.mesh, model.morphs);
}

}  // namespace skinlight::gltf
