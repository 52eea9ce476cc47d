// The numbers of the binary container [glTF 2.0, section 4].
#pragma once

#include <cstddef>
#include <cstdint>

namespace skinlight::gltf {

inline constexpr std::size_t kGlbHeader = 12, kChunkHeader = 8;  // bytes
inline constexpr std::uint32_t kJsonChunk = 0x4e4f534a, kBinChunk = 0x004e4942;

}  // namespace skinlight::gltf
