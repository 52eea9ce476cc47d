#include "skinlight/samples/cuboid.h"

#include <array>
#include <cmath>

#include "skinlight/rig/turn.h"
#include "skinlight/samples/detail/revolution.h"

namespace skinlight {

namespace {

constexpr double kLength = 10;
constexpr int kCuboidBones = 5;
constexpr double kJoints[kCuboidBones - 1] = {kCuboidTwistJoint, kCuboidBendJoint, 6, 8};

// A flat side: corner + a u + b v for a, b in 0 .. 1, outwards along u x v.
struct Side {
  Vec3d corner, u, v;
  int columns, rows;
};

void add_side(const Side& side, bool shared, RiggedMesh& mesh) {
  const Vec3d normal = normalize(cross(side.u, side.v));
  const auto add_vertex = [&](int column, int row) {
    const double a = static_cast<double>(column) / side.columns, b = static_cast<double>(row) / side.rows;
    mesh.p0.push_back(side.corner + side.u * a + side.v * b);
    mesh.n0.push_back(normal);
    mesh.uv.emplace_back(a, b);
    return mesh.vertex_count() - 1;
  };
  const int first = mesh.vertex_count();
  if (shared)
    for (int row = 0; row <= side.rows; ++row)
      for (int column = 0; column <= side.columns; ++column) add_vertex(column, row);
  const auto corner = [&](int column, int row) {
    return shared ? first + row * (side.columns + 1) + column : add_vertex(column, row);
  };
  for (int row = 0; row < side.rows; ++row)
    for (int column = 0; column < side.columns; ++column) {
      const int a = corner(column, row), b = corner(column + 1, row), c = corner(column + 1, row + 1),
                d = corner(column, row + 1);
      mesh.faces.push_back({a, b, c});
      mesh.faces.push_back({a, c, d});
    }
}

}  // namespace

ProceduralRig cuboid(const CuboidShape& shape) {
  require(shape.across >= 1 && shape.along >= 1, "cuboid", "needs at least one quad in each direction");
  require(shape.half_blend > 0 && shape.half_blend <= 1, "cuboid",
          "half_blend must lie in (0, 1]: joints are 2 apart");
  const int across = shape.across, along = shape.along;
  const Vec3d up(0, 0, kLength);
  const std::array<Side, 6> sides = {{
      {Vec3d(-.5, -.5, 0), Vec3d(1, 0, 0), up, across, along},                     // -y
      {Vec3d(.5, -.5, 0), Vec3d(0, 1, 0), up, across, along},                      // +x
      {Vec3d(.5, .5, 0), Vec3d(-1, 0, 0), up, across, along},                      // +y
      {Vec3d(-.5, .5, 0), Vec3d(0, -1, 0), up, across, along},                     // -x
      {Vec3d(-.5, -.5, kLength), Vec3d(1, 0, 0), Vec3d(0, 1, 0), across, across},  // top
      {Vec3d(-.5, .5, 0), Vec3d(1, 0, 0), Vec3d(0, -1, 0), across, across},        // bottom
  }};
  RiggedMesh mesh;
  for (const Side& side : sides) add_side(side, shape.shared, mesh);
  return bind_chain(std::move(mesh), kJoints, shape.half_blend, shape.ramp);
}

Pose cuboid_pose(double twist_degrees, double bend_degrees) {
  const Mat4x3d twist = turn_about(Vec3d(0.0), Vec3d(0, 0, 1), twist_degrees * M_PI / 180);
  const Mat4x3d bend = turn_about(Vec3d(0, 0, kCuboidBendJoint), Vec3d(1, 0, 0), bend_degrees * M_PI / 180);
  std::vector<Mat4x3d> M = {identity_transform<double>(), twist};
  for (int s = 2; s < kCuboidBones; ++s) M.push_back(compose(twist, bend));
  return make_pose(std::move(M));
}

}  // namespace skinlight
