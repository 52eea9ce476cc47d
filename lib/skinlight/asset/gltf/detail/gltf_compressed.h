// What extensions compress, and what flat normals need, is decoded into buffers of the opened file, so that all else sees
// plain accessors.
#pragma once

#include <tiny_gltf.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace skinlight::gltf {

inline constexpr const char* kDraco = "KHR_draco_mesh_compression";
inline constexpr const char* kMeshopt = "EXT_meshopt_compression";
inline constexpr const char* kKhrMeshopt = "KHR_meshopt_compression";
inline constexpr const char* kAnimationPointer = "KHR_animation_pointer";

// The name of buffers that hold what was decoded.
inline constexpr const char* kDecodedBuffer = "decoded by skinlight";

// Points every buffer view with EXT_meshopt_compression or KHR_meshopt_compression to its decoded bytes. Throws InputError naming the
// buffer view: contradictory or damaged, of a version or filter that only the latter has, or larger than its bytes can encode.
void decode_meshopt(tinygltf::Model& file);

// Three things that extensions allow are refused by tinygltf: buffers without data, as fallback for readers without
// meshopt compression; indices without a buffer view, of primitives that Draco compressed; and channels of animations that
// name what they animate by KHR_animation_pointer. Returns the JSON with one byte of data in the first, some buffer view
// for the second and nodes for the third, or "" when there is nothing of that kind. The JSON need not be sound.
std::string amended_json(std::string_view json);

// Buffers may be longer than their byteLength, and a + in their URIs stands for itself, which tinygltf refuses too. The JSON
// with the length of what each buffer's URI names, in `folder` or itself, and the URIs as tinygltf takes them, and what the
// file says of all lengths; without JSON when nothing of that is otherwise.
struct WholeBuffers {
  std::string json;
  std::vector<std::size_t> lengths;
};
WholeBuffers with_whole_buffers(std::string_view json, const std::filesystem::path& folder);

// Gives every skinned primitive with KHR_draco_mesh_compression accessors over its decoded attributes and
// indices. Draco runs in a process of its own: damaged data can crash it. Throws InputError naming the
// primitive: contradictory or damaged, or larger than its bytes can encode.
void decode_draco(tinygltf::Model& file);

// Gives every skinned primitive of triangles that has no NORMAL, and vertices in which several planes meet, a vertex per
// corner, morph targets included: then every vertex has a flat normal. Throws InputError as reading the primitive does.
void split_planes(tinygltf::Model& file);

// Whether split_planes() did that to the primitive.
bool is_split(const tinygltf::Model& file, const tinygltf::Primitive& primitive);

}  // namespace skinlight::gltf
