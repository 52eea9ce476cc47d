#include "skinlight/asset/gltf_scene.h"

#include <algorithm>
#include <utility>

#include "skinlight/asset/gltf_file.h"
#include "skinlight/asset/reading.h"

namespace skinlight::gltf {

namespace {

std::string label(const char* kind, std::size_t index) {
  return std::string(kind) + " " + std::to_string(index);
}

// An optional array of exactly `size` numbers.
bool present(const std::vector<double>& numbers, std::size_t size, const char* name,
             const std::string& element) {
  if (!numbers.empty() && numbers.size() != size)
    throw InputError("", element,
                     std::string(name) + " has " + std::to_string(numbers.size()) + " numbers, not " +
                         std::to_string(size));
  return !numbers.empty();
}

Node read_node(const tinygltf::Node& from, const std::string& element) {
  Node node;
  node.name = from.name;
  if (present(from.matrix, 16, "matrix", element)) {
    node.has_matrix = true;
    node.matrix = affine(from.matrix, element);
  }
  if (present(from.translation, 3, "translation", element))
    node.translation = {from.translation[0], from.translation[1], from.translation[2]};
  if (present(from.rotation, 4, "rotation", element))
    std::copy(from.rotation.begin(), from.rotation.end(), node.rotation.begin());
  if (present(from.scale, 3, "scale", element)) node.scale = {from.scale[0], from.scale[1], from.scale[2]};
  return node;
}

Skin read_skin(const tinygltf::Model& file, const tinygltf::Skin& from, Accessors& accessors,
               const std::string& element) {
  if (from.joints.empty()) throw InputError("", element, "has no joints");
  for (std::size_t j = 0; j < from.joints.size(); ++j)
    require_reference(from.joints[j], file.nodes.size(), "node", element + " joint " + std::to_string(j));
  if (from.skeleton != -1) require_reference(from.skeleton, file.nodes.size(), "node", element + " skeleton");

  Skin skin{from.joints, std::vector<Mat4x3d>(from.joints.size(), identity_transform<double>())};
  if (from.inverseBindMatrices == -1) return skin;
  const std::string matrices = element + " inverseBindMatrices";
  const Table table = accessors.read(from.inverseBindMatrices,
                                     {{TINYGLTF_TYPE_MAT4}, {TINYGLTF_COMPONENT_TYPE_FLOAT}}, matrices);
  if (table.rows < skin.joints.size())
    throw InputError(
        "", matrices,
        std::to_string(table.rows) + " matrices for " + std::to_string(skin.joints.size()) + " joints");
  for (std::size_t j = 0; j < skin.joints.size(); ++j)
    skin.inverse_bind[j] = affine(table.row(j), matrices + " joint " + std::to_string(j));
  return skin;
}

Interpolation read_interpolation(const std::string& name, const std::string& element) {
  if (name.empty() || name == "LINEAR") return Interpolation::linear;
  if (name == "STEP") return Interpolation::step;
  if (name == "CUBICSPLINE") return Interpolation::cubic_spline;
  throw InputError("", element, "unknown interpolation \"" + name + "\"");
}

// glTF 2.0, section 3.11: keys are SCALAR floats; values are VEC3 or, for rotations, VEC4.
Channel read_channel(const tinygltf::Animation& animation, const tinygltf::AnimationChannel& from, Path path,
                     Accessors& accessors, const std::string& element, std::vector<Warning>& warnings) {
  require_reference(from.sampler, animation.samplers.size(), "sampler", element);
  const tinygltf::AnimationSampler& sampler = animation.samplers[static_cast<std::size_t>(from.sampler)];
  Channel channel;
  channel.node = from.target_node;
  channel.path = path;
  channel.interpolation = read_interpolation(sampler.interpolation, element);
  channel.times =
      accessors
          .read(sampler.input, {{TINYGLTF_TYPE_SCALAR}, {TINYGLTF_COMPONENT_TYPE_FLOAT}}, element + " input")
          .values;
  const Format format{
      {path == Path::rotation ? TINYGLTF_TYPE_VEC4 : TINYGLTF_TYPE_VEC3},
      {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
       TINYGLTF_COMPONENT_TYPE_SHORT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT}};
  Table output = accessors.read(sampler.output, format, element + " output");
  const std::size_t rows =
      channel.times.size() * (channel.interpolation == Interpolation::cubic_spline ? 3 : 1);
  if (output.rows != rows)
    throw InputError("", element,
                     std::to_string(output.rows) + " values, but its keys need " + std::to_string(rows));
  channel.values = std::move(output.values);
  require_keys(channel, element, warnings);
  return channel;
}

Clip read_clip(const tinygltf::Animation& animation, const std::vector<Node>& nodes, Accessors& accessors,
               const std::string& element, std::vector<Warning>& warnings) {
  Clip clip;
  for (std::size_t c = 0; c < animation.channels.size(); ++c) {
    const tinygltf::AnimationChannel& from = animation.channels[c];
    const std::string where = element + " channel " + std::to_string(c);
    const std::string& path = from.target_path;
    if (from.target_node == -1 || (path != "translation" && path != "rotation" && path != "scale")) {
      warn(warnings, where, "animates no node's transform; it was left out");
      continue;
    }
    require_reference(from.target_node, nodes.size(), "node", where);
    if (nodes[static_cast<std::size_t>(from.target_node)].has_matrix)
      throw InputError("", where,
                       "animates node " + std::to_string(from.target_node) + ", which is given by a matrix");
    clip.channels.push_back(read_channel(animation, from,
                                         path == "translation" ? Path::translation
                                         : path == "rotation"  ? Path::rotation
                                                               : Path::scale,
                                         accessors, where, warnings));
    clip.duration = std::max(clip.duration, clip.channels.back().times.back());
  }
  return clip;
}

}  // namespace

std::vector<Node> read_nodes(const tinygltf::Model& file) {
  std::vector<Node> nodes;
  for (std::size_t n = 0; n < file.nodes.size(); ++n)
    nodes.push_back(read_node(file.nodes[n], label("node", n)));
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const int child : file.nodes[n].children) {
      require_reference(child, nodes.size(), "node", label("node", n) + " children");
      int& parent = nodes[static_cast<std::size_t>(child)].parent;
      if (parent != -1)
        throw InputError(
            "", label("node", static_cast<std::size_t>(child)),
            "is a child of node " + std::to_string(parent) + " and of node " + std::to_string(n));
      parent = static_cast<int>(n);
    }
  return nodes;
}

std::vector<Skin> read_skins(const tinygltf::Model& file, Accessors& accessors) {
  std::vector<Skin> skins;
  for (std::size_t s = 0; s < file.skins.size(); ++s)
    skins.push_back(read_skin(file, file.skins[s], accessors, label("skin", s)));
  return skins;
}

std::vector<Clip> read_clips(const tinygltf::Model& file, const std::vector<Node>& nodes,
                             Accessors& accessors, std::vector<Warning>& warnings) {
  std::vector<Clip> clips;
  for (std::size_t a = 0; a < file.animations.size(); ++a) {
    clips.push_back(read_clip(file.animations[a], nodes, accessors, label("animation", a), warnings));
    clips.back().name = file.animations[a].name;
  }
  make_names_distinct(clips);
  return clips;
}

}  // namespace skinlight::gltf
