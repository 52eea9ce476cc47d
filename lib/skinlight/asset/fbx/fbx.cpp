#include "skinlight/asset/fbx/fbx.h"

#include "skinlight/asset/fbx/detail/fbx_element.h"
#include "skinlight/asset/fbx/detail/fbx_model.h"
#include "skinlight/core/file.h"

namespace skinlight {

bool is_fbx(std::string_view bytes) { return fbx::is_binary(bytes) || fbx::is_text(bytes); }

Model parse_fbx(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  if (bytes.empty()) throw InputError("", "", "is empty");
  if (!is_fbx(bytes)) throw InputError("", "", "does not begin as an FBX file does");
  const fbx::Document document(fbx::is_binary(bytes) ? fbx::parse_binary(bytes) : fbx::parse_text(bytes));
  return fbx::model_of(document, name, options);
}

Model read_fbx(const std::filesystem::path& path, const ReadOptions& options) {
  try {
    return parse_fbx(read_file(path), path.stem().string(), options);
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
}

}  // namespace skinlight
