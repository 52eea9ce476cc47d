#include "skinlight/rig/skeleton.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/error.h"

namespace skinlight {

namespace {

std::string node_label(const Skeleton& skeleton, int n) {
  const std::string& name = skeleton.nodes[at(n)].name;
  return "node " + std::to_string(n) + (name.empty() ? "" : " (" + name + ")");
}

bool is_node(const Skeleton& skeleton, int n) { return n >= 0 && at(n) < skeleton.nodes.size(); }

double dot(const Quat& a, const Quat& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

Quat combine(double x, const Quat& a, double y, const Quat& b) {
  Quat q;
  for (std::size_t i = 0; i < 4; ++i) q[i] = x * a[i] + y * b[i];
  return q;
}

// Of length 1; one of length 0 stays.
Quat unit(const Quat& q) {
  const double norm = std::sqrt(dot(q, q));
  return norm > 0 && std::isfinite(norm) ? combine(1 / norm, q, 0, q) : q;
}

// Between keys a and b, u in 0 .. 1. q and -q are one rotation: the nearer of the two is taken, so the path
// is short. Files round keys, each to a length of its own, which would shift the rotation between them.
Quat slerp(Quat a, Quat b, double u) {
  a = unit(a);
  b = unit(b);
  double cosine = dot(a, b);
  if (cosine < 0) {
    b = combine(-1, b, 0, b);
    cosine = -cosine;
  }
  constexpr double kParallel =
      1 - 1e-12;  // below 1.4e-6 rad the chord is the arc within 1e-13, and sin(angle) vanishes
  if (!(cosine < kParallel)) return combine(1 - u, a, u, b);
  const double angle = std::acos(cosine);
  return combine(std::sin((1 - u) * angle) / std::sin(angle), a, std::sin(u * angle) / std::sin(angle), b);
}

// The local transform T R S of a node. The quaternion is normalised here, once for files, keys and splines.
Mat4x3d local_transform(const Skeleton& skeleton, int n) {
  const Node& node = skeleton.nodes[at(n)];
  if (node.has_matrix) return node.matrix;
  const double norm = std::sqrt(dot(node.rotation, node.rotation));
  if (!(norm > 0) || !std::isfinite(norm))
    throw InputError("", node_label(skeleton, n), "its rotation has length " + std::to_string(norm));
  const Quat q = combine(1 / norm, node.rotation, 0, node.rotation);
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const Vec3d right{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
  const Vec3d up{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
  const Vec3d front{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  return {right * node.scale.x, up * node.scale.y, front * node.scale.z, node.translation};
}

// global(node) = global(parent) local(node). Nodes come in any order, so each walks up to the first ancestor
// known.
std::vector<Mat4x3d> global_transforms(const Skeleton& skeleton) {
  enum class State : char { unknown, on_path, known };
  std::vector<State> state(skeleton.nodes.size(), State::unknown);
  std::vector<Mat4x3d> global(skeleton.nodes.size());
  std::vector<int> path;
  for (int start = 0; is_node(skeleton, start); ++start) {
    path.clear();
    for (int n = start; n != -1 && state[at(n)] != State::known; n = skeleton.nodes[at(n)].parent) {
      if (state[at(n)] == State::on_path)
        throw InputError("", node_label(skeleton, n), "is its own ancestor: the nodes form a cycle");
      const int parent = skeleton.nodes[at(n)].parent;
      if (parent != -1 && !is_node(skeleton, parent))
        throw InputError("", node_label(skeleton, n),
                         "has parent " + std::to_string(parent) + " of " +
                             std::to_string(skeleton.nodes.size()) + " nodes");
      state[at(n)] = State::on_path;
      path.push_back(n);
    }
    for (auto n = path.rbegin(); n != path.rend(); ++n) {
      const int parent = skeleton.nodes[at(*n)].parent;
      const Mat4x3d local = local_transform(skeleton, *n);
      global[at(*n)] = parent == -1 ? local : compose(global[at(parent)], local);
      state[at(*n)] = State::known;
    }
  }
  return global;
}

int components(Path path) { return path == Path::rotation ? 4 : 3; }

// The property's value at key k, or one of its spline tangents: 3 numbers in the first entries for vectors.
enum class Part { in_tangent, value, out_tangent };
Quat key_value(const Channel& channel, std::size_t k, Part part = Part::value) {
  const std::size_t width = at(components(channel.path));
  std::size_t row = k;
  if (channel.interpolation == Interpolation::cubic_spline) row = 3 * k + static_cast<std::size_t>(part);
  Quat q{0, 0, 0, 0};
  for (std::size_t i = 0; i < width; ++i) q[i] = channel.values[width * row + i];
  return q;
}

// Between which keys a time lies: u of the way from key k to k + 1, which are `span` seconds apart. Times
// outside the keys hold the first or last one.
struct KeyInterval {
  std::size_t k;
  double u, span;
};

KeyInterval locate(const std::vector<double>& times, double time) {
  if (time <= times.front()) return {0, 0, 0};
  if (time >= times.back()) return {times.size() - 1, 0, 0};
  const auto next =
      static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  const double span = times[next] - times[next - 1];
  return {next - 1, (time - times[next - 1]) / span, span};
}

// Cubic Hermite interpolation: of the two values and of the two tangents (glTF 2.0, appendix C).
struct Hermite {
  double value, next_value, leave, arrive;
};

Hermite hermite(const KeyInterval& at_time) {
  const double u = at_time.u, u2 = u * u, u3 = u2 * u;
  return {2 * u3 - 3 * u2 + 1, 3 * u2 - 2 * u3, at_time.span * (u3 - 2 * u2 + u), at_time.span * (u3 - u2)};
}

// glTF 2.0, appendix C: step, linear, spherical linear and cubic Hermite interpolation.
Quat sample(const Channel& channel, double time) {
  const KeyInterval i = locate(channel.times, time);
  const Quat a = key_value(channel, i.k);
  if (i.u == 0 || channel.interpolation == Interpolation::step) return a;
  const Quat b = key_value(channel, i.k + 1);
  if (channel.interpolation == Interpolation::linear)
    return channel.path == Path::rotation ? slerp(a, b, i.u) : combine(1 - i.u, a, i.u, b);
  const Quat leave = key_value(channel, i.k, Part::out_tangent),
             arrive = key_value(channel, i.k + 1, Part::in_tangent);
  const Hermite h = hermite(i);
  return combine(1, combine(h.value, a, h.next_value, b), 1, combine(h.leave, leave, h.arrive, arrive));
}

// The same for one of the weights of a morph channel.
double sample(const MorphChannel& channel, const KeyInterval& i, std::size_t target) {
  const std::size_t count = at(channel.count);
  const bool spline = channel.interpolation == Interpolation::cubic_spline;
  const auto value = [&](std::size_t k, Part part) {
    return channel.values[(spline ? 3 * k + static_cast<std::size_t>(part) : k) * count + target];
  };
  const double a = value(i.k, Part::value);
  if (i.u == 0 || channel.interpolation == Interpolation::step) return a;
  const double b = value(i.k + 1, Part::value);
  if (!spline) return (1 - i.u) * a + i.u * b;
  const Hermite h = hermite(i);
  return h.value * a + h.next_value * b + h.leave * value(i.k, Part::out_tangent) +
         h.arrive * value(i.k + 1, Part::in_tangent);
}

void require_values(std::size_t keys, std::size_t values, int per_key, Interpolation interpolation,
                    const std::string& label) {
  if (keys == 0) throw InputError("", label, "has no keys");
  const std::size_t needed = keys * at(interpolation == Interpolation::cubic_spline ? 3 * per_key : per_key);
  if (values != needed)
    throw InputError("", label, "has " + std::to_string(values) + " values, needs " + std::to_string(needed));
}

void apply(const Channel& channel, double time, Skeleton& skeleton, const std::string& label) {
  if (!is_node(skeleton, channel.node))
    throw InputError("", label, "animates node " + std::to_string(channel.node) + ", which does not exist");
  Node& node = skeleton.nodes[at(channel.node)];
  if (node.has_matrix)
    throw InputError("", label,
                     "animates " + node_label(skeleton, channel.node) + ", which is given by a matrix");
  require_values(channel.times.size(), channel.values.size(), components(channel.path), channel.interpolation,
                 label);
  const Quat q = sample(channel, time);
  if (channel.path == Path::translation) node.translation = {q[0], q[1], q[2]};
  if (channel.path == Path::rotation) node.rotation = q;
  if (channel.path == Path::scale) node.scale = {q[0], q[1], q[2]};
}

}  // namespace

Pose default_pose(const Skeleton& skeleton) {
  if (skeleton.inverse_bind.size() != skeleton.bone_node.size())
    throw InputError("", "skeleton",
                     std::to_string(skeleton.bone_count()) + " bones but " +
                         std::to_string(skeleton.inverse_bind.size()) + " inverse bind matrices");
  const std::vector<Mat4x3d> global = global_transforms(skeleton);
  std::vector<Mat4x3d> M;
  M.reserve(skeleton.bone_node.size());
  for (int s = 0; s < skeleton.bone_count(); ++s) {
    const int n = skeleton.bone_node[at(s)];
    if (!is_node(skeleton, n))
      throw InputError("", "bone " + std::to_string(s),
                       "is moved by node " + std::to_string(n) + ", which does not exist");
    M.push_back(compose(global[at(n)], skeleton.inverse_bind[at(s)]));
  }
  return make_pose(std::move(M));
}

Pose pose_at(const Skeleton& skeleton, const Clip& clip, double time) {
  if (!std::isfinite(time)) throw InputError("", "clip " + clip.name, "time is not finite");
  Skeleton posed = skeleton;
  for (std::size_t c = 0; c < clip.channels.size(); ++c)
    apply(clip.channels[c], time, posed, "clip " + clip.name + " channel " + std::to_string(c));
  return default_pose(posed);
}

std::vector<double> morph_weights_at(std::span<const double> weights, const Clip& clip, double time) {
  if (!std::isfinite(time)) throw InputError("", "clip " + clip.name, "time is not finite");
  std::vector<double> result(weights.begin(), weights.end());
  for (std::size_t c = 0; c < clip.morph_channels.size(); ++c) {
    const MorphChannel& channel = clip.morph_channels[c];
    const std::string label = "clip " + clip.name + " morph channel " + std::to_string(c);
    if (channel.first < 0 || channel.count < 1 || at(channel.first) + at(channel.count) > result.size())
      throw InputError("", label, "animates morph targets that do not exist");
    require_values(channel.times.size(), channel.values.size(), channel.count, channel.interpolation, label);
    const KeyInterval interval = locate(channel.times, time);
    for (std::size_t m = 0; m < at(channel.count); ++m)
      result[at(channel.first) + m] = sample(channel, interval, m);
  }
  return result;
}

}  // namespace skinlight
