#include "skinlight/stability/regimes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "skinlight/core/half.h"
#include "skinlight/core/names.h"
#include "skinlight/core/random.h"
#include "skinlight/stability/detail/angle_functions.h"
#include "skinlight/stability/detail/measured_shapes.h"
#include "skinlight/stability/stages.h"

namespace skinlight::stability {

namespace {

constexpr double kPi = 3.14159265358979;

constexpr std::array kRegimes = {
    Regime{.name = "near", .label = "a character at the origin, any pose", .seed = 1},
    Regime{.name = "far-1e2", .label = "100 units from the origin", .seed = 2, .distance = 1e2},
    Regime{.name = "far-1e3", .label = "1000 units from the origin", .seed = 3, .distance = 1e3},
    Regime{.name = "far-1e4", .label = "10 thousand units from the origin", .seed = 4, .distance = 1e4},
    Regime{.name = "far-1e5", .label = "100 thousand units from the origin", .seed = 5, .distance = 1e5},
    Regime{.name = "far-1e6", .label = "a million units from the origin", .seed = 6, .distance = 1e6},
    Regime{.name = "far-1e7", .label = "10 million units from the origin", .seed = 7, .distance = 1e7},
    Regime{.name = "steep", .label = "weights that jump: gradients up to 100", .seed = 8, .steepness = 100},
    Regime{.name = "steep-far",
           .label = "gradients up to 100, 1000 units from the origin",
           .seed = 9,
           .distance = 1e3,
           .steepness = 100},
    Regime{.name = "slivers",
           .label = "tangents nearly parallel and gradients steep across, as in thin triangles",
           .seed = 10,
           .sliver = 1e-3},
    Regime{.name = "antipodal-1e-3",
           .label = "bones that nearly cancel: half a turn less 1e-3 apart",
           .seed = 11,
           .antipodal = 1e-3},
    Regime{.name = "antipodal-1e-5",
           .label = "bones that nearly cancel: half a turn less 1e-5 apart",
           .seed = 12,
           .antipodal = 1e-5},
    Regime{.name = "near-pi",
           .label = "bones turned by half a turn, within 1e-3",
           .seed = 13,
           .least_angle = kPi - 1e-3,
           .largest_angle = kPi},
    Regime{.name = "small-angles",
           .label = "bones that hardly move: turns and offsets below 1e-3",
           .seed = 14,
           .offset = 1e-3,
           .largest_angle = 1e-3},
    Regime{.name = "half-turns",
           .label = "all bones turned by nearly half a turn about nearly one axis",
           .seed = 23,
           .least_angle = kPi - 1e-3,
           .largest_angle = kPi,
           .common_axis = 1e-3},
    Regime{.name = "far-small-angles",
           .label = "bones that hardly differ, 1000 units from the origin",
           .seed = 24,
           .distance = 1e3,
           .offset = 1e-1,
           .largest_angle = 1e-1},
    Regime{.name = "steep-small-angles",
           .label = "weights that jump, between bones that hardly differ",
           .seed = 25,
           .offset = 1e-2,
           .steepness = 100,
           .largest_angle = 1e-2},
    Regime{.name = "large-scale",
           .label = "bones that scale by 100 to 1000, as exporters write",
           .seed = 15,
           .least_scale = 100,
           .largest_scale = 1000},
    Regime{.name = "small-scale",
           .label = "bones that scale by .001 to .01",
           .seed = 16,
           .least_scale = 1e-3,
           .largest_scale = 1e-2},
    Regime{.name = "mirrors", .label = "bones that mirror", .seed = 17, .mirror = true},
    Regime{.name = "influences-8", .label = "8 bones per vertex", .seed = 18, .slots = 8},
    Regime{.name = "influences-16", .label = "16 bones per vertex", .seed = 19, .slots = 16},
    Regime{.name = "morphs", .label = "rest vertices that were morphed", .seed = 20, .morph = true},
    Regime{.name = "half-stored",
           .label = "factors stored in half precision, 1000 units from the origin",
           .seed = 21,
           .distance = 1e3,
           .half = true},
    Regime{.name = "characters",
           .label = "distances and gradients as measured on real game characters",
           .seed = 22,
           .measured = true},
};

struct Quaternion {
  double s;
  Vec3d v;
};
Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a.s * b.s - dot(a.v, b.v), b.v * a.s + a.v * b.s + cross(a.v, b.v)};
}
Quaternion turn_about(Vec3d axis, double angle) { return {cosine(angle / 2), axis * sine(angle / 2)}; }

// Uniform on the unit sphere, without the C library's sine.
Vec3d direction(Random& random) {
  for (;;) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    const Vec3d v(x, y, z);
    const double l2 = dot(v, v);
    if (l2 > .01 && l2 < 1) return v / std::sqrt(l2);
  }
}
Vec3d in_cube(Random& random, double half) {
  const double x = random.uniform(-half, half), y = random.uniform(-half, half),
               z = random.uniform(-half, half);
  return {x, y, z};
}
// The power of two so that numbers up to `largest` have 24 bits as multiples of it.
double quantum(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, exponent - 24);
}
double quantised(double x, double unit) { return std::nearbyint(x / unit) * unit; }

struct Shape {
  double distance, steepness;
};

void draw_weights(Random& random, const Regime& regime, VertexCase& c) {
  double w[kMaxCaseSlots];
  const int n = c.slots;
  if (regime.antipodal > 0) {  // slots 0, 3 against 1, 2
    w[0] = random.uniform(.3, .45);
    w[1] = random.uniform(.25, w[0]);
    w[2] = .5 - w[1];
    w[3] = .5 - w[0];
  } else {
    double sum = 0;
    for (int s = 0; s < n; ++s) sum += w[s] = random.uniform(.05, 1);
    for (int s = 0; s < n; ++s) w[s] /= sum;
    std::sort(w, w + n, std::greater<>());
  }
  constexpr double kUnit = 0x1p-24;
  double rest = 1, smooth_rest = 1;
  for (int s = n - 1; s > 0; --s) {
    const double weight = quantised(w[s], kUnit);
    const double smooth = .8 * w[s] + .2 / n;
    const double smooth_weight = regime.half ? rounded_to_half(smooth) : quantised(smooth, kUnit);
    c.weight[s] = static_cast<float>(weight);
    c.smooth_weight[s] = static_cast<float>(smooth_weight);
    rest -= weight;
    smooth_rest -= smooth_weight;
  }
  c.weight[0] = static_cast<float>(rest);
  c.smooth_weight[0] = static_cast<float>(smooth_rest);
}

// The rest vertex; t and b in double, so that factors are theirs before rounding.
struct Frame {
  Vec3d t, b;
};
Frame draw_rest(Random& random, const Regime& regime, VertexCase& c) {
  const Vec3d p = in_cube(random, 2), n = direction(random);
  Vec3d across = direction(random);
  while (length(cross(n, across)) < .1) across = direction(random);
  Vec3d t = cross(n, across);
  t = t / length(t);
  c.handedness = random.below(2) == 0 ? 1.0f : -1.0f;
  const double lean = regime.sliver < 1 ? random.uniform(regime.sliver, 2 * regime.sliver) : 1;
  Vec3d b = cross(n, t) * (c.handedness * lean) + t * std::sqrt(1 - lean * lean);
  Vec3d normal = n;
  if (regime.morph) {
    t += in_cube(random, .5);
    b += in_cube(random, .5);
    normal = cross(t, b) * static_cast<double>(c.handedness);
    normal = normal / length(normal);
  }
  c.p = Vec3f(p);
  c.n = Vec3f(normal);
  c.t = Vec3f(t);
  c.b = Vec3f(b);
  return {t, b};
}

void draw_factors(Random& random, const Regime& regime, double steepness, const Frame& frame, VertexCase& c) {
  const int n = c.slots;
  // Thin triangles: weights differ as much across as along, over a length that is shorter.
  const Vec3d normal(c.n);
  const Vec3d flat = cross(normal, frame.t);
  const double unit = quantum(4 * steepness / regime.sliver * n);
  double alpha_rest = 0, beta_rest = 0;
  Vec3d gradient_rest(0.0);
  for (int s = n - 1; s > 0; --s) {
    Vec3d a = in_cube(random, steepness);
    if (regime.sliver < 1) a += flat * (dot(a, flat) * (1 / regime.sliver - 1));
    Vec3d g;
    for (int i = 0; i < 3; ++i) g[i] = quantised(a[i], unit);
    const double alpha = dot(a, frame.t), beta = dot(a, frame.b);
    const double stored_alpha = regime.half ? rounded_to_half(alpha) : quantised(alpha, unit);
    const double stored_beta = regime.half ? rounded_to_half(beta) : quantised(beta, unit);
    c.gradient[s] = Vec3f(g);
    c.alpha[s] = static_cast<float>(stored_alpha);
    c.beta[s] = static_cast<float>(stored_beta);
    gradient_rest -= g;
    alpha_rest -= stored_alpha;
    beta_rest -= stored_beta;
    const double w = c.smooth_weight[s];
    const auto stored = [&](Vec3d v) {
      for (int i = 0; i < 3; ++i) v[i] = regime.half ? rounded_to_half(v[i]) : v[i];
      return Vec3f(v);
    };
    c.vector_t[s] = stored(frame.t * w + in_cube(random, .1));
    c.vector_b[s] = stored(frame.b * w + in_cube(random, .1));
  }
  c.gradient[0] = Vec3f(gradient_rest);
  // A format of few bits stores slot 0 rounded too.
  c.alpha[0] = static_cast<float>(regime.half ? rounded_to_half(alpha_rest) : alpha_rest);
  c.beta[0] = static_cast<float>(regime.half ? rounded_to_half(beta_rest) : beta_rest);
  c.vector_t[0] = c.vector_b[0] = Vec3f(0.0f);
}

// V^-1 translation with the left Jacobian V of the rotation [rig/twist.h].
Vec3d shift_of(Vec3d turn, double angle, Vec3d translation) {
  const double x = angle * angle;
  const double second =
      angle < 1e-2 ? 1.0 / 12 + x / 720 : (1 - .5 * angle * cosine(angle / 2) / sine(angle / 2)) / x;
  const Vec3d u = cross(turn, translation);
  return translation - u * .5 + cross(turn, u) * second;
}

void draw_bones(Random& random, const Regime& regime, double distance, VertexCase& c) {
  const double size = regime.least_scale < regime.largest_scale
                          ? random.uniform(regime.least_scale, regime.largest_scale)
                          : regime.least_scale;
  c.scale = static_cast<float>(regime.mirror ? -size : size);
  const double scale = c.scale;
  const Vec3d far = direction(random) * (distance * std::abs(scale));
  const Vec3d common_axis = direction(random);
  for (int s = 0; s < c.slots; ++s) {
    Vec3d axis = direction(random);
    double angle = random.uniform(regime.least_angle, regime.largest_angle);
    if (regime.common_axis > 0) {
      axis = common_axis + axis * regime.common_axis;
      axis = axis / length(axis);
    }
    if (regime.antipodal > 0) {
      const bool one_side = s == 0 || s == 3;
      axis = one_side ? common_axis : -common_axis;
      angle = (kPi - regime.antipodal * random.uniform(.5, 1)) / 2;
    }
    const Quaternion q = turn_about(axis, angle);
    const double sign = random.below(2) == 0 ? 1 : -1;
    const Vec3d translation = far + in_cube(random, regime.offset * std::abs(scale));
    const Quaternion dual = product({0, translation * .5}, q);
    const auto store = [&](const Quaternion& a, float* to) {
      for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(sign * a.v[i]);
      to[3] = static_cast<float>(sign * a.s);
    };
    store(q, c.motion[s].r);
    store(dual, c.motion[s].d);
    const auto turned = [&](Vec3d v) {  // v + 2 q.v x (q.v x v + q.s v)
      return v + cross(q.v, cross(q.v, v) + v * q.s) * 2.0;
    };
    c.bone[s] = {Vec3f(turned({scale, 0, 0})), Vec3f(turned({0, scale, 0})), Vec3f(turned({0, 0, scale})),
                 Vec3f(translation)};
    c.turn[s] = Vec3f(axis * angle);
    c.shift[s] = Vec3f(shift_of(axis * angle, angle, translation));
  }
}

// Frames whose weights differ from the vertex's own as those of corners one edge away do: where weights are steep, edges
// are short.
void draw_frames(Random& random, const Regime& regime, double steepness, const Frame& frame, VertexCase& c) {
  const double edge = 1 / std::max(1.0, steepness);
  constexpr double kUnit = 0x1p-24;
  for (int k = 0; k < 2; ++k) {
    double rest = 0;
    for (int s = c.slots - 1; s > 0; --s) {
      const double change = random.uniform(-.1, .2) / (c.slots - 1);
      const double stored = regime.half ? rounded_to_half(change) : quantised(change, kUnit);
      c.frame_offset[k][s] = static_cast<float>(stored);
      rest -= stored;
    }
    c.frame_offset[k][0] = static_cast<float>(rest);
    const auto stored = [&](double x) { return regime.half ? rounded_to_half(x) : x; };
    const auto vector = [&](Vec3d v) {
      for (int i = 0; i < 3; ++i) v[i] = stored(v[i]);
      return Vec3f(v);
    };
    c.frame_alpha[k] = static_cast<float>(stored(random.uniform(-.5, .5) / edge));
    c.frame_beta[k] = static_cast<float>(stored(random.uniform(-.5, .5) / edge));
    const double along_t = random.uniform(0, .5), along_b = random.uniform(0, .5);
    c.frame_t[k] = vector(frame.t * along_t + in_cube(random, .1));
    c.frame_b[k] = vector(frame.b * along_b + in_cube(random, .1));
    c.frame_centre[k] = Vec3f(in_cube(random, .3));
  }
}

}  // namespace

std::span<const Regime> regimes() { return kRegimes; }

const Regime& regime_from_name(std::string_view name) {
  for (const StageInput& input : stage_inputs())
    if (input.regime.name == name) return input.regime;
  return row_named(regimes(), name, "regime");
}

VertexCase draw(const Regime& regime, int index) {
  Random seeds(regime.seed * 0x100000000u + static_cast<std::uint64_t>(index));
  Random random(seeds.bits());
  VertexCase c{};
  c.seed = random.bits();
  c.slots = regime.slots;
  Shape shape{regime.distance, regime.steepness};
  if (regime.measured) {
    const MeasuredShape& m =
        kMeasuredShapes[static_cast<std::size_t>(random.below(std::size(kMeasuredShapes)))];
    shape = {m.distance, m.steepness};
  }
  draw_weights(random, regime, c);
  const Frame frame = draw_rest(random, regime, c);
  draw_factors(random, regime, shape.steepness, frame, c);
  draw_bones(random, regime, shape.distance, c);
  c.centre = Vec3f(in_cube(random, 2));
  c.centre_along_t = Vec3f(in_cube(random, 1));
  c.centre_along_b = Vec3f(in_cube(random, 1));
  draw_frames(random, regime, shape.steepness, frame, c);
  return c;
}

}  // namespace skinlight::stability
