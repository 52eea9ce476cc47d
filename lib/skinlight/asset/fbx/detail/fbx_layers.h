// Properties that curves move, on one or several layers of animation.
#pragma once

#include <array>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_curve.h"
#include "skinlight/asset/fbx/detail/fbx_track.h"
#include "skinlight/core/glsl.h"

namespace skinlight::fbx {

// A value with its rate per second.
struct Moving {
  Vec3d value{0, 0, 0}, rate{0, 0, 0};
};

// Three numbers (or one: the first), each moved by a curve or staying as it is.
struct Animated {
  Vec3d otherwise{0, 0, 0};
  std::array<const Curve*, 3> curve{};

  // At `time`, on the segments that hold `inside`.
  Moving at(double time, double inside) const;
};

// How a layer acts on those below it: BlendMode, Weight (1: all of it), RotationAccumulationMode and
// ScaleAccumulationMode.
enum class BlendMode { additive, override_, override_passthrough };
struct Blending {
  BlendMode mode = BlendMode::additive;
  double weight = 1;
  bool turns_by_channel = false;  // angles add up, instead of rotations following each other
  bool scales_add = false;        // instead of multiplying
};

struct Layer {
  Animated animated;
  Blending blending;  // of the lowest layer that moves a property nothing counts
};

// All layers that move one property, the lowest first. Results are those of the FBX SDK: see fbx_motion_test.cpp.
using Layers = std::vector<Layer>;

// Of a property that adds up (translations, percentages) or, where `multiplies`, scales.
Moving blended(const Layers& layers, bool multiplies, double time, double inside);

// The rotation of Euler angles in a RotationOrder, as unit quaternion x, y, z, w.
Motion blended_turn(const Layers& layers, int order, double time, double inside);

}  // namespace skinlight::fbx
