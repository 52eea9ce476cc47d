#include "skinlight/asset/fbx/detail/fbx_transform.h"

#include <cmath>

#include "skinlight/asset/detail/reading.h"

namespace skinlight::fbx {

namespace {

constexpr double kRadians = 3.14159265358979323846 / 180;

// Axes in the order in which they turn; 6 is "spheric", which is no product of turns.
constexpr std::array<std::array<int, 3>, 6> kOrders = {
    {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}};
constexpr int kSpheric = 6;

Quat turn_about(int axis, double radians) {
  Quat q{0, 0, 0, std::cos(radians / 2)};
  q[static_cast<std::size_t>(axis)] = std::sin(radians / 2);
  return q;
}

// Its rate, when the angle changes at `rate` radians per second.
Quat turn_rate(int axis, double radians, double rate) {
  Quat q{0, 0, 0, -std::sin(radians / 2) * rate / 2};
  q[static_cast<std::size_t>(axis)] = std::cos(radians / 2) * rate / 2;
  return q;
}

Quat euler(Vec3d degrees) {
  Quat q{0, 0, 0, 1};
  for (const int axis : kOrders[0]) q = product(turn_about(axis, degrees[axis] * kRadians), q);
  return q;
}

Quat conjugate(const Quat& q) { return {-q[0], -q[1], -q[2], q[3]}; }

Quat sum(const Quat& a, const Quat& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }

}  // namespace

Quat product(const Quat& a, const Quat& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Moving product(const Moving& a, const Moving& b) {
  const auto by_axis = [](Vec3d u, Vec3d v) { return Vec3d(u.x * v.x, u.y * v.y, u.z * v.z); };
  return {by_axis(a.value, b.value), by_axis(a.rate, b.value) + by_axis(a.value, b.rate)};
}

Mat3d turn_of(const Quat& q) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  return {Vec3d(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
          Vec3d(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
          Vec3d(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))};
}

Transform read_transform(const Object& model, std::vector<Warning>& warnings) {
  const std::string where = model.label();
  const Properties& properties = model.properties;
  const auto vector = [&](const char* name, double otherwise = 0) {
    return properties.vector(name, Vec3d(otherwise), where);
  };
  Transform t;
  t.translation = vector("Lcl Translation");
  t.rotation = vector("Lcl Rotation");
  t.scaling = vector("Lcl Scaling", 1);
  const Vec3d rotation_pivot = vector("RotationPivot"), scaling_pivot = vector("ScalingPivot");
  t.offset = vector("RotationOffset") + rotation_pivot;
  t.to_scaling = vector("ScalingOffset") + scaling_pivot - rotation_pivot;
  t.from_scaling = -scaling_pivot;
  // Without RotationActive the SDK takes neither from the file.
  if (properties.integer("RotationActive", 0) != 0) {
    t.before = euler(vector("PreRotation"));
    t.after = conjugate(euler(vector("PostRotation")));
    const std::int64_t order = properties.integer("RotationOrder", 0);
    if (order < 0 || order > kSpheric)
      throw InputError("", where + " RotationOrder", std::to_string(order) + " does not exist");
    if (order == kSpheric)
      warn(warnings, where, "turns in spheric order; it was taken for XYZ");
    else
      t.order = static_cast<int>(order);
  }
  const std::int64_t inherit = properties.integer("InheritType", 0);
  if (inherit < 0 || inherit > 2)
    throw InputError("", where + " InheritType", std::to_string(inherit) + " does not exist");
  t.inherit = static_cast<Inherit>(inherit);
  if (properties.integer("QuaternionInterpolate", 0) != 0)
    warn(warnings, where, "interpolates quaternions; between its keys angles were taken");
  return t;
}

Mat4x3d geometric_transform(const Object& model) {
  const std::string where = model.label();
  const Mat3d turn = turn_of(euler(model.properties.vector("GeometricRotation", Vec3d(0.0), where)));
  const Vec3d scale = model.properties.vector("GeometricScaling", Vec3d(1.0), where);
  return {turn[0] * scale.x, turn[1] * scale.y, turn[2] * scale.z,
          model.properties.vector("GeometricTranslation", Vec3d(0.0), where)};
}

Motion euler_turn(int order, const Moving& degrees) {
  Quat q{0, 0, 0, 1}, dq{0, 0, 0, 0};
  for (const int axis : kOrders[static_cast<std::size_t>(order)]) {
    const double angle = degrees.value[axis] * kRadians;
    dq = sum(product(turn_rate(axis, angle, degrees.rate[axis] * kRadians), q),
             product(turn_about(axis, angle), dq));
    q = product(turn_about(axis, angle), q);
  }
  return {q, dq};
}

Motion rotation_of(const Transform& transform, const Motion& turn) {
  return {product(product(transform.before, turn.value), transform.after),
          product(product(transform.before, turn.rate), transform.after)};
}

}  // namespace skinlight::fbx
