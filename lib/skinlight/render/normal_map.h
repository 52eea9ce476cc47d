// Tangent-space normal maps [TPS14 Sec. 2]: RGB8, as files and games have them.
#pragma once

#include <functional>

#include "skinlight/core/glsl.h"
#include "skinlight/render/image.h"

namespace skinlight {

// Texel (x, y) holds the normal at uv = ((x + 0.5) / width, (y + 0.5) / height), as glTF orders them: v runs
// down the rows. A component c of the normal is stored as the byte nearest to 255 (c + 1) / 2, and that along the
// bitangent with the other sign: maps have +Y upwards in the picture. normal: uv -> unit vector in (t0, b0, n0), b0
// along rising v.
Image8 make_normal_map(int width, int height, const std::function<Vec3d(Vec2d)>& normal);

}  // namespace skinlight
