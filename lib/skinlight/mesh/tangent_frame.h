// Tangent frames (t0, b0) of the rest surface, both orthogonal to n0 [TPS14 Eq. 9].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/mesh/surface.h"

namespace skinlight {

// Where a vertex's frame came from. The normal does not depend on it; a tangent-space normal map does.
enum class FrameSource : std::uint8_t { file, uv, arbitrary };

enum class TangentConvention {
  orthonormal,  // b0 = handedness n0 x t0, as glTF and MikkTSpace do; the default
  uv,           // b0 along dp/dv projected to the tangent plane: the paper's Eq. 9
};

struct TangentFrames {
  std::vector<Vec3d> t0, b0;        // #V by 3, unit
  std::vector<double> handedness;   // #V: +1 or -1, sign of (t0 x b0) . n0
  std::vector<FrameSource> source;  // #V
};

// Frames along the uv mapping where it has one, else any frame of n0 (recorded as arbitrary).
// faces: #F by 3; p, n0: #V by 3, n0 unit; uv: #V or empty; group: #V, vertices with one group share their
// frame (welded by position, normal and uv, so that unindexed files get smooth frames too).
TangentFrames tangent_frames(std::span<const Face> faces, std::span<const Vec3d> p, std::span<const Vec3d> n0,
                             std::span<const Vec2d> uv, std::span<const int> group,
                             TangentConvention convention);

// A unit vector orthogonal to the unit vector n (Duff et al. 2017), without branches that flip at poles.
Vec3d any_tangent(Vec3d n);

}  // namespace skinlight
