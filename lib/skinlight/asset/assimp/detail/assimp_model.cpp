#include "skinlight/asset/assimp/detail/assimp_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "skinlight/asset/assimp/detail/assimp_mesh.h"
#include "skinlight/asset/detail/reading.h"

namespace skinlight::assimp {

namespace {

std::vector<Node> read_nodes(const Scene& scene) {
  std::vector<Node> nodes;
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    const SceneNode& from = scene.nodes[n];
    const std::string element = label("node", n, from.name);
    if (from.parent < -1 || from.parent >= static_cast<int>(n))
      throw InputError("", element, "its parent does not come before it");
    Node& node = nodes.emplace_back();
    node.name = from.name;
    node.parent = from.parent;
    node.has_matrix = true;
    node.matrix = affine(from.transform, element);
  }
  return nodes;
}

// The first node of each name, depth first: formats bind bones and channels by name.
std::map<std::string, int> by_name(const std::vector<Node>& nodes, std::vector<Warning>& warnings) {
  std::map<std::string, int> node_of;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (!node_of.try_emplace(nodes[n].name, static_cast<int>(n)).second && !nodes[n].name.empty())
      warn(warnings, label("node", n, nodes[n].name),
           "has the name of an earlier node; bones and clips of that name move the earlier one");
  return node_of;
}

Quat rotation_of(const Mat3d& r) {
  // The largest of x, y, z, w first: no division by a small number.
  const double trace = r[0].x + r[1].y + r[2].z;
  Quat q{};
  if (trace > std::max({r[0].x, r[1].y, r[2].z})) {
    q = {r[1].z - r[2].y, r[2].x - r[0].z, r[0].y - r[1].x, 1 + trace};
  } else if (r[0].x >= r[1].y && r[0].x >= r[2].z) {
    q = {1 + r[0].x - r[1].y - r[2].z, r[0].y + r[1].x, r[2].x + r[0].z, r[1].z - r[2].y};
  } else if (r[1].y >= r[2].z) {
    q = {r[0].y + r[1].x, 1 + r[1].y - r[0].x - r[2].z, r[1].z + r[2].y, r[2].x - r[0].z};
  } else {
    q = {r[2].x + r[0].z, r[1].z + r[2].y, 1 + r[2].z - r[0].x - r[1].y, r[0].y - r[1].x};
  }
  double size = 0;
  for (const double x : q) size += x * x;
  for (double& x : q) x /= std::sqrt(size);
  return q;
}

// Translation, rotation and scale, for nodes that a clip moves.
void decompose(Node& node, const std::string& element, std::vector<Warning>& warnings) {
  const Mat3d linear(node.matrix);
  const double mirror = dot(linear[0], cross(linear[1], linear[2])) < 0 ? -1 : 1;
  node.scale = {length(linear[0]) * mirror, length(linear[1]), length(linear[2])};
  Mat3d r = linear;
  constexpr double kSheared = 1e-4;  // cosine between axes; floats of the file leave 1e-6
  double shear = 0;
  for (int c = 0; c < 3; ++c) {
    if (!(std::abs(node.scale[c]) > 0)) {
      warn(warnings, element, "has scale 0 and keys; its own rotation was taken for none");
      r = Mat3d(identity_transform<double>());
      break;
    }
    r[c] = linear[c] / node.scale[c];
  }
  for (int c = 0; c < 3; ++c) shear = std::max(shear, std::abs(dot(r[c], r[(c + 1) % 3])));
  if (shear > kSheared) warn(warnings, element, "has shear and keys; outside the keys the shear is left out");
  r[0] = normalize(r[0]);
  r[1] = normalize(r[1] - r[0] * dot(r[0], r[1]));
  r[2] = cross(r[0], r[1]);
  node.translation = node.matrix[3];
  node.rotation = is_finite(r[1]) ? rotation_of(r) : Quat{0, 0, 0, 1};
  node.has_matrix = false;
}

std::vector<Mat4x3d> global_transforms(const std::vector<Node>& nodes) {
  std::vector<Mat4x3d> global;
  for (const Node& node : nodes)
    global.push_back(node.parent < 0 ? node.matrix
                                     : compose(global[static_cast<std::size_t>(node.parent)], node.matrix));
  return global;
}

// Where the file has no keys for a property, the node keeps its own.
void append_channel(const SceneKeys& keys, int node, Path path, double seconds_per_tick,
                    const std::string& element, Clip& clip, std::vector<Warning>& warnings) {
  if (keys.times.empty()) return;
  const std::size_t width = path == Path::rotation ? 4 : 3;
  if (keys.values.size() != width * keys.times.size())
    throw InputError(
        "", element,
        std::to_string(keys.values.size()) + " numbers for " + std::to_string(keys.times.size()) + " keys");
  Channel channel;
  channel.node = node;
  channel.path = path;
  for (const double time : keys.times) channel.times.push_back(time * seconds_per_tick);
  channel.values.assign(keys.values.begin(), keys.values.end());
  require_keys(channel.times, channel.values, element, warnings);
  clip.duration = std::max(clip.duration, channel.times.back());
  clip.channels.push_back(std::move(channel));
}

double ticks_of(const SceneClip& from, const std::string& element, double default_ticks,
                std::vector<Warning>& warnings) {
  if (!std::isfinite(from.ticks_per_second) || from.ticks_per_second < 0)
    throw InputError("", element, "its ticks per second are no number that time can have");
  if (from.ticks_per_second > 0) return from.ticks_per_second;
  warn(warnings, element,
       "does not tell its ticks per second; " + std::to_string(static_cast<int>(default_ticks)) +
           " were taken");
  return default_ticks;
}

// Keys before time 0 would never be seen: such clips start at their first key.
void start_at_zero(Clip& clip, const std::string& element, std::vector<Warning>& warnings) {
  double start = 0;
  for (const Channel& channel : clip.channels) start = std::min(start, channel.times.front());
  if (start == 0) return;
  warn(warnings, element, "has keys before time 0; it was moved to start there");
  clip.duration -= start;
  for (Channel& channel : clip.channels)
    for (double& time : channel.times) time -= start;
}

Clip read_clip(const SceneClip& from, const std::map<std::string, int>& node_of, const std::string& element,
               double default_ticks, std::vector<Warning>& warnings) {
  Clip clip;
  clip.name = from.name;
  const double seconds = 1 / ticks_of(from, element, default_ticks, warnings);
  if (from.other_channels > 0) warn(warnings, element, "animates morph targets; that was left out");
  for (std::size_t c = 0; c < from.channels.size(); ++c) {
    const SceneChannel& channel = from.channels[c];
    const std::string where = element + " " + label("channel", c, channel.node);
    const auto node = node_of.find(channel.node);
    if (node == node_of.end()) {
      warn(warnings, where, "animates no node; it was left out");
      continue;
    }
    append_channel(channel.translation, node->second, Path::translation, seconds, where + " translation",
                   clip, warnings);
    append_channel(channel.rotation, node->second, Path::rotation, seconds, where + " rotation", clip,
                   warnings);
    append_channel(channel.scale, node->second, Path::scale, seconds, where + " scale", clip, warnings);
  }
  start_at_zero(clip, element, warnings);
  return clip;
}

}  // namespace

Model model_of(const Scene& scene, const std::string& name, const ReadOptions& options,
               double default_ticks) {
  Model model;
  model.name = name;
  std::vector<Node>& nodes = model.skeleton.nodes;
  nodes = read_nodes(scene);
  const std::vector<Mat4x3d> global = global_transforms(nodes);
  const std::map<std::string, int> node_of = by_name(nodes, model.warnings);

  PartMerger meshes(model.skeleton, options, model.warnings);
  std::set<std::uint32_t> done;
  for (std::size_t n = 0; n < scene.nodes.size(); ++n)
    for (const std::uint32_t m : scene.nodes[n].meshes) {
      const std::string node = label("node", n, scene.nodes[n].name);
      if (m >= scene.meshes.size())
        throw InputError("", node,
                         "shows mesh " + std::to_string(m) + " of " + std::to_string(scene.meshes.size()));
      const std::string element = label("mesh", m, scene.meshes[m].name);
      if (scene.meshes[m].bones.empty())
        warn(model.warnings, element, "has no bones; it was left out");
      else if (!done.insert(m).second)
        warn(model.warnings, node, "shows a mesh with its skin again; it was kept once");
      else if (!is_finite(global[n]))
        throw InputError("", node, "its transform in the scene is not finite");
      else
        meshes.append(read_part(scene.meshes[m], element, node_of, model.warnings), element,
                      static_cast<int>(n), global[n]);
    }
  model.mesh = meshes.finish();
  validate(model.mesh);

  for (std::size_t a = 0; a < scene.clips.size(); ++a)
    model.clips.push_back(read_clip(scene.clips[a], node_of, label("clip", a, scene.clips[a].name),
                                    default_ticks, model.warnings));
  make_names_distinct(model.clips, "clip");
  for (const Clip& clip : model.clips)
    for (const Channel& channel : clip.channels) {
      const auto n = static_cast<std::size_t>(channel.node);
      if (nodes[n].has_matrix) decompose(nodes[n], label("node", n, nodes[n].name), model.warnings);
    }
  default_pose(model.skeleton);  // finds bones whose transform is not finite
  return model;
}

}  // namespace skinlight::assimp
