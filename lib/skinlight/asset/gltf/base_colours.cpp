#include "skinlight/asset/gltf/base_colours.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/detail/gltf_model.h"
#include "skinlight/core/error.h"

namespace skinlight {

namespace {

// Of a primitive.
struct MaterialColour {
  Vec3f colour{1.0f};
  int picture = -1;  // image of the file; -1: none
};

MaterialColour colour_of(const tinygltf::Model& file, const gltf::PrimitiveVertices& of) {
  const std::string element =
      "mesh " + std::to_string(of.mesh) + " primitive " + std::to_string(of.primitive);
  const int material = file.meshes[static_cast<std::size_t>(of.mesh)]
                           .primitives[static_cast<std::size_t>(of.primitive)]
                           .material;
  MaterialColour surface;
  if (material == -1) return surface;
  gltf::require_reference(material, file.materials.size(), "material", element);
  const tinygltf::PbrMetallicRoughness& look =
      file.materials[static_cast<std::size_t>(material)].pbrMetallicRoughness;
  if (look.baseColorFactor.size() == 4)
    surface.colour = Vec3f(Vec3d(look.baseColorFactor[0], look.baseColorFactor[1], look.baseColorFactor[2]));
  const int texture = look.baseColorTexture.index;
  if (texture == -1) return surface;
  const std::string of_material = "material " + std::to_string(material);
  gltf::require_reference(texture, file.textures.size(), "texture", of_material);
  surface.picture = file.textures[static_cast<std::size_t>(texture)].source;
  if (surface.picture != -1)
    gltf::require_reference(surface.picture, file.images.size(), "image",
                            "texture " + std::to_string(texture));
  return surface;
}

}  // namespace

BaseColours read_base_colours(const std::filesystem::path& path, const ReadOptions& options) {
  try {
    tinygltf::Model file = gltf::open(path, gltf::Images::kept);
    gltf::split_for_normals(file, options);
    std::vector<gltf::PrimitiveVertices> primitives;
    const Model model = gltf::read_model(file, path.stem().string(), options, &primitives);

    std::vector<MaterialColour> surfaces;
    std::vector<int> of_vertex(model.mesh.p0.size(), -1);
    for (const gltf::PrimitiveVertices& p : primitives) {
      for (int v = p.first; v < p.first + p.count; ++v)
        if (int& known = of_vertex[static_cast<std::size_t>(v)]; known == -1)
          known = static_cast<int>(surfaces.size());
      surfaces.push_back(colour_of(file, p));
    }
    const auto has_picture = [&](const MaterialColour& s) {
      return s.picture != -1 && !file.images[static_cast<std::size_t>(s.picture)].image.empty();
    };
    const auto shown = std::find_if(surfaces.begin(), surfaces.end(), has_picture);
    const int picture = shown == surfaces.end() ? -1 : shown->picture;

    BaseColours colours;
    if (picture != -1) {
      const std::vector<unsigned char>& bytes = file.images[static_cast<std::size_t>(picture)].image;
      colours.picture.assign(bytes.begin(), bytes.end());
    }
    for (const Face& face : model.mesh.faces) {
      const MaterialColour& surface =
          surfaces[static_cast<std::size_t>(of_vertex[static_cast<std::size_t>(face[0])])];
      colours.face.push_back(surface.colour);
      colours.textured.push_back(picture != -1 && surface.picture == picture ? 1 : 0);
    }
    return colours;
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
}

}  // namespace skinlight
