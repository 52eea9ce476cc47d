// EXT_meshopt_compression, and KHR_meshopt_compression as far as it is the same: compressed buffer views.
#include <meshoptimizer.h>

#include <string>
#include <utility>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"

namespace skinlight::gltf {

namespace {

// A vertex block of zeros takes a byte for 64 bytes, the other modes more: nothing decodes to a larger
// multiple of its size.
constexpr std::size_t kMostMeshoptPerByte = 64;

struct Stream {
  int buffer = 0;
  std::size_t offset = 0, length = 0;  // of the compressed bytes
  std::size_t stride = 0, count = 0;   // of the decoded elements
  std::string mode, filter;
};

std::size_t integer(const tinygltf::Value& object, const char* key, const std::string& element,
                    int otherwise = -1) {
  const bool given = object.Has(key) && object.Get(key).IsInt();
  const int value = given ? object.Get(key).Get<int>() : object.Has(key) ? -1 : otherwise;
  if (value < 0) throw InputError("", element, std::string(key) + " is missing or not a usable number");
  return static_cast<std::size_t>(value);
}

std::string text(const tinygltf::Value& object, const char* key, const char* otherwise) {
  return object.Has(key) && object.Get(key).IsString() ? object.Get(key).Get<std::string>() : otherwise;
}

// The extension's properties, checked against each other and the compressed buffer.
Stream read_stream(const tinygltf::Value& extension, const tinygltf::Model& file,
                   const std::string& element) {
  Stream s;
  s.buffer = static_cast<int>(integer(extension, "buffer", element));
  s.offset = integer(extension, "byteOffset", element, 0);
  s.length = integer(extension, "byteLength", element);
  s.stride = integer(extension, "byteStride", element);
  s.count = integer(extension, "count", element);
  s.mode = text(extension, "mode", "");
  s.filter = text(extension, "filter", "NONE");
  require_reference(s.buffer, file.buffers.size(), "buffer", element);
  const std::size_t size = file.buffers[static_cast<std::size_t>(s.buffer)].data.size();
  if (s.offset > size || s.length > size - s.offset)
    throw InputError("", element,
                     std::to_string(s.length) + " bytes at " + std::to_string(s.offset) +
                         " do not fit the buffer's " + std::to_string(size));

  const bool indices = s.mode == "TRIANGLES" || s.mode == "INDICES";
  if (!indices && s.mode != "ATTRIBUTES") throw InputError("", element, "unknown mode \"" + s.mode + "\"");
  const bool fits =
      indices ? s.stride == 2 || s.stride == 4 : s.stride >= 4 && s.stride <= 256 && s.stride % 4 == 0;
  if (!fits)
    throw InputError("", element, "byteStride " + std::to_string(s.stride) + " is not allowed for " + s.mode);
  if (s.mode == "TRIANGLES" && s.count % 3 != 0)
    throw InputError("", element, std::to_string(s.count) + " indices do not make whole triangles");
  if (s.count > kMostMeshoptPerByte * s.length / s.stride)
    throw InputError("", element,
                     std::to_string(s.count) + " elements are more than " + std::to_string(s.length) +
                         " bytes can encode");
  if (s.filter == "COLOR") throw InputError("", element, "filter \"COLOR\" is not supported");
  const bool filter_fits = s.filter == "NONE" ||
                           (s.filter == "OCTAHEDRAL" && (s.stride == 4 || s.stride == 8)) ||
                           (s.filter == "QUATERNION" && s.stride == 8) || s.filter == "EXPONENTIAL";
  if (!filter_fits || (indices && s.filter != "NONE"))
    throw InputError("", element,
                     "filter \"" + s.filter + "\" is not allowed for " + s.mode + " of byteStride " +
                         std::to_string(s.stride));
  return s;
}

std::vector<unsigned char> decode(const Stream& s, const tinygltf::Model& file, const std::string& element) {
  const unsigned char* from = file.buffers[static_cast<std::size_t>(s.buffer)].data.data() + s.offset;
  // The first byte tells the kind of stream and, in its low half, the version.
  constexpr int kAttributes = 0xa0, kKind = 0xf0, kVersion = 0x0f;
  if (s.mode == "ATTRIBUTES" && s.length > 0 && (from[0] & kKind) == kAttributes && (from[0] & kVersion) != 0)
    throw InputError("", element,
                     "streams of version " + std::to_string(from[0] & kVersion) +
                         " are not supported, only those of version 0");
  std::vector<unsigned char> bytes(s.count * s.stride);
  int failed = 0;
  if (s.mode == "ATTRIBUTES")
    failed = meshopt_decodeVertexBuffer(bytes.data(), s.count, s.stride, from, s.length);
  if (s.mode == "TRIANGLES")
    failed = meshopt_decodeIndexBuffer(bytes.data(), s.count, s.stride, from, s.length);
  if (s.mode == "INDICES")
    failed = meshopt_decodeIndexSequence(bytes.data(), s.count, s.stride, from, s.length);
  if (failed != 0) throw InputError("", element, "the compressed bytes are damaged");
  if (s.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(bytes.data(), s.count, s.stride);
  if (s.filter == "QUATERNION") meshopt_decodeFilterQuat(bytes.data(), s.count, s.stride);
  if (s.filter == "EXPONENTIAL") meshopt_decodeFilterExp(bytes.data(), s.count, s.stride);
  return bytes;
}

}  // namespace

void decode_meshopt(tinygltf::Model& file) {
  for (std::size_t v = 0; v < file.bufferViews.size(); ++v) {
    tinygltf::BufferView& view = file.bufferViews[v];
    auto extension = view.extensions.find(kKhrMeshopt);
    if (extension == view.extensions.end()) extension = view.extensions.find(kMeshopt);
    if (extension == view.extensions.end()) continue;
    const std::string element = "buffer view " + std::to_string(v) + " " + extension->first;
    const Stream stream = read_stream(extension->second, file, element);
    if (view.byteLength != stream.count * stream.stride)
      throw InputError("", element,
                       std::to_string(stream.count) + " elements of " + std::to_string(stream.stride) +
                           " bytes are not the buffer view's " + std::to_string(view.byteLength));
    tinygltf::Buffer decoded;
    decoded.name = kDecodedBuffer;
    decoded.data = decode(stream, file, element);
    view.buffer = static_cast<int>(file.buffers.size());
    view.byteOffset = 0;
    file.buffers.push_back(std::move(decoded));
  }
}

}  // namespace skinlight::gltf
