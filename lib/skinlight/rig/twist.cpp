#include "skinlight/rig/twist.h"

#include <cmath>

namespace skinlight {

namespace {

// No axis that people choose is orthogonal to it: small integers a, b, c never give a + .62 b + .41 c = 0.
constexpr Vec3d kSide = {1, 0.6180339887498949, 0.4142135623730951};

// 1 / x^2 - cot(x / 2) / (2 x) of the angle x, from the sine and cosine of its half.
double second_coefficient(double angle, double sine, double cosine) {
  constexpr double kSmall = 1e-4;  // below: 1/12 within 1e-11, of which x^2 times is used
  if (angle < kSmall) return 1.0 / 12;
  return (1 - 0.5 * angle * cosine / sine) / (angle * angle);
}

}  // namespace

Twist log_of(const DualQuat& q) {
  const Vec3d v(q.r[0], q.r[1], q.r[2]), dual(q.d[0], q.d[1], q.d[2]);
  const double s = q.r[3];
  // translation / 2 = vec(d r*)
  const Vec3d translation = (dual * s - v * q.d[3] - cross(dual, v)) * 2.0;

  const bool other_sign = std::abs(s) > kHalfTurn ? s < 0 : dot(v, kSide) < 0;
  const double sign = other_sign ? -1 : 1, sine = length(v), cosine = sign * s;
  const double angle = 2 * std::atan2(sine, cosine);
  const Vec3d turn = sine > 0 ? v * (sign * angle / sine) : Vec3d(0.0);

  // shift = V^-1 translation with the left Jacobian V of rotations.
  const Vec3d u = cross(turn, translation);
  return {turn, translation - u * 0.5 + cross(turn, u) * second_coefficient(angle, sine, cosine)};
}

}  // namespace skinlight
