// The code of tinygltf. Pictures are not decoded: the library does not look at them.
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_INCLUDE_JSON
#include <nlohmann/json.hpp>

#include <tiny_gltf.h>

namespace tinygltf {
bool LoadImageData(Image*, int, std::string*, std::string*, int, int, const unsigned char*, int, void*) {
  return false;
}
bool WriteImageData(const std::string*, const std::string*, const Image*, bool, std::string*, void*) {
  return false;
}
}  // namespace tinygltf
