// What a file holds after Assimp read it, as plain numbers that travel between processes. Nothing in it can
// be trusted: the process that wrote it may have damaged its own memory before it ended.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skinlight::assimp {

using Matrix = std::array<float, 16>;  // by column

struct SceneNode {
  std::string name;
  std::int32_t parent = -1;  // before its children
  Matrix transform{};        // to the parent
  std::vector<std::uint32_t> meshes;
};

struct SceneBone {
  std::string node;
  Matrix offset{};  // mesh -> bone
  std::vector<std::uint32_t> vertices;
  std::vector<float> weights;
};

struct SceneMesh {
  std::string name;
  std::vector<float> position, normal, tangent, bitangent;  // #vertices by 3, or empty
  std::vector<float> uv;                                    // #vertices by 2, or empty; v upwards
  std::vector<std::uint32_t> corners;                       // #triangles by 3
  std::uint32_t other_faces = 0;                            // points and lines
  std::uint32_t morph_targets = 0;
  std::vector<SceneBone> bones;
};

struct SceneKeys {
  std::vector<double> times;  // ticks
  std::vector<float> values;  // 3 or 4 (x, y, z, w) per key
};

struct SceneChannel {
  std::string node;
  SceneKeys translation, rotation, scale;
};

struct SceneClip {
  std::string name;
  double ticks_per_second = 0;  // 0: the file does not tell
  std::vector<SceneChannel> channels;
  std::uint32_t other_channels = 0;  // of meshes and morph targets
};

struct Scene {
  std::vector<SceneNode> nodes;
  std::vector<SceneMesh> meshes;
  std::vector<SceneClip> clips;
};

std::string pack(Scene scene);

// Throws InputError when the bytes end early or go on. Sizes and indices inside are as they come.
Scene unpack(std::string_view bytes);

}  // namespace skinlight::assimp
