// The container: opens the bytes of a .gltf or .glb with tinygltf, which trusts its input more than we may.
#pragma once

#include <tiny_gltf.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/error.h"

namespace skinlight::gltf {

// What becomes of the pictures of a file.
enum class Images {
  left_out,
  kept,  // in tinygltf::Image::image, encoded as in the file; empty where they cannot be had
};

// The file's JSON as structs and its buffers in memory, what extensions compress decoded; images are not.
// Nothing inside is checked yet: indices may point anywhere. External buffers are looked for from `folder`
// on, or nowhere when it is empty. Throws InputError on anything that is not glTF 2 or requires an extension
// we do not read.
tinygltf::Model open(std::string_view bytes, const std::filesystem::path& folder,
                     Images images = Images::left_out);

// The same of a file, with its folder.
tinygltf::Model open(const std::filesystem::path& path, Images images = Images::left_out);

// Throws InputError unless 0 <= index < size. `what` is the kind of thing referred to, as "accessor".
void require_reference(int index, std::size_t size, std::string_view what, const std::string& element);

// What an index of the file names; null where it names nothing.
template <class T>
const T* named(const std::vector<T>& list, int index) {
  return index >= 0 && at(index) < list.size() ? &list[at(index)] : nullptr;
}

// The file that a relative URI names (RFC 3986: %20 and the like are bytes), empty for anything else: data,
// other schemes, absolute paths.
std::filesystem::path file_of(const std::string& uri);

}  // namespace skinlight::gltf
