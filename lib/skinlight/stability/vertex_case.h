// One vertex and all that any kernel may be given for it, in float, as it reaches a graphics processor. Kernels in
// other arithmetic, and the truth, start from these same floats.
#pragma once

#include <cstdint>

#include "skinlight/core/glsl.h"

namespace skinlight::stability {

inline constexpr int kMaxCaseSlots = 16;

// A rigid motion as a unit dual quaternion r + eps d, its scalar parts last.
template <class Float>
struct CaseMotion {
  Float r[4], d[4];
};

// Weights, factors and gradients are multiples of a power of two, so that they sum to 1, to 0 and to 0 without
// rounding: then what slot 0 holds is beyond doubt, and formulas that use it differently have one truth. Float: of one
// case, or of several side by side.
template <class Float>
struct BasicVertexCase {
  std::uint64_t seed = 0;  // of what runs the case at random
  int slots = 4;           // 4, 8 or 16
  Float weight[kMaxCaseSlots], smooth_weight[kMaxCaseSlots];
  Float alpha[kMaxCaseSlots], beta[kMaxCaseSlots];  // 1 / length
  Vec3<Float> gradient[kMaxCaseSlots];              // 1 / length
  Vec3<Float> vector_t[kMaxCaseSlots],
      vector_b[kMaxCaseSlots];              // deform vectors; their last components are alpha, beta
  Mat4x3<Float> bone[kMaxCaseSlots];        // rest to pose, with the scale
  CaseMotion<Float> motion[kMaxCaseSlots];  // the same without it: they move the scaled rest vertex
  Vec3<Float> turn[kMaxCaseSlots], shift[kMaxCaseSlots];  // and their logarithms
  Vec3<Float> p, n, t, b;                                 // at rest; n unit, t and b orthogonal to it
  Vec3<Float> centre, centre_along_t, centre_along_b;     // of rotation
  Float frame_offset[2][kMaxCaseSlots];                   // what deform frames change the weights by; sums 0
  Float frame_alpha[2], frame_beta[2];                    // 1 / length
  Vec3<Float> frame_t[2], frame_b[2];
  Vec3<Float> frame_centre[2];  // from the centre of rotation
  Float scale{1};               // of all bones; negative: they mirror
  Float handedness{1};          // of t, b, n
};

using VertexCase = BasicVertexCase<float>;

// What some kernels read and others do not: linear blend skinning has no use for motions, nor other methods for matrices.
struct CaseParts {
  bool matrices = true, motions = true, frames = true;
};

// visit(x) for every float of the parts, in a fixed order; slots first. Of a constant case or one to be filled.
template <class Case, class Visit>
void for_each_float(Case& c, CaseParts parts, Visit visit) {
  const auto three = [&](auto& v) {
    for (int i = 0; i < 3; ++i) visit(v[i]);
  };
  for (int s = 0; s < c.slots; ++s) {
    visit(c.weight[s]);
    visit(c.smooth_weight[s]);
    visit(c.alpha[s]);
    visit(c.beta[s]);
    if (parts.matrices) {
      three(c.gradient[s]);
      three(c.vector_t[s]);
      three(c.vector_b[s]);
      for (int i = 0; i < 4; ++i) three(c.bone[s][i]);
    }
    if (parts.motions) {
      for (auto& x : c.motion[s].r) visit(x);
      for (auto& x : c.motion[s].d) visit(x);
      three(c.turn[s]);
      three(c.shift[s]);
    }
  }
  for (auto* v : {&c.p, &c.n, &c.t, &c.b}) three(*v);
  if (parts.motions)
    for (auto* v : {&c.centre, &c.centre_along_t, &c.centre_along_b}) three(*v);
  if (parts.frames)
    for (int k = 0; k < 2; ++k) {
      for (int s = 0; s < c.slots; ++s) visit(c.frame_offset[k][s]);
      visit(c.frame_alpha[k]);
      visit(c.frame_beta[k]);
      for (auto* v : {&c.frame_t[k], &c.frame_b[k], &c.frame_centre[k]}) three(*v);
    }
  visit(c.scale);
  visit(c.handedness);
}

}  // namespace skinlight::stability
