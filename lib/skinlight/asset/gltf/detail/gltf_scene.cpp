#include "skinlight/asset/gltf/detail/gltf_scene.h"

#include <algorithm>
#include <utility>

#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"

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

  Skin skin{from.joints, std::vector<Mat4x3d>(from.joints.size(), identity_transform<double>()),
            from.inverseBindMatrices == -1};
  if (skin.is_unbound) return skin;
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

const std::vector<int> kKeyComponents = {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_BYTE,
                                         TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_SHORT,
                                         TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT};

struct Keys {
  Interpolation interpolation = Interpolation::linear;
  std::vector<double> times, values;
};

// glTF 2.0, section 3.11: keys are SCALAR floats; each has `rows_per_key` values of the type, three times as
// many for cubic splines.
Keys read_keys(const tinygltf::Animation& animation, const tinygltf::AnimationChannel& from, int type,
               std::size_t rows_per_key, Accessors& accessors, const std::string& element,
               std::vector<Warning>& warnings) {
  require_reference(from.sampler, animation.samplers.size(), "sampler", element);
  const tinygltf::AnimationSampler& sampler = animation.samplers[static_cast<std::size_t>(from.sampler)];
  Keys keys;
  keys.interpolation = read_interpolation(sampler.interpolation, element);
  keys.times =
      accessors
          .read(sampler.input, {{TINYGLTF_TYPE_SCALAR}, {TINYGLTF_COMPONENT_TYPE_FLOAT}}, element + " input")
          .values;
  Table output = accessors.read(sampler.output, {{type}, kKeyComponents}, element + " output");
  const std::size_t rows =
      keys.times.size() * rows_per_key * (keys.interpolation == Interpolation::cubic_spline ? 3 : 1);
  if (output.rows != rows)
    throw InputError("", element,
                     std::to_string(output.rows) + " values, but its keys need " + std::to_string(rows));
  keys.values = std::move(output.values);
  require_keys(keys.times, keys.values, element, warnings);
  return keys;
}

// A rotation of length 0 is none; between keys and along splines such lengths do not matter.
void require_rotations(const Keys& keys, const std::string& element) {
  const bool spline = keys.interpolation == Interpolation::cubic_spline;
  for (std::size_t k = 0; k < keys.times.size(); ++k) {
    const double* q = keys.values.data() + 4 * (spline ? 3 * k + 1 : k);
    if (std::all_of(q, q + 4, [](double x) { return x == 0; }))
      throw InputError("", numbered(element, "key", k), "the rotation is 0, 0, 0, 0");
  }
}

// Reads the channels of one animation into a clip.
class ClipReader {
 public:
  ClipReader(const tinygltf::Animation& animation, const std::vector<Node>& nodes,
             const std::map<int, MorphRange>& morphs, Accessors& accessors, std::vector<Warning>& warnings)
      : animation_(animation), nodes_(nodes), morphs_(morphs), accessors_(accessors), warnings_(warnings) {}

  Clip read(const std::string& element) {
    for (std::size_t c = 0; c < animation_.channels.size(); ++c)
      read_channel(animation_.channels[c], element + " channel " + std::to_string(c));
    return std::move(clip_);
  }

 private:
  void read_channel(const tinygltf::AnimationChannel& from, const std::string& element) {
    const std::string& path = from.target_path;
    const bool of_weights = path.rfind("weights", 0) == 0;  // or of one of them, as weights/2
    const bool known = path == "translation" || path == "rotation" || path == "scale" || of_weights;
    if (from.target_node == -1 || !known) {
      warn(warnings_, element, "animates neither a node's transform nor morph targets; it was left out");
      return;
    }
    require_reference(from.target_node, nodes_.size(), "node", element);
    if (of_weights)
      read_morph_channel(from, element);
    else
      read_transform_channel(from, path, element);
  }

  void read_transform_channel(const tinygltf::AnimationChannel& from, const std::string& path,
                              const std::string& element) {
    if (nodes_[static_cast<std::size_t>(from.target_node)].has_matrix)
      throw InputError("", element,
                       "animates node " + std::to_string(from.target_node) + ", which is given by a matrix");
    const bool rotates = path == "rotation";
    Keys keys = read_keys(animation_, from, rotates ? TINYGLTF_TYPE_VEC4 : TINYGLTF_TYPE_VEC3, 1, accessors_,
                          element, warnings_);
    if (rotates) require_rotations(keys, element);
    clip_.duration = std::max(clip_.duration, keys.times.back());
    clip_.channels.push_back({from.target_node,
                              path == "translation" ? Path::translation
                              : rotates             ? Path::rotation
                                                    : Path::scale,
                              keys.interpolation, std::move(keys.times), std::move(keys.values)});
  }

  void read_morph_channel(const tinygltf::AnimationChannel& from, const std::string& element) {
    const auto found = morphs_.find(from.target_node);
    if (found == morphs_.end() || found->second.count == 0) {
      warn(warnings_, element, "animates morph targets that are not read; it was left out");
      return;
    }
    MorphRange range = found->second;
    if (const std::size_t slash = from.target_path.find('/'); slash != std::string::npos) {
      const int index = std::stoi(from.target_path.substr(slash + 1));
      require_reference(index, static_cast<std::size_t>(range.count), "morph target", element);
      range = {range.first + index, 1};
    }
    Keys keys = read_keys(animation_, from, TINYGLTF_TYPE_SCALAR, static_cast<std::size_t>(range.count),
                          accessors_, element, warnings_);
    clip_.duration = std::max(clip_.duration, keys.times.back());
    clip_.morph_channels.push_back(
        {range.first, range.count, keys.interpolation, std::move(keys.times), std::move(keys.values)});
  }

  const tinygltf::Animation& animation_;
  const std::vector<Node>& nodes_;
  const std::map<int, MorphRange>& morphs_;
  Accessors& accessors_;
  std::vector<Warning>& warnings_;
  Clip clip_;
};

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
                             const std::map<int, MorphRange>& morphs, Accessors& accessors,
                             std::vector<Warning>& warnings) {
  std::vector<Clip> clips;
  for (std::size_t a = 0; a < file.animations.size(); ++a) {
    ClipReader reader(file.animations[a], nodes, morphs, accessors, warnings);
    const std::string& name = file.animations[a].name;
    clips.push_back(reader.read(label("animation", a) + (name.empty() ? "" : " (" + name + ")")));
    clips.back().name = file.animations[a].name;
  }
  make_names_distinct(clips, "clip");
  return clips;
}

}  // namespace skinlight::gltf
