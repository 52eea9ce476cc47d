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
#include "skinlight/core/operation_bits.h"

namespace skinlight {

class VulkanFloat {
 public:
  VulkanFloat() = default;
  explicit VulkanFloat(double value) : v_(static_cast<float>(value)), exact_(v_) {}

  float value() const { return v_; }
  // What the operations of this thread are seeded with; also forgets misses.
  static void seed(std::uint64_t value) {
    seed_ = Random(value).bits();
    missed_ = false;
  }
  // Whether a value was not finite since then.
  static bool missed() { return missed_; }

  friend VulkanFloat operator*(VulkanFloat a, VulkanFloat b) {
    Coins coins(Operation::product, a.v_, b.v_);
    const float x = input(a.v_, coins), y = input(b.v_, coins);
    const Exact product = exact_product(x, y);
    VulkanFloat r = either(product, coins);
    r.exact_ = product.value;
    r.product_ = 1;
    return r;
  }
  friend VulkanFloat operator/(VulkanFloat a, VulkanFloat b) {
    Coins coins(Operation::quotient, a.v_, b.v_);
    const double x = input(a.v_, coins), y = input(b.v_, coins);
    return near(x / y, 2.5, coins);
  }
  friend VulkanFloat operator+(VulkanFloat a, VulkanFloat b) {
    Coins coins(Operation::sum, a.v_, b.v_);
    const std::uint32_t left = coins.toss() & a.product_, right = coins.toss() & b.product_ & (left ^ 1);
    const double x = choice(left, a.exact_, input(a.v_, coins)),
                 y = choice(right, b.exact_, input(b.v_, coins));
    return either(two_sum(x, y), coins);
  }
  friend VulkanFloat operator-(VulkanFloat a, VulkanFloat b) { return a + -b; }
  friend VulkanFloat operator-(VulkanFloat a) {
    a.v_ = -a.v_;
    a.exact_ = -a.exact_;
    return a;
  }
  friend bool operator<(VulkanFloat a, VulkanFloat b) {
    Coins coins(Operation::comparison, a.v_, b.v_);
    const float x = input(a.v_, coins), y = input(b.v_, coins);
    return x < y;
  }
  friend bool operator>(VulkanFloat a, VulkanFloat b) { return b < a; }
  friend VulkanFloat inversesqrt(VulkanFloat a) {
    Coins coins(Operation::inverse_square_root, a.v_, 0);
    return near(1 / std::sqrt(static_cast<double>(input(a.v_, coins))), 2, coins);
  }
  friend VulkanFloat sqrt(VulkanFloat a) { return VulkanFloat(1.0) / inversesqrt(a); }
  friend VulkanFloat select(bool c, VulkanFloat a, VulkanFloat b) { return c ? a : b; }

 private:
  // Of one operation. They are tossed and followed without branches, of which processors would guess every second one
  // wrong.
  class Coins {
   public:
    Coins(Operation operation, float x, float y) : bits_(operation_bits(seed_, operation, x, y)) {}
    std::uint32_t toss() {
      const auto heads = static_cast<std::uint32_t>(bits_ & 1);
      bits_ >>= 1;
      return heads;
    }
    // In [-1, 1), of what few tosses have left.
    double share() const { return static_cast<double>(bits_ & kShareMask) * 0x1p-51 - 1; }

   private:
    static constexpr std::uint64_t kShareMask = (std::uint64_t{1} << 52) - 1;
    std::uint64_t bits_;
  };

  static double choice(std::uint32_t first, double a, double b) {
    const std::uint64_t mask = std::uint64_t{0} - first;
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & mask) |
                                 (std::bit_cast<std::uint64_t>(b) & ~mask));
  }

  static constexpr std::uint32_t kExponent = 0x7f800000, kSign = 0x80000000, kSmallest = 0x00800000;
  [[gnu::always_inline]] static float input(float v, Coins& coins) {
    const auto bits = std::bit_cast<std::uint32_t>(v), size = bits & ~kSign;
    const std::uint32_t flushed = coins.toss();
    if (size - 1 < kSmallest - 1) [[unlikely]]  // a denormal
      return std::bit_cast<float>(bits & (kSign | (flushed - 1)));
    return v;
  }
  [[gnu::always_inline]] static VulkanFloat output(float v, Coins& coins) {
    if ((std::bit_cast<std::uint32_t>(v) & kExponent) == kExponent) [[unlikely]]
      missed_ = true;
    VulkanFloat r;
    r.v_ = input(v, coins);
    r.exact_ = r.v_;
    return r;
  }
  [[gnu::always_inline]] static VulkanFloat either(Exact e, Coins& coins) {
    const float nearest = static_cast<float>(e.value);
    // What rounding took away: its sign is right, for a difference that is not 0 exceeds the rest.
    const double lost = (e.value - static_cast<double>(nearest)) + e.rest;
    // The neighbour is one away as an integer: outwards when it lies on the side of the sign, as it does of 0.
    const auto as_integer = std::bit_cast<std::uint32_t>(nearest);
    const std::uint32_t inwards =
        static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(lost) >> 63) ^ (as_integer >> 31);
    const std::uint32_t any = (lost > 0 ? 1 : 0) | (lost < 0 ? 1 : 0);
    const std::uint32_t step = (coins.toss() & any) * (1u - 2u * inwards);
    return output(std::bit_cast<float>(as_integer + step), coins);
  }
  // Anything at most `ulp` units in the last place away: half a unit of that is the final rounding.
  static VulkanFloat near(double exact, double ulp, Coins& coins) {
    const float size = std::abs(static_cast<float>(exact));
    const bool inside = size < std::numeric_limits<float>::max();
    const double unit = inside ? static_cast<double>(next_up(size)) - size : 0;
    return output(static_cast<float>(exact + Coins(coins).share() * (ulp - .5) * unit), coins);
  }

  float v_ = 0;
  std::uint32_t product_ = 0;  // 1: of a product,
  double exact_ = 0;           // which this is without its rounding; else the value
  static constinit thread_local std::uint64_t seed_;
  static constinit thread_local bool missed_;
};

inline constinit thread_local std::uint64_t VulkanFloat::seed_ = 0;
inline constinit thread_local bool VulkanFloat::missed_ = false;

}  // namespace skinlight
