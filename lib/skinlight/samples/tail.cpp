#include "skinlight/samples/tail.h"

#include <cmath>

#include "skinlight/rig/turn.h"
#include "skinlight/samples/detail/revolution.h"

namespace skinlight {

namespace {

std::vector<double> joints_of(const TailShape& shape) {
  std::vector<double> z;
  for (int s = 1; s < shape.bones; ++s) z.push_back(shape.length * s / shape.bones);
  return z;
}

}  // namespace

ProceduralRig tail(const TailShape& shape, const Tessellation& tessellation) {
  const double base = shape.base_radius, tip = shape.tip_radius, length = shape.length;
  require(base > 0 && tip > 0, "tail", "radii must be positive");
  require(length > std::abs(base - tip) && std::isfinite(length), "tail",
          "length must be more than the radii differ: one sphere would lie in the other");
  require(shape.bones >= 2, "tail", "needs at least two bones");
  const double slope = std::asin((base - tip) / length);  // of the cone against the axis
  const double base_cap = base * (M_PI / 2 + slope), tip_cap = tip * (M_PI / 2 - slope);
  const double side = length * std::cos(slope);
  const Profile profile{
      base_cap + side + tip_cap,
      true,
      [=](double s) -> ProfilePoint {
        if (s < base_cap) {
          const double angle = s / base;
          return {base * std::sin(angle), -base * std::cos(angle), std::sin(angle), -std::cos(angle)};
        }
        if (s > base_cap + side) {
          const double angle = (s - base_cap - side) / tip + slope;  // of the normal above the horizontal
          return {tip * std::cos(angle), length + tip * std::sin(angle), std::cos(angle), std::sin(angle)};
        }
        const double x = (s - base_cap) / side, radius = base + (tip - base) * x;
        return {radius * std::cos(slope), length * x + radius * std::sin(slope), std::cos(slope),
                std::sin(slope)};
      },
      {intervals(base_cap, base, tessellation), intervals(side, (base + tip) / 2, tessellation),
       intervals(tip_cap, tip, tessellation)},
      {base_cap, side, tip_cap}};
  return bind_chain(revolve(profile, tessellation), joints_of(shape), length / shape.bones / 2, shape.ramp);
}

Pose tail_pose(const TailShape& shape, double degrees) {
  std::vector<Mat4x3d> M = {identity_transform<double>()};
  for (const double z : joints_of(shape))
    M.push_back(compose(M.back(), turn_about(Vec3d(0, 0, z), Vec3d(1, 0, 0), degrees * M_PI / 180)));
  return make_pose(std::move(M));
}

}  // namespace skinlight
