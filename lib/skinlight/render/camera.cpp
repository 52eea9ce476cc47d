#include "skinlight/render/camera.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void set_axes(const View& view, Camera& camera) {
  const Vec3d side = cross(view.up, view.towards_eye);
  if (!is_finite(side) || !(dot(side, side) > 0))
    throw InputError("", "view", "its direction and up vector do not span a plane");
  camera.right = normalize(side);
  camera.back = normalize(view.towards_eye);
  camera.up = cross(camera.back, camera.right);
}

// Largest of value(x, y, z) over the points along the camera's axes.
template <class Value>
double support(std::span<const Vec3d> points, const Camera& camera, Value value) {
  double largest = -kInfinity;
  for (const Vec3d& p : points)
    largest = std::max(largest, value(dot(p, camera.right), dot(p, camera.up), dot(p, camera.back)));
  return largest;
}

}  // namespace

Camera frame(std::span<const Vec3d> points, const View& view, double aspect) {
  if (points.empty()) throw InputError("", "view", "nothing to look at: the mesh has no vertices");
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_finite(points[i])) throw InputError("", "vertex " + std::to_string(i), "position is not finite");
  Camera camera{};
  set_axes(view, camera);
  camera.perspective = view.fov_degrees > 0;
  const auto over = [&](auto value) { return support(points, camera, value); };

  const double nearest = over([](double, double, double z) { return z; });
  const double farthest = -over([](double, double, double z) { return -z; });
  const double left = -over([](double x, double, double) { return -x; }),
               right = over([](double x, double, double) { return x; });
  const double low = -over([](double, double y, double) { return -y; }),
               high = over([](double, double y, double) { return y; });
  // A single point is looked at from a distance in proportion to its coordinates.
  const double size = std::max({right - left, high - low, nearest - farthest,
                                1e-6 * std::max({std::abs(left), std::abs(low), std::abs(nearest), 1.0})});

  double x = 0, y = 0, z = 0;  // of the eye
  if (camera.perspective) {
    camera.half_height = std::tan(0.5 * view.fov_degrees * M_PI / 180);
    camera.half_width = aspect * camera.half_height;
    // A point is inside the side planes when |px - x| <= k (z - pz). Per pair of planes the sums and
    // differences of the two support values give the nearest eye that sees all points.
    const auto between = [&](double k, auto coordinate, double& across) {
      const double plus = over([&](double px, double py, double pz) { return coordinate(px, py) + k * pz; });
      const double minus =
          over([&](double px, double py, double pz) { return -coordinate(px, py) + k * pz; });
      across = 0.5 * (plus - minus);
      return 0.5 * (plus + minus) / k;
    };
    const double inside = 1 - view.margin;
    z = std::max({between(
                      inside * camera.half_width, [](double px, double) { return px; }, x),
                  between(
                      inside * camera.half_height, [](double, double py) { return py; }, y),
                  nearest + 0.05 * size});
  } else {
    x = 0.5 * (left + right);
    y = 0.5 * (low + high);
    z = nearest + size;
    camera.half_height =
        0.5 * std::max({high - low, (right - left) / aspect, 1e-3 * size}) / (1 - view.margin);
    camera.half_width = aspect * camera.half_height;
  }
  camera.eye = camera.right * x + camera.up * y + camera.back * z;
  camera.near = (z - nearest) - 0.01 * size;
  camera.far = (z - farthest) + 0.01 * size;
  return camera;
}

Camera frame(std::span<const Vec3f> points, const View& view, double aspect) {
  const std::vector<Vec3d> exact(points.begin(), points.end());
  return frame(exact, view, aspect);
}

Mat4x3d view_matrix(const Camera& c) {
  return {Vec3d(c.right.x, c.up.x, c.back.x), Vec3d(c.right.y, c.up.y, c.back.y),
          Vec3d(c.right.z, c.up.z, c.back.z),
          Vec3d(-dot(c.right, c.eye), -dot(c.up, c.eye), -dot(c.back, c.eye))};
}

std::array<double, 16> projection_matrix(const Camera& c) {
  const double depth = c.far - c.near;
  if (c.perspective)
    return {1 / c.half_width,
            0,
            0,
            0,
            0,
            1 / c.half_height,
            0,
            0,
            0,
            0,
            -(c.far + c.near) / depth,
            -1,
            0,
            0,
            -2 * c.far * c.near / depth,
            0};
  return {1 / c.half_width,          0, 0, 0, 0, 1 / c.half_height, 0, 0, 0, 0, -2 / depth, 0, 0, 0,
          -(c.far + c.near) / depth, 1};
}

}  // namespace skinlight
