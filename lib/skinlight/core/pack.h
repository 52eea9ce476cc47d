// SIMD lanes as a scalar: the kernels run over Pack<8> compute eight vertices at once.
//
// A file compiled for another instruction set than the rest gives its own Tag, a type of an unnamed
// namespace: then whatever is instantiated over its packs is its own, and the linker cannot run it on a
// machine without that set.
#pragma once

#include <experimental/simd>

namespace skinlight {

template <int Lanes, class Tag = void>
struct Pack {
  static constexpr int kLanes = Lanes;
  // The machine's own registers where they fit; fixed_size_simd alone goes through memory.
  using Simd = std::experimental::simd<float, std::experimental::simd_abi::deduce_t<float, Lanes>>;
  using Mask = typename Simd::mask_type;
  Simd v;

  Pack() = default;
  explicit Pack(double s) : v(static_cast<float>(s)) {}
  explicit Pack(Simd s) : v(s) {}
  // The lanes at `from[0 .. Lanes)`.
  static Pack load(const float* from) { return Pack(Simd(from, std::experimental::element_aligned)); }
  void store(float* to) const { v.copy_to(to, std::experimental::element_aligned); }

  friend Pack operator+(Pack a, Pack b) { return Pack(Simd(a.v + b.v)); }
  friend Pack operator-(Pack a, Pack b) { return Pack(Simd(a.v - b.v)); }
  friend Pack operator-(Pack a) { return Pack(Simd(-a.v)); }
  friend Pack operator*(Pack a, Pack b) { return Pack(Simd(a.v * b.v)); }
  friend Pack operator/(Pack a, Pack b) { return Pack(Simd(a.v / b.v)); }
  friend Mask operator<(Pack a, Pack b) { return a.v < b.v; }
  friend Mask operator>(Pack a, Pack b) { return a.v > b.v; }
  friend Pack sqrt(Pack a) { return Pack(Simd(std::experimental::sqrt(a.v))); }
  friend Pack inversesqrt(Pack a) { return Pack(Simd(1.0f / std::experimental::sqrt(a.v))); }
  friend Pack select(Mask c, Pack a, Pack b) {
    std::experimental::where(c, b.v) = a.v;
    return b;
  }
};

}  // namespace skinlight
