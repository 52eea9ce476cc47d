#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/detail/gltf_mesh.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/core/error.h"

namespace skinlight::gltf {

namespace {

constexpr const char* kOfCorners = "corners of triangles";

template <class T>
void append(std::vector<unsigned char>& bytes, T value) {
  const auto* from = reinterpret_cast<const unsigned char*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof value);
}

// The inverse of what Accessors do.
void append_number(std::vector<unsigned char>& bytes, int component_type, bool normalized, double value) {
  const auto integer = [&](double largest) { return std::lround(normalized ? value * largest : value); };
  switch (component_type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return append(bytes, static_cast<std::int8_t>(integer(127)));
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return append(bytes, static_cast<std::uint8_t>(integer(255)));
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return append(bytes, static_cast<std::int16_t>(integer(32767)));
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return append(bytes, static_cast<std::uint16_t>(integer(65535)));
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return append(bytes, static_cast<std::uint32_t>(value));
    default:
      return append(bytes, static_cast<float>(value));
  }
}

// The planes of the faces around the vertices of one POSITION, which several primitives may index.
struct Planes {
  std::vector<Vec3d> first;
  std::vector<char> several;
};

void add(Planes& planes, const Table& position, const std::vector<Face>& faces) {
  constexpr double kOnePlane = 1e-3;  // radians: what rounding leaves of the triangles of one polygon
  planes.first.resize(position.rows, Vec3d(0.0));
  planes.several.resize(position.rows, 0);
  for (const Face& face : faces) {
    const auto p = [&](std::size_t c) {
      const auto row = position.row(at(face[c]));
      return Vec3d(row[0], row[1], row[2]);
    };
    const Vec3d area = cross(p(1) - p(0), p(2) - p(0));
    if (!(length(area) > 0) || !std::isfinite(length(area))) continue;
    const Vec3d n = area / length(area);
    for (const int v : face) {
      Vec3d& first = planes.first[at(v)];
      if (first == Vec3d(0.0)) first = n;
      if (length(cross(first, n)) > kOnePlane || dot(first, n) < 0) planes.several[at(v)] = 1;
    }
  }
}

class Splitter {
 public:
  explicit Splitter(tinygltf::Model& file) : file_(file), accessors_(file) {}

  void look_at(const tinygltf::Primitive& primitive, const std::string& element) {
    const int index = primitive.attributes.at("POSITION");
    const Table position = accessors_.read(index, kVec3, element + " POSITION");
    add(planes_[index], position, faces_of(primitive, position.rows, element));
  }

  // Of primitives that were all looked at.
  void split(tinygltf::Primitive& primitive, const std::string& element) {
    const std::vector<char>& several = planes_[primitive.attributes.at("POSITION")].several;
    const std::vector<Face> faces = faces_of(primitive, several.size(), element);
    corners_.clear();
    for (const Face& face : faces) corners_.insert(corners_.end(), face.begin(), face.end());
    if (std::none_of(corners_.begin(), corners_.end(), [&](int v) { return several[at(v)] != 0; })) return;

    gather(primitive.attributes, element);
    for (auto& target : primitive.targets) gather(target, element + " target");
    primitive.indices = -1;
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
  }

 private:
  // None where an index is out of range: reading the primitive tells of that.
  std::vector<Face> faces_of(const tinygltf::Primitive& primitive, std::size_t vertices,
                             const std::string& element) {
    std::vector<double> indices;
    if (primitive.indices != -1)
      indices = accessors_.read(primitive.indices, kVertexData, element + " indices").values;
    else
      for (std::size_t v = 0; v < vertices; ++v) indices.push_back(static_cast<double>(v));
    if (std::any_of(indices.begin(), indices.end(),
                    [&](double i) { return !(i >= 0 && i < static_cast<double>(vertices)); }))
      return {};
    std::vector<Face> faces = triangles(primitive.mode, indices.size(), element);
    for (Face& face : faces)
      for (int& corner : face) corner = static_cast<int>(indices[at(corner)]);
    return faces;
  }

  // Points the attributes to accessors of the corners.
  void gather(std::map<std::string, int>& attributes, const std::string& element) {
    for (auto& [name, index] : attributes) {
      const Table table = accessors_.read(index, kVertexData, element + " " + name);
      accessors_.charge(corners_.size(), table.columns, element + " " + name);
      if (std::any_of(corners_.begin(), corners_.end(), [&](int v) { return at(v) >= table.rows; }))
        throw InputError("", element + " " + name,
                         std::to_string(table.rows) + " elements are less than its vertices");
      const tinygltf::Accessor& from = file_.accessors[at(index)];
      tinygltf::Accessor to;
      to.name = kOfCorners;
      to.componentType = from.componentType;
      to.normalized = from.normalized;
      to.type = from.type;
      to.count = corners_.size();
      tinygltf::Buffer buffer;
      buffer.name = kDecodedBuffer;
      for (const int v : corners_)
        for (std::size_t c = 0; c < table.columns; ++c)
          append_number(buffer.data, to.componentType, to.normalized, table.row(at(v))[c]);
      tinygltf::BufferView view;
      view.buffer = static_cast<int>(file_.buffers.size());
      view.byteLength = buffer.data.size();
      to.bufferView = static_cast<int>(file_.bufferViews.size());
      index = static_cast<int>(file_.accessors.size());
      file_.buffers.push_back(std::move(buffer));
      file_.bufferViews.push_back(std::move(view));
      file_.accessors.push_back(std::move(to));
    }
  }

  tinygltf::Model& file_;
  Accessors accessors_;
  std::map<int, Planes> planes_;  // by accessor of POSITION
  std::vector<int> corners_;      // vertices of the primitive at hand
};

}  // namespace

void split_planes(tinygltf::Model& file) {
  Splitter splitter(file);
  const auto for_each = [&](auto visit) {
    for (std::size_t m = 0; m < file.meshes.size(); ++m)
      for (std::size_t p = 0; p < file.meshes[m].primitives.size(); ++p) {
        tinygltf::Primitive& primitive = file.meshes[m].primitives[p];
        const auto has = [&](const char* attribute) { return primitive.attributes.count(attribute) != 0; };
        if (!has("NORMAL") && has("POSITION") && has("JOINTS_0") &&
            primitive.mode >= TINYGLTF_MODE_TRIANGLES && primitive.mode <= TINYGLTF_MODE_TRIANGLE_FAN)
          visit(primitive, "mesh " + std::to_string(m) + " primitive " + std::to_string(p));
      }
  };
  for_each([&](const tinygltf::Primitive& primitive, const std::string& element) {
    splitter.look_at(primitive, element);
  });
  for_each([&](tinygltf::Primitive& primitive, const std::string& element) {
    splitter.split(primitive, element);
  });
}

bool is_split(const tinygltf::Model& file, const tinygltf::Primitive& primitive) {
  const auto position = primitive.attributes.find("POSITION");
  if (position == primitive.attributes.end()) return false;
  const tinygltf::Accessor* const accessor = named(file.accessors, position->second);
  if (accessor == nullptr || accessor->name != kOfCorners) return false;
  const tinygltf::BufferView* const view = named(file.bufferViews, accessor->bufferView);
  const tinygltf::Buffer* const buffer = view == nullptr ? nullptr : named(file.buffers, view->buffer);
  return buffer != nullptr && buffer->name == kDecodedBuffer;
}

}  // namespace skinlight::gltf
