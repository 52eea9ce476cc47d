// Compiled with -mavx2 -mfma (CMakeLists.txt), so Eigen gets a namespace of its own here: the linker must not take its
// functions for those of the rest of the program.
#include "skinlight/skinning/detail/palette_avx2_bench.h"

#define Eigen EigenOfAvx2
#include <Eigen/Core>

namespace skinlight::bench {

void pose_avx2(Palette& palette) {
  using Map = Eigen::Map<const Eigen::Vector3f>;
  using To = Eigen::Map<Eigen::Vector3f>;
  const std::size_t count = palette.p0.size() / 3;
  for (std::size_t v = 0; v < count; ++v) {
    Eigen::Matrix4f T = Eigen::Matrix4f::Zero();
    for (std::size_t k = 4 * v; k < 4 * v + 4; ++k)
      T += palette.weight[k] * Eigen::Map<const Eigen::Matrix4f>(
                                   &palette.matrices[16 * static_cast<std::size_t>(palette.bone[k])]);
    To(&palette.p[3 * v]) = T.topLeftCorner<3, 3>() * Map(&palette.p0[3 * v]) + T.topRightCorner<3, 1>();
    To(&palette.n[3 * v]) = T.topLeftCorner<3, 3>() * Map(&palette.n0[3 * v]);
    To(&palette.t[3 * v]) = T.topLeftCorner<3, 3>() * Map(&palette.t0[3 * v]);
  }
}

}  // namespace skinlight::bench
