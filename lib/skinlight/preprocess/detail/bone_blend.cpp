#include "skinlight/preprocess/detail/bone_blend.h"

#include <cmath>

namespace skinlight {

namespace {

// v -> q v q* of a unit quaternion with vector part v and scalar part s.
Mat3d rotation_of(Vec3d v, double s) {
  const double xx = v.x * v.x, yy = v.y * v.y, zz = v.z * v.z, xy = v.x * v.y, xz = v.x * v.z, yz = v.y * v.z;
  return {Vec3d(1 - 2 * (yy + zz), 2 * (xy + s * v.z), 2 * (xz - s * v.y)),
          Vec3d(2 * (xy - s * v.z), 1 - 2 * (xx + zz), 2 * (yz + s * v.x)),
          Vec3d(2 * (xz + s * v.y), 2 * (yz - s * v.x), 1 - 2 * (xx + yy))};
}

Vec3d vector_of(const Quat& q) { return {q[0], q[1], q[2]}; }

// 2 vec(d r*): what the motion adds to a turned point.
Vec3d translation_of(Vec3d d, double ds, Vec3d r, double rs) { return (d * rs - r * ds - cross(d, r)) * 2.0; }

// Below, a blend has no rotation of its own: opposite quaternions of equal weight.
constexpr double kNoRotation = 1e-24;  // of |b|^2, rounding of weights of 1

}  // namespace

BoneBlend::BoneBlend(const Pose& pose, std::span<const BoneReach> reach, FrameBlend blend) : blend_(blend) {
  RigidPose rigid = rigid_part(pose, reach);
  for (DualQuat& q : rigid.bones) {
    for (double& d : q.d) d /= rigid.scale;
    if (blend == FrameBlend::logarithms) twist_.push_back(log_of(q));
  }
  if (blend != FrameBlend::logarithms) motion_ = std::move(rigid.bones);
}

RigidMotion BoneBlend::at(std::span<const int> bones, const double* weights, Vec3d centre) const {
  switch (blend_) {
    case FrameBlend::dual_quaternions:
      return of_quaternions(bones, weights, nullptr);
    case FrameBlend::rotation_centres:
      return of_quaternions(bones, weights, &centre);
    case FrameBlend::logarithms:
      break;
  }
  return of_logarithms(bones, weights);
}

RigidMotion BoneBlend::of_quaternions(std::span<const int> bones, const double* weights,
                                      const Vec3d* centre) const {
  const DualQuat& first = motion_[static_cast<std::size_t>(bones[0])];
  Vec3d r(0.0), d(0.0), goes(0.0);
  double rs = 0, ds = 0;
  for (std::size_t s = 0; s < bones.size(); ++s) {
    const double w = weights[s];
    if (w == 0) continue;
    const DualQuat& q = motion_[static_cast<std::size_t>(bones[s])];
    const double along =
        q.r[0] * first.r[0] + q.r[1] * first.r[1] + q.r[2] * first.r[2] + q.r[3] * first.r[3];
    const double k = along < 0 ? -w : w;
    r += vector_of(q.r) * k;
    rs += q.r[3] * k;
    d += vector_of(q.d) * k;
    ds += q.d[3] * k;
    if (centre)
      goes += (rotation_of(vector_of(q.r), q.r[3]) * *centre +
               translation_of(vector_of(q.d), q.d[3], vector_of(q.r), q.r[3])) *
              w;
  }
  const double square = dot(r, r) + rs * rs;
  if (!(square > kNoRotation)) {
    r = vector_of(first.r), d = vector_of(first.d);
    rs = first.r[3], ds = first.d[3];
  } else {
    const double inverse = 1 / std::sqrt(square);
    r *= inverse, d *= inverse;
    rs *= inverse, ds *= inverse;
  }
  const Mat3d R = rotation_of(r, rs);
  return {R, centre ? goes - R * *centre : translation_of(d, ds, r, rs)};
}

RigidMotion BoneBlend::of_logarithms(std::span<const int> bones, const double* weights) const {
  Vec3d turn(0.0), shift(0.0);
  for (std::size_t s = 0; s < bones.size(); ++s) {
    turn += twist_[static_cast<std::size_t>(bones[s])].turn * weights[s];
    shift += twist_[static_cast<std::size_t>(bones[s])].shift * weights[s];
  }
  const double angle = length(turn), half = .5 * angle;
  const double sinc = half < 1e-4 ? 1 - half * half / 6 : std::sin(half) / half;  // to 1e-17
  // The left Jacobian of rotations, 1 + b [turn] + c [turn]^2.
  const double b = .5 * sinc * sinc, c = angle < 1e-3 ? 1.0 / 6 - angle * angle / 120
                                                      : (angle - std::sin(angle)) / (angle * angle * angle);
  const Vec3d u = cross(turn, shift);
  return {rotation_of(turn * (.5 * sinc), std::cos(half)), shift + u * b + cross(turn, u) * c};
}

}  // namespace skinlight
