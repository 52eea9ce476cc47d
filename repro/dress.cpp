#include "repro/dress.h"

#include <algorithm>

namespace skinlight::repro {

Paint Dress::on(const RiggedMesh& mesh) const {
  if (colours.face.size() != mesh.faces.size()) return {};
  return {colours.face, colours.textured, mesh.uv, colours.picture.empty() ? nullptr : &picture};
}

Dress dress_of(const ModelEntry& entry) {
  const std::filesystem::path path = models_folder() / entry.files.front().file;
  const std::string extension = path.extension().string();
  if (extension != ".gltf" && extension != ".glb") return {};
  Dress dress;
  dress.colours =
      read_base_colours(path, {.missing_normals = MissingNormals::smooth});  // the faces of load_model()
  const bool white = std::all_of(dress.colours.face.begin(), dress.colours.face.end(),
                                 [](Vec3f c) { return c == Vec3f(1.0f); });
  if (white && dress.colours.picture.empty()) return {};
  if (!dress.colours.picture.empty()) dress.picture = decode_image(dress.colours.picture);
  return dress;
}

}  // namespace skinlight::repro
