// A float whose operations give, at random, what the Vulkan and GLSL specifications allow a graphics processor to
// give: an error budget for hardware that nobody can lend.
// [VK] Vulkan 1.3 specification, appendix "Precision and Operation of SPIR-V Instructions"; [GLSL] The OpenGL Shading
// Language 4.60, Sec. 4.7.1. Sums and products: either neighbour of the exact result. Division: 2.5 ULP. inversesqrt:
// 2 ULP. sqrt: inherited from 1 / inversesqrt(x). Denormals may become 0 at input and at output. A product and the sum
// that consumes it may be contracted, or not, each time anew. What comes of infinities and NaN is left open: a value
// that is not finite on the way is a miss, whatever the result.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "skinlight/core/exact.h"
#include "skinlight/core/random.h"

namespace skinlight {

class VulkanFloat {
 public:
  VulkanFloat() = default;
  explicit VulkanFloat(double value) : v_(static_cast<float>(value)) {}

  float value() const { return v_; }
  // What the operations of this thread draw from; also forgets misses.
  static void seed(std::uint64_t value) {
    state_ = value;
    coins_ = 1;
    missed_ = false;
  }
  // Whether a value was not finite since then.
  static bool missed() { return missed_; }

  friend VulkanFloat operator*(VulkanFloat a, VulkanFloat b) {
    const float x = input(a.v_), y = input(b.v_);
    VulkanFloat r = either(exact_product(x, y));
    r.a_ = x;
    r.b_ = y;
    r.product_ = true;
    return r;
  }
  friend VulkanFloat operator/(VulkanFloat a, VulkanFloat b) {
    return near(exact_quotient(input(a.v_), input(b.v_)), 2.5);
  }
  friend VulkanFloat operator+(VulkanFloat a, VulkanFloat b) {
    return either(a.product_ ? two_sum(a.summand(), input(b.v_)) : two_sum(input(a.v_), b.summand()));
  }
  friend VulkanFloat operator-(VulkanFloat a, VulkanFloat b) { return a + -b; }
  friend VulkanFloat operator-(VulkanFloat a) {
    a.v_ = -a.v_;
    a.a_ = -a.a_;
    return a;
  }
  friend bool operator<(VulkanFloat a, VulkanFloat b) { return input(a.v_) < input(b.v_); }
  friend bool operator>(VulkanFloat a, VulkanFloat b) { return b < a; }
  friend VulkanFloat inversesqrt(VulkanFloat a) { return near(exact_inversesqrt(input(a.v_)), 2); }
  friend VulkanFloat sqrt(VulkanFloat a) { return VulkanFloat(1.0) / inversesqrt(a); }
  friend VulkanFloat select(bool c, VulkanFloat a, VulkanFloat b) { return c ? a : b; }

 private:
  static std::uint64_t bits() { return state_ = Random(state_).bits(); }
  // Coins are tossed without branches, of which processors would guess every second one wrong. One bit of many drawn at
  // once: most operations want one or two.
  static std::uint32_t coin() {
    if (coins_ == 1) coins_ = bits() | std::uint64_t{1} << 63;
    const auto heads = static_cast<std::uint32_t>(coins_ & 1);
    coins_ >>= 1;
    return heads;
  }
  // What a sum takes of it: of a product perhaps its exact value.
  double summand() const {
    if (!product_) return input(v_);
    const double choices[] = {input(v_), static_cast<double>(a_) * b_};
    return choices[coin()];
  }
  static constexpr std::uint32_t kExponent = 0x7f800000;
  static float input(float v) {
    const bool denormal = (std::bit_cast<std::uint32_t>(v) & kExponent) == 0 && v != 0;
    return denormal && coin() == 1 ? 0 : v;
  }
  static VulkanFloat output(float v) {
    if ((std::bit_cast<std::uint32_t>(v) & kExponent) == kExponent) missed_ = true;
    VulkanFloat r;
    r.v_ = input(v);
    return r;
  }
  static VulkanFloat either(Exact e) {
    const float nearest = static_cast<float>(e.value);
    const double rounded = nearest;
    if (rounded == e.value && !(e.rest < 0) && !(e.rest > 0)) return output(nearest);
    const bool up = rounded < e.value || (rounded == e.value && e.rest > 0);
    if (nearest == 0) return output(coin() == 1 ? (up ? next_up(nearest) : next_down(nearest)) : nearest);
    // The neighbour is one away as an integer, outwards when it lies on the side of the sign.
    const auto as_integer = std::bit_cast<std::uint32_t>(nearest);
    const std::uint32_t inwards = static_cast<std::uint32_t>(up) ^ (~as_integer >> 31);
    return output(std::bit_cast<float>(as_integer + coin() * (1u - 2u * inwards)));
  }
  // Anything at most `ulp` units in the last place away: half a unit of that is the final rounding.
  static VulkanFloat near(Exact e, double ulp) {
    if (!std::isfinite(e.value)) return output(static_cast<float>(e.value));
    const float size = std::abs(static_cast<float>(e.value));
    const double unit =
        size < std::numeric_limits<float>::max() ? static_cast<double>(next_up(size)) - size : 0;
    const double share = static_cast<double>(bits() >> 11) * 0x1p-52 - 1;  // in [-1, 1)
    return output(static_cast<float>(e.value + share * (ulp - .5) * unit));
  }

  float v_ = 0, a_ = 0, b_ = 0;  // the value; its factors when it is a product
  bool product_ = false;
  static constinit thread_local std::uint64_t state_, coins_;  // coins_: those left, below a 1 as the end
  static constinit thread_local bool missed_;
};

inline constinit thread_local std::uint64_t VulkanFloat::state_ = 0, VulkanFloat::coins_ = 1;
inline constinit thread_local bool VulkanFloat::missed_ = false;

}  // namespace skinlight
