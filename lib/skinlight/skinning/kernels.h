// The kernels of shaders/kernels/ as C++: one text per formula, over any scalar.
//
//   using K = Kernels<double, 4>;
//   K::PosedVertex v = K().lbs_deform(influences, factors, rest);
//
// Scalars: float and double; Dual (derivatives), Counted (operation counts), Pack (SIMD lanes).
#pragma once

#include "skinlight/core/glsl.h"

namespace skinlight {

template <class Scalar, int Influences_>
struct Kernels {
  using real = Scalar;
  using boolean = decltype(real() < real());
  using vec3 = Vec3<real>;
  using mat3 = Mat3<real>;
  using mat4x3 = Mat4x3<real>;
  static constexpr int INFLUENCES = Influences_;

  // In the order of use.
  // clang-format off
#include "kernels/affine.glsl"
#include "kernels/vertex.glsl"
#include "kernels/morph.glsl"
#include "kernels/guards.glsl"
#include "kernels/lbs.glsl"
#include "kernels/deform_vectors.glsl"
#include "kernels/quaternion.glsl"
#include "kernels/turned.glsl"
#include "kernels/dqs.glsl"
#include "kernels/crs.glsl"
#include "kernels/sbs.glsl"
#include "kernels/log.glsl"
  // clang-format on
};

}  // namespace skinlight
