// The strip of gltf_file.h as FBX, in text and in binary: two columns of four vertices, bone "lower" at the
// origin, "upper" at y = 1, which turns by 90 degrees about z within 1 s.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_element.h"

namespace skinlight::fbx_test {

template <class T>
std::string list(const std::vector<T>& values) {
  std::string text;
  for (const T& v : values) {
    if (!text.empty()) text += ',';
    if constexpr (std::is_same_v<T, double>) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.17g", v);
      text += digits;
    } else {
      text += std::to_string(v);
    }
  }
  return text;
}

template <class T>
std::string array(const std::string& name, const std::vector<T>& values) {
  return name + ": *" + std::to_string(values.size()) + " {\n a: " + list(values) + "\n}\n";
}

inline std::string property(const std::string& name, const std::vector<double>& values) {
  return " P: \"" + name + "\", \"\", \"\", \"A\"," + list(values) + "\n";
}

constexpr std::int64_t kSecond = 46186158000;  // ticks

// A curve of keys at times in seconds; flags and data as the SDK names them.
inline std::string curve(std::int64_t id, const std::vector<double>& seconds,
                         const std::vector<double>& values, std::int64_t flags = 4) {
  std::vector<std::int64_t> ticks;
  for (const double s : seconds) ticks.push_back(static_cast<std::int64_t>(s * static_cast<double>(kSecond)));
  return "AnimationCurve: " + std::to_string(id) + ", \"AnimCurve::\", \"\" {\n" + array("KeyTime", ticks) +
         array("KeyValueFloat", values) + array<std::int64_t>("KeyAttrFlags", {flags}) +
         array<std::int64_t>("KeyAttrDataFloat", {0, 0, 218434821, 0}) +
         array<std::int64_t>("KeyAttrRefCount", {static_cast<std::int64_t>(seconds.size())}) + "}\n";
}

inline std::string connect(std::int64_t child, std::int64_t parent, const std::string& property_name = "") {
  return " C: \"" + std::string(property_name.empty() ? "OO" : "OP") + "\"," + std::to_string(child) + "," +
         std::to_string(parent) + (property_name.empty() ? "" : ", \"" + property_name + "\"") + "\n";
}

inline std::vector<double> matrix(double x, double y, double z) {
  return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1};
}

// A test may change a part before it asks for the text.
struct Strip {
  std::string version = "7400", application = "a test", settings;
  std::string polygons = "0,1,-3,2,1,-4,2,3,-5,4,3,-6,4,5,-7,6,5,-8";
  std::string layers;  // further layer elements of the geometry
  std::string body, lower, upper = property("Lcl Translation", {0, 1, 0});  // Properties70 of the Models
  std::string body_name = "body", upper_name = "upper";
  std::string skin, lower_cluster, upper_cluster;  // further elements of the deformers
  std::vector<double> lower_link = matrix(0, 0, 0), upper_link = matrix(0, 1, 0);
  std::vector<double> lower_transform = matrix(0, 0, 0), upper_transform = matrix(0, -1, 0);
  std::vector<double> lower_weights = {1, 1, .75, .75, .5, .5, .25, .25},
                      upper_weights = {0, 0, .25, .25, .5, .5, .75, .75};
  std::string range = property("LocalStop", {static_cast<double>(kSecond)});
  std::string turn = curve(63, {0, 1}, {0, 90});  // of "upper" about z
  std::string objects, connections;               // further ones

  static constexpr int kGeometry = 10, kBody = 20, kLower = 21, kUpper = 22, kSkin = 30, kStack = 50,
                       kLayer = 51, kTurn = 60;

  std::string text() const {
    std::vector<double> position, normal, uv;
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 2; ++column) {
        position.insert(position.end(), {1.0 * column, 1.0 * row, 0});
        normal.insert(normal.end(), {0, 0, 1});
        uv.insert(uv.end(), {1.0 * column, 1 - row / 4.0});
      }
    const auto layer = [](const std::string& name, const std::string& arrays) {
      return "LayerElement" + name +
             ": 0 {\n MappingInformationType: \"ByVertice\"\n ReferenceInformationType: \"Direct\"\n" +
             arrays + "}\n";
    };
    const auto model = [](int id, const std::string& name, const std::string& type,
                          const std::string& properties) {
      return "Model: " + std::to_string(id) + ", \"Model::" + name + "\", \"" + type +
             "\" {\n Properties70:  {\n" + properties + " }\n}\n";
    };
    const auto cluster = [](int id, const std::vector<double>& weights, const std::vector<double>& transform,
                            const std::vector<double>& link, const std::string& more) {
      return "Deformer: " + std::to_string(id) + ", \"SubDeformer::\", \"Cluster\" {\n" + more +
             array<std::int64_t>("Indexes", {0, 1, 2, 3, 4, 5, 6, 7}) + array("Weights", weights) +
             (transform.empty() ? "" : array("Transform", transform)) +
             (link.empty() ? "" : array("TransformLink", link)) + "}\n";
    };
    return "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n FBXVersion: " + version +
           "\n SceneInfo: \"SceneInfo::GlobalInfo\", \"UserData\" {\n  Properties70:  {\n   P: "
           "\"Original|ApplicationName\", \"KString\", \"\", \"\", \"" +
           application + "\"\n  }\n }\n}\nGlobalSettings:  {\n Properties70:  {\n" + settings +
           " }\n}\nDefinitions:  {\n ObjectType: \"Model\" {\n  PropertyTemplate: \"FbxNode\" {\n   Properties70:  {\n" +
           property("InheritType", {1}) + property("Lcl Scaling", {1, 1, 1}) +
           "   }\n  }\n }\n}\nObjects:  {\n" + "Geometry: 10, \"Geometry::\", \"Mesh\" {\n" +
           array("Vertices", position) + "PolygonVertexIndex: *" +
           std::to_string(1 + std::count(polygons.begin(), polygons.end(), ',')) + " {\n a: " + polygons +
           "\n}\n" + layer("Normal", array("Normals", normal)) + layer("UV", array("UV", uv)) + layers +
           "}\n" + model(kBody, body_name, "Mesh", body) + model(kLower, "lower", "LimbNode", lower) +
           model(kUpper, upper_name, "LimbNode", upper) + "Deformer: 30, \"Deformer::\", \"Skin\" {\n" +
           skin + "}\n" + cluster(31, lower_weights, lower_transform, lower_link, lower_cluster) +
           cluster(32, upper_weights, upper_transform, upper_link, upper_cluster) +
           "AnimationStack: 50, \"AnimStack::bend\", \"\" {\n Properties70:  {\n" + range +
           " }\n}\nAnimationLayer: 51, \"AnimLayer::\", \"\" {\n}\n"
           "AnimationCurveNode: 60, \"AnimCurveNode::R\", \"\" {\n}\n" +
           turn + objects + "}\nConnections:  {\n" + connect(kBody, 0) + connect(kLower, 0) +
           connect(kUpper, kLower) + connect(kGeometry, kBody) + connect(kSkin, kGeometry) +
           connect(31, kSkin) + connect(32, kSkin) + connect(kLower, 31) + connect(kUpper, 32) +
           connect(kLayer, kStack) + connect(kTurn, kLayer) + connect(kTurn, kUpper, "Lcl Rotation") +
           connect(63, kTurn, "d|Z") + connections + "}\n";
  }
};

// A binary file of the same elements. Arrays are deflated where `deflates`.
class BinaryWriter {
 public:
  BinaryWriter(std::uint32_t version, bool deflates) : is_wide_(version >= 7500), deflates_(deflates) {
    bytes_.assign("Kaydara FBX Binary  \0\x1a\0", 23);
    number(version);
  }

  std::string write(const fbx::Element& root) {
    for (const fbx::Element& child : root.children) element(child);
    bytes_.append(is_wide_ ? 25 : 13, '\0');
    return bytes_ + std::string(160, '\x5a');  // where the footer of real files stands
  }

 private:
  template <class T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void offset(std::size_t value) {
    if (is_wide_)
      number(static_cast<std::uint64_t>(value));
    else
      number(static_cast<std::uint32_t>(value));
  }
  void set_offset(std::size_t at, std::size_t value) { std::memcpy(&bytes_[at], &value, is_wide_ ? 8 : 4); }

  void element(const fbx::Element& from) {
    const std::size_t start = bytes_.size(), width = is_wide_ ? 8 : 4;
    offset(0);
    offset(from.values.size());
    offset(0);
    number(static_cast<std::uint8_t>(from.name.size()));
    bytes_ += from.name;
    const std::size_t values = bytes_.size();
    for (const fbx::Value& v : from.values)
      if (const auto* bits = std::get_if<std::vector<std::int64_t>>(&v);
          bits && from.name == "KeyAttrDataFloat")
        numbers('f', floats_of(*bits));
      else
        std::visit([&](const auto& held) { value(held); }, v);
    set_offset(start + 2 * width, bytes_.size() - values);
    for (const fbx::Element& child : from.children) element(child);
    if (!from.children.empty()) bytes_.append(is_wide_ ? 25 : 13, '\0');
    set_offset(start, bytes_.size());
  }

  void value(std::int64_t v) {
    bytes_ += 'L';
    number(v);
  }
  void value(double v) {
    bytes_ += 'D';
    number(v);
  }
  // Binary files write names before their class.
  void value(const std::string& v) {
    const std::size_t colons = v.find("::");
    const std::string text =
        colons == std::string::npos ? v : v.substr(colons + 2) + std::string("\0\1", 2) + v.substr(0, colons);
    bytes_ += 'S';
    number(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  void value(const std::vector<std::int64_t>& v) { numbers('l', v); }
  void value(const std::vector<double>& v) { numbers('d', v); }

  static std::vector<float> floats_of(const std::vector<std::int64_t>& bits) {
    std::vector<float> floats;
    for (const std::int64_t b : bits) floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(b)));
    return floats;
  }

  template <class T>
  void numbers(char type, const std::vector<T>& v) {
    bytes_ += type;
    number(static_cast<std::uint32_t>(v.size()));
    number(static_cast<std::uint32_t>(deflates_));
    std::string data(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
    if (deflates_) {
      uLongf size = compressBound(static_cast<uLong>(data.size()));
      std::string packed(size, '\0');
      compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
               static_cast<uLong>(data.size()));
      packed.resize(size);
      data = packed;
    }
    number(static_cast<std::uint32_t>(data.size()));
    bytes_ += data;
  }

  std::string bytes_;
  bool is_wide_, deflates_;
};

// The binary file of a text.
inline std::string binary(const std::string& text, std::uint32_t version = 7400, bool deflates = true) {
  return BinaryWriter(version, deflates).write(fbx::parse_text(text).root);
}

}  // namespace skinlight::fbx_test
