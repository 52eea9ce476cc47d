#include "skinlight/asset/fbx/detail/fbx_skin.h"

#include <algorithm>
#include <cmath>

#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/fbx/detail/fbx_mesh.h"

namespace skinlight::fbx {

namespace {

// 16 numbers by column, as glTF has them. False where the file has none, or only zeros.
bool read_matrix(const Element& element, const char* child, const std::string& where, Mat4x3d& matrix) {
  const std::vector<double> numbers = reals(element, child, where);
  if (numbers.empty() || std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0; }))
    return false;
  const std::string name = where + " " + child;
  if (numbers.size() != 16) throw InputError("", name, std::to_string(numbers.size()) + " numbers, not 16");
  matrix = affine(numbers, name);
  return true;
}

std::uint32_t point_of(std::int64_t written, std::size_t points, const std::string& where) {
  if (written < 0 || static_cast<std::uint64_t>(written) >= points)
    throw InputError("", where, "vertex " + std::to_string(written) + " of " + std::to_string(points));
  return static_cast<std::uint32_t>(written);
}

std::size_t points_of(const Object& geometry) {
  return reals(*geometry.element, "Vertices", geometry.label()).size() / 3;
}

Cluster read_cluster(const Document& document, const Object& object, std::size_t points) {
  const std::string where = object.label();
  const Element& element = *object.element;
  Cluster cluster;
  cluster.object = &object;
  const std::vector<std::int64_t> indices = integers(element, "Indexes", where);
  cluster.weights = reals(element, "Weights", where);
  if (indices.size() != cluster.weights.size())
    throw InputError("", where, "has not as many vertices as weights");
  for (std::size_t w = 0; w < indices.size(); ++w)
    cluster.points.push_back(point_of(indices[w], points, where + " weight " + std::to_string(w)));
  const std::string_view mode = child_text(element, "Mode");
  if (mode == "Additive")
    throw InputError("", where, "adds to what other bones do (mode Additive), which is not read");
  cluster.keeps_rest = mode == "Total1";
  cluster.has_transform = read_matrix(element, "Transform", where, cluster.transform);
  cluster.has_link = read_matrix(element, "TransformLink", where, cluster.link_transform);
  if (const auto links = document.children(object, "Model"); !links.empty()) cluster.link = links.front();
  return cluster;
}

// Which way of skinning the file asks for; the user chooses one.
void note_method(const Object& skin, std::vector<Warning>& warnings) {
  const std::string_view type = child_text(*skin.element, "SkinningType");
  if (type == "DualQuaternion") warn(warnings, skin.label(), "asks for dual quaternion skinning (dqs)");
  if (type != "Blend") return;
  const std::vector<double> share = reals(*skin.element, "BlendWeights", skin.label());
  if (std::any_of(share.begin(), share.end(), [](double x) { return x != 0; }))
    warn(warnings, skin.label(), "asks for a blend of linear and dual quaternion skinning, vertex by vertex");
}

}  // namespace

std::vector<Cluster> read_clusters(const Document& document, const Object& geometry,
                                   std::vector<Warning>& warnings) {
  const Object* skin = nullptr;
  for (const Object* candidate : document.children(geometry, "Deformer", "Skin")) {
    if (document.children(*candidate, "Deformer", "Cluster").empty()) continue;
    if (skin != nullptr) throw InputError("", geometry.label(), "has several skins, which is not read");
    skin = candidate;
  }
  std::vector<Cluster> clusters;
  if (skin == nullptr) return clusters;
  note_method(*skin, warnings);
  const std::size_t points = points_of(geometry);
  for (const Object* object : document.children(*skin, "Deformer", "Cluster")) {
    Cluster cluster = read_cluster(document, *object, points);
    const bool is_used =
        std::any_of(cluster.weights.begin(), cluster.weights.end(), [](double w) { return w != 0; });
    if (cluster.link != nullptr)
      clusters.push_back(std::move(cluster));
    else if (is_used)
      throw InputError("", object->label(), "no node moves it");
    else
      warn(warnings, object->label(), "has neither node nor weights; it was left out");
  }
  return clusters;
}

std::map<const Object*, Mat4x3d> read_bind_poses(const Document& document) {
  std::map<std::int64_t, const Object*> models;
  for (const Object& object : document.objects())
    if (object.kind == "Model") models[object.id] = &object;
  std::map<const Object*, Mat4x3d> poses;
  for (const Object& object : document.objects()) {
    if (object.kind != "Pose" || object.type != "BindPose") continue;
    for (const Element& node : object.element->children) {
      const Element* id = node.name == "PoseNode" ? node.child("Node") : nullptr;
      const auto model = id == nullptr ? models.end() : models.find(integer(*id, 0));
      Mat4x3d matrix;
      if (model != models.end() &&
          read_matrix(node, "Matrix", object.label() + " " + model->second->label(), matrix))
        poses.try_emplace(model->second, matrix);
    }
  }
  return poses;
}

double Shape::weight(double percent) const {
  const auto at = [&](std::size_t i) { return full[i]; };
  if (full.size() == 1) return percent / at(0);
  if (index == 0 && percent <= at(0)) return percent / at(0);
  if (index + 1 == full.size() && percent >= at(index)) return 1;
  if (index > 0 && percent > at(index - 1) && percent <= at(index))
    return (percent - at(index - 1)) / (at(index) - at(index - 1));
  if (index + 1 < full.size() && percent > at(index) && percent < at(index + 1))
    return (at(index + 1) - percent) / (at(index + 1) - at(index));
  return 0;
}

double Shape::slope(double percent) const {
  const double step = 1e-3 * (full.size() == 1 ? 1 : full[0]);  // within one piece of lines, but for its ends
  return (weight(percent + step) - weight(percent - step)) / (2 * step);
}

std::vector<Shape> read_shapes(const Document& document, const Object& geometry, std::size_t points) {
  std::vector<Shape> shapes;
  for (const Object* deformer : document.children(geometry, "Deformer", "BlendShape"))
    for (const Object* channel : document.children(*deformer, "Deformer", "BlendShapeChannel")) {
      const std::vector<const Object*> targets = document.children(*channel, "Geometry", "Shape");
      std::vector<double> full = reals(*channel->element, "FullWeights", channel->label());
      // FullWeights may be those of a group of vertices; then, or where they are absent, one shape is 100 %.
      if (full.size() != targets.size()) full.assign(targets.size(), 100);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const std::string where = targets[i]->label();
        if (!(full[i] > (i == 0 ? 0 : full[i - 1])) || !std::isfinite(full[i]))
          throw InputError("", channel->label() + " FullWeights", "do not ascend from 0");
        Shape shape;
        shape.name = targets[i]->name.empty() ? channel->name : targets[i]->name;
        shape.channel = channel;
        shape.full = full;
        shape.index = i;
        const std::vector<std::int64_t> indices = integers(*targets[i]->element, "Indexes", where);
        const std::vector<Vec3d> moved = vectors(*targets[i]->element, "Vertices", where);
        if (indices.size() != moved.size())
          throw InputError("", where, "has not as many vertices as displacements");
        for (std::size_t k = 0; k < indices.size(); ++k)
          shape.displacement[point_of(indices[k], points, where + " Indexes " + std::to_string(k))] =
              moved[k];
        shapes.push_back(std::move(shape));
      }
    }
  return shapes;
}

}  // namespace skinlight::fbx
