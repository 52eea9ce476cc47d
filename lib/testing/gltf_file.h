// Small glTF files for the tests: a valid skinned strip of which a test changes one thing.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/core/file.h"
#include "skinlight/rig/model.h"

namespace skinlight::gltf_test {

constexpr int kI8 = 5120, kU8 = 5121, kI16 = 5122, kU16 = 5123, kU32 = 5125, kFloat = 5126;

// Appends one number in a component type's little-endian encoding.
inline void append_number(std::string& bytes, int component_type, double value) {
  const auto append = [&](auto number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  if (component_type == kI8) append(static_cast<std::int8_t>(value));
  if (component_type == kI16) append(static_cast<std::int16_t>(value));
  if (component_type == kU8) append(static_cast<std::uint8_t>(value));
  if (component_type == kU16) append(static_cast<std::uint16_t>(value));
  if (component_type == kU32) append(static_cast<std::uint32_t>(value));
  if (component_type == kFloat) append(static_cast<float>(value));
}

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

inline std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",\n    ") + part;
  return "[\n    " + text + "\n  ]";
}

// The parts of a glTF file as JSON text, with one buffer.
struct File {
  std::string buffer;
  std::vector<std::string> views, accessors, nodes, primitives, skins, animations;
  std::string extra;  // further top-level properties, each followed by a comma

  // An accessor over a buffer view of its own. Returns its index as text.
  std::string add(const std::string& type, int component_type, const std::vector<double>& values,
                  bool normalized = false) {
    const int columns = type == "SCALAR" ? 1 : type == "MAT4" ? 16 : type.back() - '0';
    const std::string count = std::to_string(values.size() / static_cast<std::size_t>(columns));
    buffer.resize((buffer.size() + 3) / 4 * 4);
    const std::size_t start = buffer.size();
    for (const double value : values) append_number(buffer, component_type, value);
    views.push_back(R"({"buffer": 0, "byteOffset": )" + std::to_string(start) + R"(, "byteLength": )" +
                    std::to_string(buffer.size() - start) + "}");
    accessors.push_back(R"({"bufferView": )" + std::to_string(views.size() - 1) + R"(, "componentType": )" +
                        std::to_string(component_type) + R"(, "type": ")" + type + R"(", "count": )" + count +
                        (normalized ? R"(, "normalized": true})" : "}"));
    return std::to_string(accessors.size() - 1);
  }

  // `uri`: the buffer's property, as "uri": "strip.bin", followed by a comma; empty inside .glb.
  std::string json(const std::string& uri) const {
    return "{\n  \"asset\": {\"version\": \"2.0\"},\n  " + extra + "\"nodes\": " + join(nodes) +
           ",\n  \"meshes\": [{\"primitives\": " + join(primitives) + "}],\n  \"skins\": " + join(skins) +
           ",\n  \"animations\": " + join(animations) + ",\n  \"accessors\": " + join(accessors) +
           ",\n  \"bufferViews\": " + join(views) + ",\n  \"buffers\": [{" + uri +
           "\"byteLength\": " + std::to_string(buffer.size()) + "}]\n}\n";
  }
  std::string gltf() const {
    return json(R"("uri": "data:application/octet-stream;base64,)" + base64(buffer) + R"(", )");
  }
  std::string glb() const {
    std::string text = json(""), data = buffer, bytes = "glTF";
    text.resize((text.size() + 3) / 4 * 4, ' ');
    data.resize((data.size() + 3) / 4 * 4);
    append_number(bytes, kU32, 2);
    append_number(bytes, kU32, static_cast<double>(12 + 8 + text.size() + 8 + data.size()));
    append_number(bytes, kU32, static_cast<double>(text.size()));
    bytes += "JSON" + text;
    append_number(bytes, kU32, static_cast<double>(data.size()));
    return bytes + std::string("BIN\0", 4) + data;
  }
};

// Two columns of four vertices, one unit apart, facing +z. Bone 0 stands at the origin, bone 1 at y = 1;
// weights go from bone 0 to bone 1 upwards. The clip "bend" turns bone 1 by 90 degrees about z within 1 s.
// Accessors in this order: 0 POSITION, 1 NORMAL, 2 TEXCOORD_0, 3 JOINTS_0, 4 WEIGHTS_0, 5 indices, 6 inverse
// bind, 7 times, 8 rotations.
inline File strip() {
  File file;
  std::vector<double> position, normal, uv, joints, weights, indices;
  const auto append = [](std::vector<double>& to, std::initializer_list<double> values) {
    to.insert(to.end(), values);
  };
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 2; ++column) {
      append(position, {1.0 * column, 1.0 * row, 0});
      append(normal, {0, 0, 1});
      append(uv, {1.0 * column, row / 4.0});
      append(joints, {0, 1, 0, 0});
      append(weights, {1 - row / 4.0, row / 4.0, 0, 0});
    }
  for (int row = 0; row < 3; ++row) {
    const double a = 2 * row;
    append(indices, {a, a + 1, a + 2, a + 2, a + 1, a + 3});
  }
  file.add("VEC3", kFloat, position);
  file.add("VEC3", kFloat, normal);
  file.add("VEC2", kFloat, uv);
  file.add("VEC4", kU8, joints);
  file.add("VEC4", kFloat, weights);
  file.add("SCALAR", kU16, indices);
  file.add("MAT4", kFloat, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,  //
                            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1});
  file.add("SCALAR", kFloat, {0, 1});
  file.add("VEC4", kFloat, {0, 0, 0, 1, 0, 0, std::sqrt(.5), std::sqrt(.5)});
  file.nodes = {R"({"mesh": 0, "skin": 0})", R"({"name": "lower", "children": [2]})",
                R"({"name": "upper", "translation": [0, 1, 0]})"};
  file.primitives = {
      R"({"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "JOINTS_0": 3, "WEIGHTS_0": 4}, "indices": 5})"};
  file.skins = {R"({"joints": [1, 2], "inverseBindMatrices": 6})"};
  file.animations = {
      R"({"name": "bend", "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}],)"
      R"( "samplers": [{"input": 7, "output": 8}]})"};
  return file;
}

// The text with its only occurrence of `from` replaced; "" when there is not exactly one (the test is then
// wrong).
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos) return "";
  return text.replace(at, from.size(), to);
}

// A folder for one test's files, removed with it.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("skinlight_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    write_file(path_ / name, bytes);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

// p = sum w M p0, the plain definition.
inline std::vector<Vec3d> posed(const RiggedMesh& mesh, const Pose& pose) {
  std::vector<Vec3d> p;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Vec3d sum(0.0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      sum += mesh.weights_of(v)[k] * transform_point(pose.M[static_cast<std::size_t>(mesh.bones_of(v)[k])],
                                                     mesh.p0[static_cast<std::size_t>(v)]);
    p.push_back(sum);
  }
  return p;
}

inline int count_of(const std::vector<Warning>& warnings, const std::string& reason_part) {
  int count = 0;
  for (const Warning& w : warnings)
    if (w.reason.find(reason_part) != std::string::npos) count += w.count;
  return count;
}

inline int count_of(const Model& model, const std::string& reason_part) {
  return count_of(model.warnings, reason_part);
}

}  // namespace skinlight::gltf_test
