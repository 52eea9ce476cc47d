#include "skinlight/samples/procedural.h"

#include <cmath>
#include <functional>

#include "skinlight/samples/detail/revolution.h"

namespace skinlight {

namespace {

// The lower bone's weight and its derivative, as functions of z.
struct WeightRamp {
  std::function<double(double z)> weight, derivative;
};

// Two bones whose weights depend on z only.
ProceduralRig bind(RiggedMesh mesh, const WeightRamp& ramp) {
  ProceduralRig rig{std::move(mesh), {}};
  rig.mesh.bone_count = 2;
  rig.mesh.slots = 2;
  for (const Vec3d& p : rig.mesh.p0) {
    const double lower = ramp.weight(p.z);
    const Vec3d gradient(0, 0, ramp.derivative(p.z));
    const bool lower_first = lower > 0.5;
    rig.mesh.bone.insert(rig.mesh.bone.end(), {lower_first ? 1 : 0, lower_first ? 0 : 1});
    rig.mesh.weight.insert(rig.mesh.weight.end(),
                           {lower_first ? lower : 1 - lower, lower_first ? 1 - lower : lower});
    rig.gradient.insert(rig.gradient.end(),
                        {lower_first ? gradient : -gradient, lower_first ? -gradient : gradient});
  }
  compute_tangent_frames(rig.mesh);
  validate(rig.mesh);
  return rig;
}

Pose lower_bone_moves(const Mat4x3d& M) { return make_pose({identity_transform<double>(), M}); }

}  // namespace

ProceduralRig pill(const Tessellation& tessellation) {
  constexpr double kHalfLength = 2, kRampStart = -1.5, kRampLength = 3, kCap = M_PI / 2;
  const int cap_rings = intervals(kCap, 1, tessellation);
  const int side_rings = intervals(2 * kHalfLength, 1, tessellation);
  const Profile profile{
      2 * kCap + 2 * kHalfLength,
      true,
      [](double s) -> ProfilePoint {
        const double upper = s - kCap - 2 * kHalfLength;
        if (s < kCap) return {std::sin(s), -kHalfLength - std::cos(s), std::sin(s), -std::cos(s)};
        if (upper > 0)
          return {std::cos(upper), kHalfLength + std::sin(upper), std::cos(upper), std::sin(upper)};
        return {1, s - kCap - kHalfLength, 1, 0};
      },
      {cap_rings, side_rings, cap_rings},
      {kCap, 2 * kHalfLength, kCap}};
  const auto x = [](double z) { return (z - kRampStart) / kRampLength; };
  return bind(revolve(profile, tessellation),
              {[x](double z) { return 1 - rise(Ramp::smootherstep, x(z)); },
               [x](double z) { return -rise_slope(Ramp::smootherstep, x(z)) / kRampLength; }});
}

Pose pill_pose() {
  Mat4x3d M = identity_transform<double>();
  M[3] = Vec3d(1.5, 0, 0);
  return lower_bone_moves(M);
}

ProceduralRig cylinder(const CylinderShape& shape, const Tessellation& tessellation) {
  require(shape.radius > 0 && shape.half_length > 0 && shape.half_blend > 0, "cylinder",
          "sizes must be positive");
  const double length = 2 * shape.half_length;
  const Profile profile{length,
                        false,
                        [&shape](double s) -> ProfilePoint {
                          return {shape.radius, s - shape.half_length, 1, 0};
                        },
                        {intervals(length, shape.radius, tessellation)},
                        {length}};
  const double half = shape.half_blend;
  const Ramp ramp = shape.ramp;
  const auto x = [half](double z) { return (z + half) / (2 * half); };
  return bind(revolve(profile, tessellation),
              {[x, ramp](double z) { return 1 - rise(ramp, x(z)); },
               [x, half, ramp](double z) { return -rise_slope(ramp, x(z)) / (2 * half); }});
}

Pose cylinder_twist(double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  return lower_bone_moves({Vec3d(c, s, 0), Vec3d(-s, c, 0), Vec3d(0, 0, 1), Vec3d(0.0)});
}

Pose cylinder_bend(double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  return lower_bone_moves({Vec3d(1, 0, 0), Vec3d(0, c, s), Vec3d(0, -s, c), Vec3d(0.0)});
}

}  // namespace skinlight
