#include "skinlight/render/normal_map.h"

#include <cmath>

namespace skinlight {

Image8 make_normal_map(int width, int height, const std::function<Vec3d(Vec2d)>& normal) {
  Image8 map(width, height, {0, 0, 0});
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      Vec3d n = normal({(x + 0.5) / width, (y + 0.5) / height});
      n.y = -n.y;
      for (int c = 0; c < 3; ++c)
        map.at(x, y)[c] =
            static_cast<std::uint8_t>(std::lround(255 * std::fmin(std::fmax((n[c] + 1) / 2, 0.0), 1.0)));
    }
  return map;
}

}  // namespace skinlight
