#include "skinlight/bake/stale.h"

#include <algorithm>
#include <string>

#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/detail/gltf_model.h"
#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/bake/detail/gltf_stamp.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"

namespace skinlight {

namespace {

using gltf::Json;

std::string sum_of(const tinygltf::Model& file, const Json& document, const std::string& name) {
  std::vector<gltf::PrimitiveVertices> all;
  gltf::read_model(file, name, {.keep_unusable_weights = true, .missing_normals = MissingNormals::smooth}, &all);
  gltf::Accessors accessors(file);
  return gltf::Digest(file, accessors).of(document, gltf::one_skin_per_mesh(all));
}

std::vector<StaleBake> stale_of(const std::string& bytes, const std::filesystem::path& path) {
  const Json document = gltf::parse_document(bytes, path).json;
  const tinygltf::Model file = gltf::open(bytes, folder_of(path));
  const std::string sum = sum_of(file, document, path.stem().string());
  std::vector<StaleBake> stale;
  int index = 0;
  for (const Json& mesh : document["meshes"]) {
    const int m = index++;
    if (gltf::mark_of(mesh).is_null()) continue;
    if (gltf::has_earlier_sides(mesh))
      stale.push_back({m, "by an earlier version, whose numbers mean something else"});
    else if (!gltf::has_mark(mesh, {{"digest", sum}}))
      stale.push_back(
          {m, "before the file was edited: vertices, weights or baked numbers are not those of then"});
  }
  return stale;
}

}  // namespace

std::vector<StaleBake> stale_bakes(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  if (!is_gltf(bytes) || bytes.find("\"skinlight\"") == std::string::npos) return {};
  try {
    return stale_of(bytes, path);
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  } catch (const Json::exception& e) {
    throw InputError(path.string(), "JSON", e.what());
  }
}

}  // namespace skinlight
