#include "skinlight/mesh/tangent_frame.h"

#include <algorithm>
#include <cmath>

namespace skinlight {

namespace {

// Below this share a sum of face tangents (they cancel around a pole of the mapping) or its projection, and
// below this sine the angle between t0 and b0, carry no direction: any frame is better conditioned (the
// normal t x b loses as many digits as the sine has zeros).
constexpr double kSmallestSine = 0.02;

struct UvGradient {
  Vec3d du{0, 0, 0}, dv{0, 0, 0};  // sums of the unit vectors along dp/du and dp/dv, times corner angles
  double angle = 0;                // sum of the angles: the length of du and dv where nothing cancels
};

// dp/du and dp/dv of a face, of unit length, so that uv scale does not weigh; weighted by the corner's angle.
void add_face(std::span<const Vec3d> p, std::span<const Vec2d> uv, const Face& f, std::size_t c,
              UvGradient& sum) {
  const auto i = static_cast<std::size_t>(f[c]), j = static_cast<std::size_t>(f[(c + 1) % 3]),
             k = static_cast<std::size_t>(f[(c + 2) % 3]);
  const Vec3d e1 = p[j] - p[i], e2 = p[k] - p[i];
  const Vec2d d1 = uv[j] - uv[i], d2 = uv[k] - uv[i];
  const double area = d1.x * d2.y - d2.x * d1.y;
  const double sign = area > 0 ? 1 : -1;
  const Vec3d du = (e1 * d2.y - e2 * d1.y) * sign, dv = (e2 * d1.x - e1 * d2.x) * sign;
  const double size_u = length(du), size_v = length(dv),
               angle = std::atan2(length(cross(e1, e2)), dot(e1, e2));
  if (!(std::abs(area) > 0) || !(size_u > 0) || !(size_v > 0) || !std::isfinite(size_u + size_v + angle))
    return;
  sum.du += du * (angle / size_u);
  sum.dv += dv * (angle / size_v);
  sum.angle += angle;
}

// v projected to the plane of n and normalised; zero when next to nothing of `size` is left [TPS14 Eq. 9].
Vec3d project(Vec3d v, double size, Vec3d n) {
  const Vec3d flat = v - n * dot(v, n);
  const double rest = length(flat);
  return rest > kSmallestSine * size && std::isfinite(rest) ? flat / rest : Vec3d(0.0);
}

}  // namespace

Vec3d any_tangent(Vec3d n) {
  const double sign = std::copysign(1.0, n.z);
  const double a = -1 / (sign + n.z);
  return {1 + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x};
}

TangentFrames tangent_frames(std::span<const Face> faces, std::span<const Vec3d> p, std::span<const Vec3d> n0,
                             std::span<const Vec2d> uv, std::span<const int> group,
                             TangentConvention convention) {
  const std::size_t count = p.size();
  const std::size_t groups =
      group.empty() ? 0 : static_cast<std::size_t>(*std::max_element(group.begin(), group.end())) + 1;
  std::vector<UvGradient> gradient(uv.empty() ? 0 : groups);
  if (!uv.empty())
    for (const Face& f : faces)
      for (std::size_t c = 0; c < 3; ++c)
        add_face(p, uv, f, c, gradient[static_cast<std::size_t>(group[static_cast<std::size_t>(f[c])])]);

  TangentFrames frames{std::vector<Vec3d>(count), std::vector<Vec3d>(count), std::vector<double>(count, 1.0),
                       std::vector<FrameSource>(count, FrameSource::arbitrary)};
  for (std::size_t v = 0; v < count; ++v) {
    const Vec3d n = n0[v];
    Vec3d t(0.0), b(0.0);
    if (!uv.empty()) {
      const UvGradient& g = gradient[static_cast<std::size_t>(group[v])];
      t = project(g.du, g.angle, n);
      b = project(g.dv, g.angle, n);
    }
    const double orientation = dot(cross(t, b), n);  // the sine between them, signed
    if (std::abs(orientation) > kSmallestSine) {
      frames.source[v] = FrameSource::uv;
      frames.handedness[v] = orientation > 0 ? 1.0 : -1.0;
      if (convention == TangentConvention::orthonormal) b = cross(n, t) * frames.handedness[v];
    } else {
      t = any_tangent(n);
      b = cross(t, n);
      frames.handedness[v] = -1;  // that of a texture which is not mirrored, whose v runs down
    }
    frames.t0[v] = t;
    frames.b0[v] = b;
  }
  return frames;
}

}  // namespace skinlight
