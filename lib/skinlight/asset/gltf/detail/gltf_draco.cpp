// KHR_draco_mesh_compression (extension of glTF 2.0): compressed primitives.
#include <draco/compression/decode.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/asset/assimp/detail/isolate.h"
#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"

namespace skinlight::gltf {

namespace {

// Draco codes smooth meshes with a few bits per vertex. More than this is no mesh but an attack.
constexpr std::size_t kMostDracoPerByte = 4096, kSmallestLimit = 1u << 20;

// One attribute as the primitive wants it.
struct Attribute {
  std::string name;
  int draco_id = 0;
  int accessor = 0;
};

struct Compressed {
  int view = 0;
  std::vector<Attribute> attributes;
  int indices = -1;  // accessor
};

Compressed read_extension(const tinygltf::Value& extension, const tinygltf::Primitive& primitive,
                          const tinygltf::Model& file, const std::string& element) {
  if (!extension.Has("bufferView") || !extension.Get("bufferView").IsInt() || !extension.Has("attributes") ||
      !extension.Get("attributes").IsObject())
    throw InputError("", element, "has no bufferView or no attributes");
  Compressed c;
  c.view = extension.Get("bufferView").Get<int>();
  require_reference(c.view, file.bufferViews.size(), "buffer view", element);
  for (const auto& [name, id] : extension.Get("attributes").Get<tinygltf::Value::Object>()) {
    const auto attribute = primitive.attributes.find(name);
    if (attribute == primitive.attributes.end() || !id.IsInt())
      throw InputError("", element + " " + name, "is no attribute of the primitive");
    require_reference(attribute->second, file.accessors.size(), "accessor", element + " " + name);
    c.attributes.push_back({name, id.Get<int>(), attribute->second});
  }
  if (primitive.mode != TINYGLTF_MODE_TRIANGLES && primitive.mode != TINYGLTF_MODE_TRIANGLE_STRIP)
    throw InputError("", element, "is not made of triangles");
  c.indices = primitive.indices;
  require_reference(c.indices, file.accessors.size(), "accessor", element + " indices");
  return c;
}

std::string_view compressed_bytes(const tinygltf::Model& file, int view, const std::string& element) {
  const tinygltf::BufferView& v = file.bufferViews[static_cast<std::size_t>(view)];
  require_reference(v.buffer, file.buffers.size(), "buffer", element);
  const std::vector<unsigned char>& data = file.buffers[static_cast<std::size_t>(v.buffer)].data;
  if (v.byteOffset > data.size() || v.byteLength > data.size() - v.byteOffset)
    throw InputError("", element,
                     std::to_string(v.byteLength) + " bytes at " + std::to_string(v.byteOffset) +
                         " do not fit the buffer's " + std::to_string(data.size()));
  return {reinterpret_cast<const char*>(data.data()) + v.byteOffset, v.byteLength};
}

// Bytes of an accessor's elements, tightly packed; throws InputError where they are more than `left`.
std::size_t packed_size(const tinygltf::Accessor& accessor, std::size_t& left, const std::string& element) {
  const std::size_t size = component_size(accessor.componentType) * component_count(accessor.type);
  if (accessor.count > left / size)
    throw InputError("", element,
                     std::to_string(accessor.count) + " elements are more than a mesh of this size can hold");
  left -= accessor.count * size;
  return accessor.count * size;
}

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// All points of an attribute in the accessor's type. Draco converts, and says where a number does not fit.
template <class T>
void append_points(const draco::Mesh& mesh, const draco::PointAttribute& attribute, std::string& bytes,
                   const std::string& element) {
  const auto columns = static_cast<std::int8_t>(attribute.num_components());
  std::vector<T> row(attribute.num_components());
  for (draco::PointIndex point(0); point < mesh.num_points(); ++point) {
    if (!attribute.ConvertValue<T>(attribute.mapped_index(point), columns, row.data()))
      throw InputError("", numbered(element, "vertex", point.value()), "does not fit the accessor's type");
    for (const T value : row) append(bytes, value);
  }
}

void append_attribute(const draco::Mesh& mesh, const tinygltf::Accessor& accessor, int id, std::string& bytes,
                      const std::string& element) {
  const draco::PointAttribute* attribute =
      id < 0 ? nullptr : mesh.GetAttributeByUniqueId(static_cast<std::uint32_t>(id));
  if (attribute == nullptr)
    throw InputError("", element, "attribute " + std::to_string(id) + " is not in the compressed mesh");
  if (attribute->num_components() != component_count(accessor.type))
    throw InputError("", element,
                     "has " + std::to_string(attribute->num_components()) +
                         " components in the compressed mesh, another number in its accessor");
  if (mesh.num_points() != accessor.count)
    throw InputError("", element,
                     std::to_string(mesh.num_points()) + " vertices in the compressed mesh, " +
                         std::to_string(accessor.count) + " in its accessor");
  switch (accessor.componentType) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return append_points<std::int8_t>(mesh, *attribute, bytes, element);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return append_points<std::uint8_t>(mesh, *attribute, bytes, element);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return append_points<std::int16_t>(mesh, *attribute, bytes, element);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return append_points<std::uint16_t>(mesh, *attribute, bytes, element);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return append_points<std::uint32_t>(mesh, *attribute, bytes, element);
    case TINYGLTF_COMPONENT_TYPE_FLOAT:
      return append_points<float>(mesh, *attribute, bytes, element);
    default:
      throw InputError("", element, "component type " + std::to_string(accessor.componentType));
  }
}

// The attributes in their order, then three 32-bit indices per face.
std::string decode(std::string_view bytes, const Compressed& c, const tinygltf::Model& file,
                   const std::string& element) {
  draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  draco::Decoder decoder;
  const auto result = decoder.DecodeMeshFromBuffer(&buffer);
  if (!result.ok())
    throw InputError("", element, "the compressed bytes are damaged: " + result.status().error_msg_string());
  const draco::Mesh& mesh = *result.value();
  std::string decoded;
  for (const Attribute& a : c.attributes)
    append_attribute(mesh, file.accessors[static_cast<std::size_t>(a.accessor)], a.draco_id, decoded,
                     element + " " + a.name);
  const std::size_t indices = file.accessors[static_cast<std::size_t>(c.indices)].count;
  if (3 * static_cast<std::size_t>(mesh.num_faces()) != indices)
    throw InputError("", element + " indices",
                     std::to_string(mesh.num_faces()) + " triangles in the compressed mesh, " +
                         std::to_string(indices) + " indices in their accessor");
  for (draco::FaceIndex f(0); f < mesh.num_faces(); ++f)
    for (const draco::PointIndex& point : mesh.face(f)) append(decoded, point.value());
  return decoded;
}

// The accessor of decoded indices, whatever type the compressed ones are said to have.
tinygltf::Accessor indices_accessor(const tinygltf::Model& file, int index) {
  tinygltf::Accessor accessor = file.accessors[static_cast<std::size_t>(index)];
  accessor.type = TINYGLTF_TYPE_SCALAR;
  accessor.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
  return accessor;
}

// Adds the accessor over `size` bytes at `offset` of a buffer. Returns its index.
int add_accessor(tinygltf::Model& file, tinygltf::Accessor accessor, int buffer, std::size_t offset,
                 std::size_t size) {
  tinygltf::BufferView view;
  view.buffer = buffer;
  view.byteOffset = offset;
  view.byteLength = size;
  accessor.bufferView = static_cast<int>(file.bufferViews.size());
  accessor.byteOffset = 0;
  accessor.sparse.isSparse = false;
  file.bufferViews.push_back(std::move(view));
  file.accessors.push_back(std::move(accessor));
  return static_cast<int>(file.accessors.size()) - 1;
}

void decode_primitive(tinygltf::Model& file, tinygltf::Primitive& primitive, const std::string& element) {
  const Compressed c = read_extension(primitive.extensions.at(kDraco), primitive, file, element);
  const std::string_view bytes = compressed_bytes(file, c.view, element);
  const std::size_t most = kSmallestLimit + kMostDracoPerByte * std::min(bytes.size(), std::size_t{1} << 18);
  std::size_t left = most;
  std::vector<std::size_t> sizes;
  for (const Attribute& a : c.attributes)
    sizes.push_back(
        packed_size(file.accessors[static_cast<std::size_t>(a.accessor)], left, element + " " + a.name));
  sizes.push_back(packed_size(indices_accessor(file, c.indices), left, element + " indices"));

  // Draco's own tables take some 20 times the decoded mesh.
  const std::size_t size = most - left;
  constexpr std::size_t kFrame = 1024;  // what run_isolated() and messages of errors add
  const Limits limits{.memory = (std::size_t{256} << 20) + 40 * size, .answer = size + kFrame, .seconds = 60};
  const std::string decoded = run_isolated([&] { return decode(bytes, c, file, element); }, limits);

  tinygltf::Buffer buffer;
  buffer.name = kDecodedBuffer;
  buffer.data.assign(decoded.begin(), decoded.end());
  const int index = static_cast<int>(file.buffers.size());
  file.buffers.push_back(std::move(buffer));
  std::size_t offset = 0;
  for (std::size_t i = 0; i < c.attributes.size(); ++i) {
    const tinygltf::Accessor& like = file.accessors[static_cast<std::size_t>(c.attributes[i].accessor)];
    primitive.attributes[c.attributes[i].name] = add_accessor(file, like, index, offset, sizes[i]);
    offset += sizes[i];
  }
  primitive.indices = add_accessor(file, indices_accessor(file, c.indices), index, offset, sizes.back());
  primitive.mode = TINYGLTF_MODE_TRIANGLES;
}

}  // namespace

void decode_draco(tinygltf::Model& file) {
  for (std::size_t m = 0; m < file.meshes.size(); ++m)
    for (std::size_t p = 0; p < file.meshes[m].primitives.size(); ++p) {
      tinygltf::Primitive& primitive = file.meshes[m].primitives[p];
      if (primitive.extensions.count(kDraco) == 0 || primitive.attributes.count("JOINTS_0") == 0) continue;
      decode_primitive(file, primitive,
                       "mesh " + std::to_string(m) + " primitive " + std::to_string(p) + " " + kDraco);
    }
}

}  // namespace skinlight::gltf
