// VulkanFloat (core/vulkan_float.h), several at once, each with its own seed: lane by lane the same bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "skinlight/core/operation_bits.h"
#include "skinlight/core/pack.h"

namespace skinlight {

// Lanes as the 64-bit numbers of a register, and as many of 32 bits. Specialised as those of pack.h are.
template <int Lanes>
struct MixedRegister;
template <>
struct MixedRegister<2> {
  using Float = float __attribute__((vector_size(8)));
  using Word = std::uint32_t __attribute__((vector_size(8)));
  using Double = double __attribute__((vector_size(16)));
  using Long = std::uint64_t __attribute__((vector_size(16)));
};
#if defined(__AVX__)
template <>
struct MixedRegister<4> {
  using Float = float __attribute__((vector_size(16)));
  using Word = std::uint32_t __attribute__((vector_size(16)));
  using Double = double __attribute__((vector_size(32)));
  using Long = std::uint64_t __attribute__((vector_size(32)));
};
#endif

// Tag: see core/pack.h.
template <class Tag = void>
class VulkanPack {
 public:
  static constexpr int kLanes = kRegisterBytes / 8;

 private:
  using Float = typename MixedRegister<kLanes>::Float;
  using Word = typename MixedRegister<kLanes>::Word;
  using Double = typename MixedRegister<kLanes>::Double;
  using Long = typename MixedRegister<kLanes>::Long;
  using Signed = decltype(Float{} < Float{});        // of masks of 32 bits: all ones or 0
  using SignedLong = decltype(Double{} < Double{});  // of 64 bits

 public:
  struct Mask {
    Signed v;
    friend Mask operator&&(Mask a, Mask b) { return {a.v & b.v}; }
    friend Mask operator||(Mask a, Mask b) { return {a.v | b.v}; }
  };

  VulkanPack() = default;
  explicit VulkanPack(double value) : VulkanPack(static_cast<float>(value) - Float{}) {}  // -0 stays -0
  static VulkanPack load(const float* from) {
    Float v;
    std::memcpy(&v, from, sizeof v);
    return VulkanPack(v);
  }

  void store(float* to) const { std::memcpy(to, &v_, sizeof v_); }
  // What the operations of this thread are seeded with, lane by lane; also forgets misses.
  static void seed(const std::uint64_t (&values)[kLanes]) {
    for (int l = 0; l < kLanes; ++l) seed_[l] = Random(values[l]).bits();
    missed_ = Signed{};
  }
  // Whether a value of the lane was not finite since then.
  static bool missed(int lane) { return missed_[lane] != 0; }

  friend VulkanPack operator*(const VulkanPack& a, const VulkanPack& b) {
    const Coins coins(Operation::product, a.v_, b.v_);
    const Double product = wide(input(a.v_, coins.heads(0))) * wide(input(b.v_, coins.heads(1)));
    VulkanPack r = either(product, Double{}, coins, 2);
    r.exact_ = product;
    r.product_ = ~Signed{};
    return r;
  }
  friend VulkanPack operator/(const VulkanPack& a, const VulkanPack& b) {
    const Coins coins(Operation::quotient, a.v_, b.v_);
    const Double x = wide(input(a.v_, coins.heads(0))), y = wide(input(b.v_, coins.heads(1)));
    return near(x / y, 2.5, coins, 2);
  }
  friend VulkanPack operator+(const VulkanPack& a, const VulkanPack& b) {
    const Coins coins(Operation::sum, a.v_, b.v_);
    const Signed left = coins.heads(0) & a.product_, right = coins.heads(1) & b.product_ & ~left;
    const Double x = choice(left, a.exact_, wide(input(a.v_, coins.heads(2)))),
                 y = choice(right, b.exact_, wide(input(b.v_, coins.heads(3))));
    const Double s = x + y, t = s - x;  // two_sum()
    return either(s, (x - (s - t)) + (y - t), coins, 4);
  }
  friend VulkanPack operator-(const VulkanPack& a, const VulkanPack& b) { return a + -b; }
  friend VulkanPack operator-(VulkanPack a) {
    a.v_ = -a.v_;
    a.exact_ = -a.exact_;
    return a;
  }
  friend Mask operator<(const VulkanPack& a, const VulkanPack& b) {
    const Coins coins(Operation::comparison, a.v_, b.v_);
    return {input(a.v_, coins.heads(0)) < input(b.v_, coins.heads(1))};
  }
  friend Mask operator>(const VulkanPack& a, const VulkanPack& b) { return b < a; }
  friend VulkanPack inversesqrt(const VulkanPack& a) {
    const Coins coins(Operation::inverse_square_root, a.v_, Float{});
    return near(1 / root(wide(input(a.v_, coins.heads(0)))), 2, coins, 1);
  }
  friend VulkanPack sqrt(const VulkanPack& a) { return VulkanPack(1.0) / inversesqrt(a); }
  friend VulkanPack select(Mask c, VulkanPack a, const VulkanPack& b) {
    a.v_ = c.v ? a.v_ : b.v_;
    a.exact_ = choice(c.v, a.exact_, b.exact_);
    a.product_ = (c.v & a.product_) | (~c.v & b.product_);
    return a;
  }

 private:
  // What VulkanFloat tosses one after the other, by their numbers.
  class Coins {
   public:
    Coins(Operation operation, Float x, Float y) {
      bits_ = mixed_operands(seed_, operation, __builtin_convertvector(__builtin_bit_cast(Word, x), Long),
                             __builtin_convertvector(__builtin_bit_cast(Word, y), Long));
      low_ = __builtin_convertvector(bits_, Word);
    }
    Signed heads(int number) const { return (Signed)(low_ << (31 - number)) >> 31; }
    // In [-1, 1), of what is left after so many tosses.
    Double share(int tossed) const {
      constexpr std::uint64_t kShareMask = (std::uint64_t{1} << 52) - 1;
      // Behind the point of 2^52 stand 52 bits as a whole number.
      const Long whole = ((bits_ >> tossed) & kShareMask) | 0x4330000000000000u;
      return (__builtin_bit_cast(Double, whole) - 0x1p52) * 0x1p-51 - 1;
    }

   private:
    Long bits_;
    Word low_;
  };

  static constexpr std::uint32_t kExponent = 0x7f800000, kSign = 0x80000000;

  explicit VulkanPack(Float v) : v_(v), product_{}, exact_(wide(v)) {}

  static Double wide(Float v) { return __builtin_convertvector(v, Double); }
  static Float narrow(Double v) { return __builtin_convertvector(v, Float); }
  static Double choice(Signed first, Double a, Double b) {
    return __builtin_convertvector(first, SignedLong) ? a : b;
  }
  static Double root(Double x) {
#if defined(__AVX__)
    return (Double)_mm256_sqrt_pd((__m256d)x);
#else
    for (int l = 0; l < kLanes; ++l) x[l] = std::sqrt(x[l]);
    return x;
#endif
  }
  // Denormals may lose all but the sign.
  static Float input(Float v, Signed flushed) {
    const Word bits = __builtin_bit_cast(Word, v);
    const Signed normal = (bits & kExponent) != 0;
    return __builtin_bit_cast(Float, bits & ((Word)normal | (Word)~flushed | kSign));
  }
  static VulkanPack output(Float v, Signed flushed) {
    missed_ |= (__builtin_bit_cast(Word, v) & kExponent) == kExponent;
    return VulkanPack(input(v, flushed));
  }
  // The exact result is value + rest.
  static VulkanPack either(Double value, Double rest, const Coins& coins, int number) {
    const Float nearest = narrow(value);
    const Double lost = (value - wide(nearest)) + rest;
    const Word as_integer = __builtin_bit_cast(Word, nearest);
    const Signed inwards =
        (Signed)(__builtin_convertvector(__builtin_bit_cast(Long, lost) >> 32, Word) ^ as_integer) >> 31;
    const Signed any = __builtin_convertvector((lost > 0) | (lost < 0), Signed);
    const Signed step = coins.heads(number) & any & (inwards | 1);
    return output(__builtin_bit_cast(Float, as_integer + (Word)step), coins.heads(number + 1));
  }
  static VulkanPack near(Double exact, double ulp, const Coins& coins, int number) {
    const Word size = __builtin_bit_cast(Word, narrow(exact)) & ~kSign;
    const Double unit = wide(__builtin_bit_cast(Float, size + 1)) - wide(__builtin_bit_cast(Float, size));
    const SignedLong inside = __builtin_convertvector(
        __builtin_bit_cast(Float, size) < std::numeric_limits<float>::max(), SignedLong);
    const Double kept = inside ? unit : Double{};
    return output(narrow(exact + coins.share(number) * (ulp - .5) * kept), coins.heads(number));
  }

  Float v_;
  Signed product_;  // where it is a product,
  Double exact_;    // which this is without its rounding; else the value
  static constinit thread_local Long seed_;
  static constinit thread_local Signed missed_;
};

template <class Tag>
constinit thread_local typename VulkanPack<Tag>::Long VulkanPack<Tag>::seed_{};
template <class Tag>
constinit thread_local typename VulkanPack<Tag>::Signed VulkanPack<Tag>::missed_{};

}  // namespace skinlight
