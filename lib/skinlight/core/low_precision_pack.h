// Half (core/low_precision.h), eight at once: lane by lane the same bits.
#pragma once

#include <cstdint>

#include "skinlight/core/pack.h"

namespace skinlight {

// Operations are those of floats, whose 24 bits are twice those of a half and two more: then rounding their results gives
// what rounding the exact ones would [Figueroa 1995], below the smallest normal half too, where fewer bits are kept. Tag:
// see core/pack.h.
template <class Tag = void>
class HalfPack {
 public:
  static constexpr int kLanes = 8;
  using Floats = Pack<kLanes, float, Tag>;
  using Mask = typename Floats::Mask;

  HalfPack() = default;
  explicit HalfPack(double value) : HalfPack(Floats(to_odd(value))) {}
  static HalfPack load(const float* from) { return HalfPack(Floats::load(from)); }

  void store(float* to) const { v_.store(to); }

  friend HalfPack operator+(HalfPack a, HalfPack b) { return HalfPack(a.v_ + b.v_); }
  friend HalfPack operator-(HalfPack a, HalfPack b) { return HalfPack(a.v_ - b.v_); }
  friend HalfPack operator-(HalfPack a) {
    a.v_ = -a.v_;
    return a;
  }
  friend HalfPack operator*(HalfPack a, HalfPack b) { return HalfPack(a.v_ * b.v_); }
  friend HalfPack operator/(HalfPack a, HalfPack b) { return HalfPack(a.v_ / b.v_); }
  friend Mask operator<(HalfPack a, HalfPack b) { return a.v_ < b.v_; }
  friend Mask operator>(HalfPack a, HalfPack b) { return a.v_ > b.v_; }
  friend HalfPack sqrt(HalfPack a) { return HalfPack(sqrt(a.v_)); }
  friend HalfPack inversesqrt(HalfPack a) { return HalfPack(1.0) / sqrt(a); }
  friend HalfPack select(Mask c, HalfPack a, HalfPack b) {
    a.v_ = select(c, a.v_, b.v_);
    return a;
  }

 private:
  explicit HalfPack(Floats v) : v_(v) {
    for (auto& x : v_.v) x = rounded(x);
  }

  using Native = typename Floats::Native;
  using Bits = typename Floats::Bits;
  using Whole = decltype(Native{} < Native{});  // of the masks: signed

  // A float of 24 bits, odd when that is not exact, so that only the second rounding counts [Boldo, Melquiond 2008].
  static float to_odd(double value) {
    const auto nearest = static_cast<float>(value);
    const double left = value < 0 ? nearest - value : value - nearest;  // outwards
    auto bits = __builtin_bit_cast(std::uint32_t, nearest);
    if ((left > 0 || left < 0) && (bits & 1) == 0) bits += left > 0 ? 1u : ~0u;
    return __builtin_bit_cast(float, bits);
  }

  static Native rounded(Native x) {
    constexpr int kDropped = 13, kSign = 1 << 31, kInfinity = 0x7f800000;
    constexpr int kSmallest = 0x38800000, kBeyond = 0x47800000;  // 2^-14, 2^16
    const auto bits = __builtin_bit_cast(Bits, x);
    const Bits kept =
        (bits + ((1u << (kDropped - 1)) - 1) + ((bits >> kDropped) & 1u)) & ~((1u << kDropped) - 1);
    const auto size = (Whole)(bits & 0x7fffffffu);
    const Whole sign = (Whole)bits & kSign;
    // Adding 1.5 2^23 units of 2^-24 leaves no room for less than one.
    const auto low = __builtin_bit_cast(Whole, (x + .75f) - .75f);
    const Whole tiny = (size > 0) & (size < kSmallest);
    Whole r = (tiny & low) | (~tiny & (Whole)kept);
    const Whole beyond = (r & ~kSign) >= kBeyond;
    r = (beyond & (sign | kInfinity)) | (~beyond & r);
    const Whole none = size > kInfinity;  // NaN
    return __builtin_bit_cast(Native, (none & (Whole)bits) | (~none & r));
  }

  Floats v_;
};

}  // namespace skinlight
