#include "skinlight/asset/fbx/detail/fbx_model.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "skinlight/asset/detail/part_merger.h"
#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/fbx/detail/fbx_clips.h"
#include "skinlight/asset/fbx/detail/fbx_mesh.h"
#include "skinlight/asset/fbx/detail/fbx_skeleton.h"
#include "skinlight/asset/fbx/detail/fbx_skin.h"
#include "skinlight/asset/fbx/detail/fbx_track.h"

namespace skinlight::fbx {

namespace {

struct SkinnedMesh {
  const Object* geometry;
  const Object* model;  // the node that shows it
  std::vector<Cluster> clusters;
};

std::vector<SkinnedMesh> find_meshes(const Document& document, std::vector<Warning>& warnings) {
  std::vector<SkinnedMesh> meshes;
  for (const Object& geometry : document.objects()) {
    if (geometry.kind != "Geometry" || geometry.type != "Mesh") continue;
    std::vector<const Object*> models;
    for (const Link& link : document.parents_of(geometry.id))
      if (link.object->kind == "Model") models.push_back(link.object);
    if (models.empty()) continue;
    std::vector<Cluster> clusters = read_clusters(document, geometry, warnings);
    if (clusters.empty()) {
      warn(warnings, models.front()->label(), "shows a mesh without bones; it was left out");
      continue;
    }
    for (std::size_t i = 1; i < models.size(); ++i)
      warn(warnings, models[i]->label(), "shows a mesh with its skin again; it was kept once");
    if (!document.children(geometry, "Deformer", "VertexCacheDeformer").empty())
      warn(warnings, geometry.label(), "is moved by a cache of vertices as well, which was left out");
    meshes.push_back({&geometry, models.front(), std::move(clusters)});
  }
  return meshes;
}

class ModelReader {
 public:
  ModelReader(const Document& document, const ReadOptions& options)
      : document_(document),
        meshes_(find_meshes(document, model_.warnings)),
        stacks_(read_stacks(document, model_.warnings)),
        skeleton_(document, stacks_, used(), model_.skeleton, model_.warnings),
        merger_(model_.skeleton, options, model_.warnings),
        bind_poses_(read_bind_poses(document)) {}

  Model read(const std::string& name) {
    model_.name = name;
    for (const SkinnedMesh& mesh : meshes_) append(mesh);
    model_.mesh = merger_.finish();
    validate(model_.mesh);
    validate(model_.mesh, model_.morphs);
    model_.clips = skeleton_.clips();
    for (std::size_t s = 0; s < stacks_.size(); ++s) append_morph_channels(stacks_[s], model_.clips[s]);
    name_things();
    note_constraints();
    compare_with_bind_pose();
    return std::move(model_);
  }

 private:
  std::set<const Object*> used() const {
    std::set<const Object*> models;
    for (const SkinnedMesh& mesh : meshes_) {
      models.insert(mesh.model);
      for (const Cluster& cluster : mesh.clusters) models.insert(cluster.link);
    }
    return models;
  }

  // Of a Model in the file's default pose.
  Mat4x3d global(const Object* model) const {
    return default_pose({model_.skeleton.nodes, {skeleton_.node_of(model)}, {identity_transform<double>()}})
        .M[0];
  }

  Mat4x3d bind_pose(const Object* model, const std::string& where) {
    if (const auto found = bind_poses_.find(model); found != bind_poses_.end()) return found->second;
    warn(model_.warnings, where, "does not tell where it was bound; the default pose was taken");
    return global(model);
  }

  Mat4x3d require_inverse(const Mat4x3d& m, const std::string& where) const {
    if (!is_regular(m)) throw InputError("", where, "was bound where its node is flat");
    return inverse(m);
  }

  // Clusters that lack a matrix get it from the file's bind pose.
  void complete_clusters(SkinnedMesh& mesh) {
    for (Cluster& cluster : mesh.clusters) {
      const std::string where = cluster.object->label();
      if (!cluster.has_link) cluster.link_transform = bind_pose(cluster.link, where);
      if (!cluster.has_transform)
        cluster.transform =
            compose(require_inverse(cluster.link_transform, where), bind_pose(mesh.model, where));
    }
  }

  // Where the mesh's node stood when its skin was bound: that of the first bone with weights.
  static Mat4x3d bound_at(const SkinnedMesh& mesh) {
    const auto weighs = [](const Cluster& c) { return !c.weights.empty(); };
    const auto first = std::find_if(mesh.clusters.begin(), mesh.clusters.end(), weighs);
    const Cluster& cluster = first == mesh.clusters.end() ? mesh.clusters.front() : *first;
    return compose(cluster.link_transform, cluster.transform);
  }

  // In Maya a skinned mesh follows its own node as well: what the bones made of it is moved from where the
  // node was bound to where it is. Elsewhere it does not.
  std::map<const Object*, int> nodes_of_links(const SkinnedMesh& mesh, const Mat4x3d& bound) {
    std::set<const Object*> links;
    for (const Cluster& cluster : mesh.clusters) links.insert(cluster.link);
    std::map<const Object*, int> nodes;
    for (const Object* link : links) nodes[link] = skeleton_.node_of(link);
    if (document_.application().rfind("Maya", 0) != 0 || !is_regular(bound)) return nodes;
    if (!differs(global(mesh.model), bound) && !skeleton_.is_moved(mesh.model)) return nodes;
    Node back;
    back.name = mesh.model->name + " (bound)";
    back.parent = skeleton_.node_of(mesh.model);
    back.has_matrix = true;
    back.matrix = inverse(bound);
    model_.skeleton.nodes.push_back(std::move(back));
    return skeleton_.copy_below(static_cast<int>(model_.skeleton.nodes.size()) - 1, links,
                                " (of " + mesh.model->name + ")");
  }

  static bool differs(const Mat4x3d& a, const Mat4x3d& b) {
    constexpr double kRounding = 1e-6;  // of what exporters write of a product of matrices
    for (int column = 0; column < 4; ++column)
      if (length(a[column] - b[column]) > kRounding * (1 + length(b[column]))) return true;
    return false;
  }

  void append(SkinnedMesh mesh) {
    complete_clusters(mesh);
    const Mat4x3d bound = bound_at(mesh), geometric = geometric_transform(*mesh.model);
    Part part = read_mesh(*mesh.geometry, model_.warnings);
    const std::vector<Shape> shapes = read_shapes(document_, *mesh.geometry, part.points.size());
    append_bones(mesh, nodes_of_links(mesh, bound), geometric, part);
    // Points that a shape moves are vertices of their own, even where others stand on them.
    if (!shapes.empty()) part.kind.assign(part.points.size(), 0);
    for (const Shape& shape : shapes)
      for (const auto& [point, dp] : shape.displacement) part.kind[point] = point + 1;

    const Mat4x3d placement = compose(bound, geometric);
    const int first = first_vertex_;
    const std::vector<std::uint32_t> points =
        merger_.append(part, mesh.model->label(), skeleton_.node_of(mesh.model), placement, geometric);
    first_vertex_ += static_cast<int>(points.size());
    const Mat3d linear = is_regular(placement) ? Mat3d(placement) : Mat3d(identity_transform<double>());
    for (const Shape& shape : shapes) append_morph(shape, points, first, linear);
  }

  void append_bones(const SkinnedMesh& mesh, const std::map<const Object*, int>& nodes,
                    const Mat4x3d& geometric, Part& part) {
    std::vector<double> sums(part.points.size(), 0.0);
    bool keeps_rest = false;
    for (const Cluster& cluster : mesh.clusters) {
      part.bones.push_back({nodes.at(cluster.link), compose(cluster.transform, geometric), cluster.points,
                            cluster.weights, cluster.object->label()});
      keeps_rest |= cluster.keeps_rest;
      for (std::size_t w = 0; w < cluster.points.size(); ++w) sums[cluster.points[w]] += cluster.weights[w];
    }
    if (!keeps_rest) return;
    PartBone rest{skeleton_.node_of(mesh.model), geometric, {}, {}, mesh.model->label()};
    for (std::uint32_t p = 0; const double sum : sums) {
      if (sum > 0 && sum < 1 - kWeightSumTolerance) {
        rest.points.push_back(p);
        rest.weights.push_back(1 - sum);
      }
      ++p;
    }
    if (!rest.points.empty()) part.bones.push_back(std::move(rest));
  }

  void append_morph(const Shape& shape, const std::vector<std::uint32_t>& points, int first,
                    const Mat3d& linear) {
    MorphTarget target;
    target.name = shape.name;
    for (std::size_t v = 0; v < points.size(); ++v)
      if (const auto found = shape.displacement.find(points[v]); found != shape.displacement.end()) {
        target.vertex.push_back(first + static_cast<int>(v));
        target.dp.push_back(linear * found->second);
      }
    const std::string where = shape.channel->label();
    const double weight = shape.weight(shape.channel->properties.real("DeformPercent", 0, where));
    if (!std::isfinite(weight)) throw InputError("", where, "its weight is not finite");
    model_.morphs.push_back(std::move(target));
    model_.morph_weights.push_back(weight);
    Shape without = shape;
    without.displacement.clear();
    shapes_.push_back(std::move(without));
  }

  // Breakpoints, and the times at which the channel passes a full weight: there the weights of its shapes bend.
  static std::vector<double> times_of(const Shape& shape, const Layers& percent, const Stack& stack) {
    std::vector<double> times = stack.breakpoints({&percent});
    if (shape.full.size() == 1) return times;
    constexpr int kSteps = 16, kHalvings = 60;
    std::vector<double> all = times;
    for (std::size_t k = 0; k + 1 < times.size(); ++k) {
      const double middle = (times[k] + times[k + 1]) / 2;
      const auto at = [&](double time) { return blended(percent, false, time, middle).value.x; };
      for (const double full : shape.full)
        for (int step = 0; step < kSteps; ++step) {
          const auto time = [&](int s) { return times[k] + (times[k + 1] - times[k]) * s / kSteps; };
          double low = time(step), high = time(step + 1);
          const bool is_below = at(low) < full;
          if (is_below == (at(high) < full)) continue;
          for (int halving = 0; halving < kHalvings; ++halving) {
            const double half = (low + high) / 2;
            ((at(half) < full) == is_below ? low : high) = half;
          }
          all.push_back(high);
        }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  void append_morph_channels(const Stack& stack, Clip& clip) {
    constexpr double kClose = 1e-8;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const Shape& shape = shapes_[i];
      const Layers* percent = stack.find(shape.channel, "DeformPercent");
      if (percent == nullptr) continue;
      const auto motion = [&](double time, double inside) {
        const Moving at = blended(*percent, false, time, inside),
                     beside = blended(*percent, false, inside, inside);
        return Motion{{shape.weight(at.value.x)}, {shape.slope(beside.value.x) * at.rate.x}};
      };
      Track track = resample(motion, 1, false, times_of(shape, *percent, stack), kClose);
      const std::string where = "clip " + shown(clip.name) + " morph " + shown(shape.name);
      if (!track.is_close) warn(model_.warnings, where, "moves faster than a thousand keys can follow");
      require_keys({0}, track.values, where, model_.warnings);
      clip.duration = std::max(clip.duration, track.times.back());
      clip.morph_channels.push_back(
          {static_cast<int>(i), 1, track.interpolation, std::move(track.times), std::move(track.values)});
    }
  }

  // Objects are told apart by their ids; here names have to do.
  void name_things() {
    make_names_distinct(model_.clips, "clip");
    make_names_distinct(model_.morphs, "morph target");
    // Bones keep their names before meshes do.
    std::vector<Node>& nodes = model_.skeleton.nodes;
    std::vector<std::size_t> order;
    std::set<std::size_t> bones;
    for (const int node : model_.skeleton.bone_node) bones.insert(static_cast<std::size_t>(node));
    order.assign(bones.begin(), bones.end());
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (bones.count(n) == 0) order.push_back(n);
    std::vector<Node> named;
    for (const std::size_t n : order) named.push_back(nodes[n]);
    make_names_distinct(named, "node");
    for (std::size_t i = 0; i < order.size(); ++i) nodes[order[i]].name = named[i].name;
  }

  void note_constraints() {
    for (const Object& object : document_.objects())
      if (object.kind == "Constraint" && object.type != "Character")
        warn(model_.warnings, object.label(), "is a constraint; poses are those of the keys alone");
  }

  // The default pose of a file that was saved as it was bound is the rest mesh. Where it is not, either the
  // file was saved in another pose, or it says something that is not understood here: the user should look.
  void compare_with_bind_pose() {
    constexpr double kNoticed = 1e-4;  // of the diagonal
    const RiggedMesh& mesh = model_.mesh;
    const Pose pose = default_pose(model_.skeleton);  // finds bones whose transform is not finite
    Vec3d low = mesh.p0[0], high = mesh.p0[0];
    double farthest = 0;
    int worst = 0;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      const Vec3d p = mesh.p0[static_cast<std::size_t>(v)];
      Vec3d posed(0.0);
      for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
        posed = posed + transform_point(pose.M[static_cast<std::size_t>(mesh.bones_of(v)[k])], p) *
                            mesh.weights_of(v)[k];
      if (length(posed - p) > farthest) {
        farthest = length(posed - p);
        worst = v;
      }
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], p[i]);
        high[i] = std::max(high[i], p[i]);
      }
    }
    const double share = farthest / length(high - low);
    if (share > kNoticed)
      model_.warnings.push_back({"vertex " + std::to_string(worst),
                                 "stands elsewhere in the file's default pose than where it was bound, by " +
                                     std::to_string(100 * share) + " % of the size of the mesh"});
  }

  const Document& document_;
  Model model_;
  std::vector<SkinnedMesh> meshes_;
  std::vector<Stack> stacks_;
  SkeletonBuilder skeleton_;
  PartMerger merger_;
  std::map<const Object*, Mat4x3d> bind_poses_;
  std::vector<Shape> shapes_;  // of the model's morph targets, without their displacements
  int first_vertex_ = 0;
};

}  // namespace

Model model_of(const Document& document, const std::string& name, const ReadOptions& options) {
  return ModelReader(document, options).read(name);
}

}  // namespace skinlight::fbx
