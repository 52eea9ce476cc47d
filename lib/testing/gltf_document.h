// glTF files taken apart and put together again, for tests of compressed ones.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/core/random.h"
#include "testing/gltf_file.h"
#include "testing/models_folder.h"

namespace skinlight::gltf_test {

using Json = nlohmann::json;

// A file taken apart: its JSON and its only buffer.
struct Document {
  Json json;
  std::string buffer;

  std::size_t length_of(std::size_t view) const { return json["bufferViews"][view]["byteLength"]; }
  std::string bytes_of(std::size_t view) const {
    return buffer.substr(json["bufferViews"][view].value("byteOffset", std::size_t{0}), length_of(view));
  }
  // Appends bytes at a multiple of four. Returns their offset.
  std::size_t append(std::string_view bytes) {
    buffer.resize((buffer.size() + 3) / 4 * 4);
    buffer += bytes;
    return buffer.size() - bytes.size();
  }
  std::string glb() const {
    Json complete = json;
    complete["buffers"][0] = {{"byteLength", buffer.size()}};
    std::string text = complete.dump(), data = buffer, bytes = "glTF";
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

inline Document take_apart(std::string_view bytes) {
  const tinygltf::Model file = gltf::open(bytes, "");
  EXPECT_EQ(file.buffers.size(), 1u);
  const bool binary = bytes.substr(0, 4) == "glTF";
  std::uint32_t length = 0;
  if (binary) std::memcpy(&length, bytes.data() + 12, sizeof length);
  Document document{Json::parse(binary ? bytes.substr(20, length) : bytes), {}};
  document.buffer.assign(file.buffers[0].data.begin(), file.buffers[0].data.end());
  return document;
}

// Real skinned files where there are any, and the strip.
inline std::vector<std::pair<std::string, std::string>> files() {
  std::vector<std::pair<std::string, std::string>> all{{"strip", strip().glb()}};
  for (const std::string name :
       {"cesium-man/cesium_man.gltf", "fox/Fox.glb", "rigged-simple/rigged_simple.gltf",
        "quaternius-wolf/Wolf.glb", "quaternius-cactus/Cactus.gltf"})
    if (std::filesystem::is_regular_file(test_models::folder() / name))
      all.emplace_back(name, read_file(test_models::folder() / name));
  return all;
}

inline Model read(const Document& document) { return parse_gltf(document.glb(), "", "document"); }

inline void expect_same_model(const Model& a, const Model& b) {
  EXPECT_EQ(a.mesh.p0, b.mesh.p0);
  EXPECT_EQ(a.mesh.n0, b.mesh.n0);
  EXPECT_EQ(a.mesh.uv, b.mesh.uv);
  EXPECT_EQ(a.mesh.bone, b.mesh.bone);
  EXPECT_EQ(a.mesh.weight, b.mesh.weight);
  ASSERT_EQ(a.mesh.faces.size(), b.mesh.faces.size());
  for (std::size_t f = 0; f < a.mesh.faces.size(); ++f) {
    Face face = b.mesh.faces[f];  // encoders may begin a triangle at another corner
    std::rotate(face.begin(), std::find(face.begin(), face.end(), a.mesh.faces[f][0]), face.end());
    ASSERT_EQ(face, a.mesh.faces[f]) << "face " << f;
  }
  ASSERT_EQ(a.skeleton.bone_count(), b.skeleton.bone_count());
  for (int s = 0; s < a.skeleton.bone_count(); ++s)
    for (int c = 0; c < 4; ++c)
      EXPECT_EQ(a.skeleton.inverse_bind[static_cast<std::size_t>(s)][c],
                b.skeleton.inverse_bind[static_cast<std::size_t>(s)][c]);
  ASSERT_EQ(a.clips.size(), b.clips.size());
  for (std::size_t k = 0; k < a.clips.size(); ++k) {
    ASSERT_EQ(a.clips[k].channels.size(), b.clips[k].channels.size());
    for (std::size_t c = 0; c < a.clips[k].channels.size(); ++c)
      EXPECT_EQ(a.clips[k].channels[c].values, b.clips[k].channels[c].values);
  }
}

inline void expect_error(const Document& document, const std::string& element, const std::string& reason) {
  try {
    read(document);
    ADD_FAILURE() << "accepted, expected: " << element << ": " << reason;
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), element) << e.what();
    EXPECT_THAT(e.reason(), testing::HasSubstr(reason));
  }
}

// Damages bytes of the buffer from `first` on, again and again: whatever the bytes, a model or an InputError.
inline void damage_often(const Document& good, std::size_t first, int rounds) {
  Random random(3);
  int kept = 0;
  for (int round = 0; round < rounds; ++round) {
    Document bad = good;
    for (int damage = random.below(3); damage >= 0; --damage)
      bad.buffer[first +
                 static_cast<std::size_t>(random.below(static_cast<int>(bad.buffer.size() - first)))] =
          static_cast<char>(random.below(256));
    try {
      validate(read(bad).mesh);
      ++kept;
    } catch (const InputError& e) {
      EXPECT_FALSE(e.reason().empty());
    }
  }
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, rounds);
}

}  // namespace skinlight::gltf_test
