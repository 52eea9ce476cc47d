#include "skinlight/bake/stale.h"

#include <algorithm>
#include <string>

#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/detail/gltf_model.h"
#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/bake/detail/gltf_digest.h"
#include "skinlight/bake/detail/gltf_stamp.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"

namespace skinlight {

namespace {

using gltf::Json;

// Whose record is gone together with its mark.
std::string lost(const Json& document) {
  const std::string writer = document["asset"].value("generator", std::string());
  return "with its file: record and mark are gone since, or it came later" +
         (writer.empty() ? "" : " (the file was last written by " + writer + ")");
}

std::vector<StaleBake> stale_of(const std::string& bytes, const std::filesystem::path& path) {
  const Json document = gltf::parse_document(bytes, path).json;
  const tinygltf::Model file = gltf::open(bytes, folder_of(path));
  std::vector<gltf::PrimitiveVertices> all;
  gltf::read_model(file, path.stem().string(),
                   {.keep_unusable_weights = true, .missing_normals = MissingNormals::smooth}, &all);
  const std::vector<gltf::PrimitiveVertices> primitives = gltf::one_skin_per_mesh(all);
  const bool file_was_baked = !gltf::mark_of(document["asset"]).is_null();
  gltf::Accessors accessors(file);
  gltf::Digest digest(file, accessors);
  std::vector<StaleBake> stale;
  int index = 0;
  for (const Json& mesh : document["meshes"]) {
    const int m = index++;
    if (gltf::mark_of(mesh).is_null()) {
      const bool skinned = std::any_of(primitives.begin(), primitives.end(),
                                       [&](const gltf::PrimitiveVertices& p) { return p.mesh == m; });
      if (skinned && file_was_baked) stale.push_back({m, lost(document)});
    } else if (gltf::has_earlier_sides(mesh)) {
      stale.push_back({m, "by an earlier version, whose numbers mean something else"});
    } else if (!digest.holds(m, document, primitives)) {
      stale.push_back(
          {m, "before the file was edited: vertices, weights or baked numbers are not those of then"});
    }
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
