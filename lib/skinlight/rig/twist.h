// Logarithms of rigid motions, for log-matrix blending [Alexa02].
#pragma once

#include "skinlight/core/glsl.h"
#include "skinlight/rig/rigid_pose.h"

namespace skinlight {

// log M of a rigid motion M, the 4x4 matrix [[turn]x shift; 0 0] written as two vectors: the motion that
// lasts one unit of time while every point x moves at the velocity turn x x + shift.
struct Twist {
  Vec3d turn;   // axis times angle, radians
  Vec3d shift;  // the file's unit
};

// |q.s| up to which a rotation counts as half a turn, of which two logarithms are equally short. Files store
// rotations in float, so what is meant as half a turn is off by up to 1e-7.
inline constexpr double kHalfTurn = 1e-6;

// The logarithm with the smallest angle. q and -q have the same one, the identity has 0. Half a turn (see
// kHalfTurn) takes the axis on a fixed side, so that rounding cannot make two equal bones turn opposite ways;
// its angle may then exceed pi by 2 kHalfTurn. A rotation by 181 degrees is one by 179 the other way.
Twist log_of(const DualQuat& q);

}  // namespace skinlight
