// A reader of baked glTF files that shares nothing with the library: for tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace skinlight::test_baked {

using Json = nlohmann::ordered_json;

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string decoded_base64(const std::string& text) {
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) break;
    group = group << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(group >> bits & 255);
    }
  }
  return bytes;
}

using Rows = std::vector<std::vector<double>>;

struct BakedFile {
  Json json;
  std::vector<std::string> buffers;

  explicit BakedFile(const std::filesystem::path& path) {
    const std::string bytes = bytes_of(path);
    const bool binary = bytes.substr(0, 4) == "glTF";
    std::string chunk;
    if (binary) {
      const std::size_t json_size = word(bytes, 12);
      json = Json::parse(bytes.substr(20, json_size));
      if (bytes.size() > 20 + json_size) chunk = bytes.substr(28 + json_size, word(bytes, 20 + json_size));
    } else {
      json = Json::parse(bytes);
    }
    for (const Json& buffer : json["buffers"]) {
      const std::string uri = buffer.value("uri", "");
      std::string data = uri.empty()                   ? chunk
                         : uri.substr(0, 5) == "data:" ? decoded_base64(uri.substr(uri.find(',') + 1))
                                                       : bytes_of(path.parent_path() / uri);
      data.resize(buffer["byteLength"]);
      buffers.push_back(std::move(data));
    }
  }

  const Json& attributes(std::size_t mesh, std::size_t primitive) const {
    return json["meshes"][mesh]["primitives"][primitive]["attributes"];
  }

  // An attribute's rows as a vertex shader gets them; no sparse accessors.
  Rows attribute(std::size_t mesh, std::size_t primitive, const std::string& name) const {
    return accessor(attributes(mesh, primitive).at(name).get<std::size_t>());
  }

  Rows accessor(std::size_t index) const {
    const Json& a = json["accessors"][index];
    const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    const std::string type = a["type"];
    const std::size_t columns = type == "SCALAR" ? 1 : static_cast<std::size_t>(type.back() - '0');
    const int component = a["componentType"];
    const std::size_t width = component == 5126 || component == 5125 ? 4 : component >= 5122 ? 2 : 1;
    const std::size_t stride = view.value("byteStride", columns * width);
    const std::string& data = buffers[view["buffer"].get<std::size_t>()];
    const std::size_t start =
        view.value("byteOffset", std::size_t{0}) + a.value("byteOffset", std::size_t{0});
    Rows rows;
    for (std::size_t r = 0; r < a["count"].get<std::size_t>(); ++r) {
      rows.emplace_back();
      for (std::size_t c = 0; c < columns; ++c)
        rows.back().push_back(
            number(data.data() + start + r * stride + c * width, component, a.value("normalized", false)));
    }
    return rows;
  }

 private:
  static std::uint32_t word(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  template <class T>
  static double as(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  }
  static double number(const char* at, int component, bool normalized) {
    switch (component) {
      case 5120:
        return as<std::int8_t>(at) / (normalized ? 127.0 : 1.0);
      case 5121:
        return as<std::uint8_t>(at) / (normalized ? 255.0 : 1.0);
      case 5122:
        return as<std::int16_t>(at) / (normalized ? 32767.0 : 1.0);
      case 5123:
        return as<std::uint16_t>(at) / (normalized ? 65535.0 : 1.0);
      case 5125:
        return as<std::uint32_t>(at);
      default:
        return as<float>(at);
    }
  }
};

}  // namespace skinlight::test_baked
