#include "skinlight/asset/gltf/gltf.h"

#include <set>
#include <utility>

#include "skinlight/asset/detail/bone_table.h"
#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/detail/gltf_mesh.h"
#include "skinlight/asset/gltf/detail/gltf_model.h"
#include "skinlight/asset/gltf/detail/gltf_scene.h"
#include "skinlight/core/file.h"

namespace skinlight {

namespace {

// The skin with its joints in the model.
gltf::BoundSkin bind(int index, const gltf::Skin& skin, BoneTable& bones) {
  gltf::BoundSkin bound{index};
  for (std::size_t j = 0; j < skin.joints.size(); ++j)
    bound.bones.push_back(bones.bone_of(skin.joints[j], skin.inverse_bind[j]));
  return bound;
}

// glTF 2.0, section 3.7.3.3: only the joints move a skinned mesh.
bool has_transform(const tinygltf::Node& node) {
  return !node.matrix.empty() || !node.translation.empty() || !node.rotation.empty() || !node.scale.empty();
}

// What the format says of missing normals, said.
ReadOptions as_gltf(ReadOptions options) {
  if (options.missing_normals == MissingNormals::as_the_format_says)
    options.missing_normals = MissingNormals::flat;
  return options;
}

Model read_opened(tinygltf::Model file, const std::string& name, const ReadOptions& options) {
  gltf::split_for_normals(file, options);
  return gltf::read_model(file, name, options);
}

}  // namespace

void gltf::split_for_normals(tinygltf::Model& file, const ReadOptions& options) {
  if (as_gltf(options).missing_normals == MissingNormals::flat) gltf::split_planes(file);
}

Model gltf::read_model(const tinygltf::Model& file, const std::string& name, const ReadOptions& read_options,
                       std::vector<PrimitiveVertices>* primitives) {
  const ReadOptions options = as_gltf(read_options);
  gltf::Accessors accessors(file);
  Model model;
  model.name = name;
  model.skeleton.nodes = gltf::read_nodes(file);
  const std::vector<gltf::Skin> skins = gltf::read_skins(file, accessors);
  if (skins.empty()) throw InputError("", "", "has no skin");

  gltf::MorphReader morphs(file, accessors);
  gltf::MeshReader meshes(file, accessors, morphs, options, model.warnings);
  BoneTable bones(model.skeleton);
  std::set<std::pair<int, int>> done;  // (mesh, skin)
  std::set<int> unbound;               // bones
  for (std::size_t n = 0; n < file.nodes.size(); ++n) {
    const tinygltf::Node& node = file.nodes[n];
    const std::string element = "node " + std::to_string(n);
    if (node.skin != -1) gltf::require_reference(node.skin, skins.size(), "skin", element);
    if (node.mesh == -1) continue;
    gltf::require_reference(node.mesh, file.meshes.size(), "mesh", element);
    if (node.skin == -1) {
      warn(model.warnings, element, "has a mesh without a skin; it was left out");
      continue;
    }
    if (!done.insert({node.mesh, node.skin}).second) {
      warn(model.warnings, element, "shows a mesh with its skin again; it was kept once");
      continue;
    }
    if (options.raw != nullptr && has_transform(node))
      options.raw->moved_meshes.push_back(static_cast<int>(n));
    const gltf::Skin& skin = skins[static_cast<std::size_t>(node.skin)];
    const gltf::BoundSkin bound = bind(node.skin, skin, bones);
    if (options.raw != nullptr && skin.is_unbound) unbound.insert(bound.bones.begin(), bound.bones.end());
    meshes.append(node.mesh, bound, morphs.open(node.mesh, static_cast<int>(n)));
  }
  if (options.raw != nullptr) options.raw->unbound.assign(unbound.begin(), unbound.end());
  if (primitives != nullptr) *primitives = meshes.primitives();
  model.mesh = meshes.finish(model.skeleton.bone_count());
  validate(model.mesh);
  default_pose(model.skeleton);  // finds cycles and transforms that are not finite
  morphs.finish(model);
  model.clips = gltf::read_clips(file, model.skeleton.nodes, morphs.of_nodes(), accessors, model.warnings);
  return model;
}

Model parse_gltf(std::string_view bytes, const std::filesystem::path& folder, const std::string& name,
                 const ReadOptions& options) {
  return read_opened(gltf::open(bytes, folder), name, options);
}

bool is_gltf(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return bytes.substr(0, 4) == "glTF" || (first != std::string_view::npos && bytes[first] == '{');
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

Model read_gltf(const std::filesystem::path& path, const ReadOptions& options) {
  try {
    return read_opened(gltf::open(path), path.stem().string(), options);
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
}

}  // namespace skinlight
