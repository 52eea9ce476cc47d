#include "skinlight/asset/fbx/detail/fbx_layers.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "skinlight/asset/fbx/detail/fbx_transform.h"

namespace skinlight::fbx {

namespace {

Moving scaled(const Moving& m, double weight) { return {m.value * weight, m.rate * weight}; }

Moving sum(const Moving& a, const Moving& b) { return {a.value + b.value, a.rate + b.rate}; }

Moving add_up(const Moving& below, const Moving& layer, const Blending& how) {
  switch (how.mode) {
    case BlendMode::additive:
      return sum(below, scaled(layer, how.weight));
    case BlendMode::override_:
      return scaled(layer, how.weight);
    case BlendMode::override_passthrough:
      return sum(scaled(below, 1 - how.weight), scaled(layer, how.weight));
  }
  return layer;
}

// Numbers to a power; those that have none stay.
Moving power(const Moving& m, double exponent) {
  Moving result = m;
  for (int i = 0; exponent != 1 && i < 3; ++i)
    if (m.value[i] > 0) {
      result.value[i] = std::pow(m.value[i], exponent);
      result.rate[i] = exponent * result.value[i] / m.value[i] * m.rate[i];
    }
  return result;
}

// The same in the space of logarithms.
Moving multiply_up(const Moving& below, const Moving& layer, const Blending& how) {
  const Moving own = power(layer, how.weight);
  if (how.mode == BlendMode::override_) return own;
  return product(how.mode == BlendMode::additive ? below : power(below, 1 - how.weight), own);
}

Motion product_of(const Motion& a, const Motion& b) {
  Motion result{product(a.value, b.value), product(a.rate, b.value)};
  const Quat more = product(a.value, b.rate);
  for (std::size_t i = 0; i < 4; ++i) result.rate[i] += more[i];
  return result;
}

Motion inverse_of(Motion m) {
  for (std::size_t i = 0; i < 3; ++i) {
    m.value[i] = -m.value[i];
    m.rate[i] = -m.rate[i];
  }
  return m;
}

// A share of a turn, the short way round.
Quat share_of(Quat q, double share) {
  if (q[3] < 0)
    for (double& x : q) x = -x;
  const double sine = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), angle = std::atan2(sine, q[3]);
  if (!(sine > 0)) return {0, 0, 0, 1};
  const double factor = std::sin(share * angle) / sine;
  return {q[0] * factor, q[1] * factor, q[2] * factor, std::cos(share * angle)};
}

Motion share_of(const Motion& m, double share) {
  if (share == 1) return m;
  double fastest = 1;
  for (const double x : m.rate) fastest = std::max(fastest, std::abs(x));
  const double step = 1e-5 / fastest;  // a difference: its error is a billionth of the rate
  const auto at = [&](double seconds) {
    Quat q = m.value;
    for (std::size_t i = 0; i < 4; ++i) q[i] += seconds * m.rate[i];
    return share_of(q, share);
  };
  const Quat before = at(-step), after = at(step);
  Motion result{share_of(m.value, share), {}};
  for (std::size_t i = 0; i < 4; ++i) result.rate[i] = (after[i] - before[i]) / (2 * step);
  return result;
}

}  // namespace

Moving Animated::at(double time, double inside) const {
  Moving result{otherwise, Vec3d(0.0)};
  for (int axis = 0; axis < 3; ++axis)
    if (const Curve* c = curve[static_cast<std::size_t>(axis)]) {
      const Curve::Point point = c->at(time, inside);
      result.value[axis] = point.value;
      result.rate[axis] = point.rate;
    }
  return result;
}

Moving blended(const Layers& layers, bool multiplies, double time, double inside) {
  Moving result = layers.front().animated.at(time, inside);
  for (std::size_t i = 1; i < layers.size(); ++i) {
    const auto& blend = multiplies && !layers[i].blending.scales_add ? multiply_up : add_up;
    result = blend(result, layers[i].animated.at(time, inside), layers[i].blending);
  }
  return result;
}

Motion blended_turn(const Layers& layers, int order, double time, double inside) {
  Moving angles = layers.front().animated.at(time, inside);
  // Angles add up as long as only such layers stand below.
  std::size_t i = 1;
  for (; i < layers.size() && layers[i].blending.turns_by_channel; ++i)
    angles = add_up(angles, layers[i].animated.at(time, inside), layers[i].blending);
  Motion result = euler_turn(order, angles);
  for (; i < layers.size(); ++i) {
    const Blending& how = layers[i].blending;
    const Motion own = euler_turn(order, layers[i].animated.at(time, inside));
    if (how.mode == BlendMode::additive)
      result = product_of(result, share_of(own, how.weight));
    else if (how.mode == BlendMode::override_)
      result = own;
    else
      result = product_of(result, share_of(product_of(inverse_of(result), own), how.weight));
  }
  return result;
}

}  // namespace skinlight::fbx
