// SIMD lanes as a scalar: the kernels run over Pack<8> compute eight vertices at once. Every operation rounds
// lane by lane as that of `Real`: results depend neither on the number of lanes nor on the instruction set.
//
// A file compiled for another instruction set than the rest gives its own Tag, a type of an unnamed
// namespace: then whatever is instantiated over its packs is its own, and the linker cannot run it on a
// machine without that set (core/cpu.h).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace skinlight {

#if defined(__AVX__)
inline constexpr int kRegisterBytes = 32;
#else
inline constexpr int kRegisterBytes = 16;
#endif

// Vectors of the compilers (GCC, Clang) and integers of the same size. Specialised, because GCC loses the
// attribute when the size depends on a template's parameter.
template <class Real, int Lanes>
struct Register;
template <class T>
struct Register<T, 1> {
  using Real = T;
  using Bits = unsigned long long;
};
template <>
struct Register<float, 4> {
  using Real = float __attribute__((vector_size(16)));
  using Bits = unsigned int __attribute__((vector_size(16)));
};
template <>
struct Register<double, 2> {
  using Real = double __attribute__((vector_size(16)));
  using Bits = unsigned long long __attribute__((vector_size(16)));
};
#if defined(__AVX__)
template <>
struct Register<float, 8> {
  using Real = float __attribute__((vector_size(32)));
  using Bits = unsigned int __attribute__((vector_size(32)));
};
template <>
struct Register<double, 4> {
  using Real = double __attribute__((vector_size(32)));
  using Bits = unsigned long long __attribute__((vector_size(32)));
};
#endif

template <int Lanes, class Real = float, class Tag = void>
struct Pack {
  using Lane = Real;
  static constexpr int kLanes = Lanes;
  static constexpr int kPerRegister = Lanes * static_cast<int>(sizeof(Real)) < kRegisterBytes
                                          ? Lanes
                                          : kRegisterBytes / static_cast<int>(sizeof(Real));
  static constexpr int kRegisters = Lanes / kPerRegister;
  static_assert(Lanes % kPerRegister == 0);
  using Native = typename Register<Real, kPerRegister>::Real;
  using Bits = typename Register<Real, kPerRegister>::Bits;

  struct Mask {
    decltype(Native{} < Native{}) v[kRegisters];
    friend Mask operator&&(Mask a, Mask b) {
      for (int i = 0; i < kRegisters; ++i) a.v[i] = a.v[i] & b.v[i];
      return a;
    }
    friend Mask operator||(Mask a, Mask b) {
      for (int i = 0; i < kRegisters; ++i) a.v[i] = a.v[i] | b.v[i];
      return a;
    }
  };

  Native v[kRegisters];

  Pack() = default;
  // Every lane the same.
  explicit Pack(double s) {
    for (Native& r : v) r = static_cast<Real>(s) - Native{};  // -0 stays -0
  }
  // The lanes at `from[0 .. Lanes)`.
  static Pack load(const Real* from) {
    Pack p;
    std::memcpy(&p.v, from, sizeof p.v);
    return p;
  }
  void store(Real* to) const { std::memcpy(to, &v, sizeof v); }

  friend Pack operator+(Pack a, Pack b) {
    for (int i = 0; i < kRegisters; ++i) a.v[i] = a.v[i] + b.v[i];
    return a;
  }
  friend Pack operator-(Pack a, Pack b) {
    for (int i = 0; i < kRegisters; ++i) a.v[i] = a.v[i] - b.v[i];
    return a;
  }
  friend Pack operator-(Pack a) {
    for (int i = 0; i < kRegisters; ++i) a.v[i] = -a.v[i];
    return a;
  }
  friend Pack operator*(Pack a, Pack b) {
    for (int i = 0; i < kRegisters; ++i) a.v[i] = a.v[i] * b.v[i];
    return a;
  }
  friend Pack operator/(Pack a, Pack b) {
    for (int i = 0; i < kRegisters; ++i) a.v[i] = a.v[i] / b.v[i];
    return a;
  }
  friend Mask operator<(Pack a, Pack b) {
    Mask m;
    for (int i = 0; i < kRegisters; ++i) m.v[i] = a.v[i] < b.v[i];
    return m;
  }
  friend Mask operator>(Pack a, Pack b) { return b < a; }
  // Whether it holds in every lane.
  friend bool all(const Mask& m) {
    for (int i = 0; i < kRegisters; ++i)
      if (!whole(m.v[i])) return false;
    return true;
  }
  friend Pack sqrt(Pack a) {
    for (int i = 0; i < kRegisters; ++i) a.v[i] = root(a.v[i]);
    return a;
  }
  friend Pack inversesqrt(Pack a) { return Pack(1.0) / sqrt(a); }
  friend Pack select(Mask c, Pack a, Pack b) {
    for (int i = 0; i < kRegisters; ++i) a.v[i] = c.v[i] ? a.v[i] : b.v[i];
    return a;
  }
  // The sum of both as integers, a's shifted left before: what a power of two is made of.
  friend Pack sum_of_bits(Pack a, int shift, Pack b) {
    for (int i = 0; i < kRegisters; ++i)
      a.v[i] = __builtin_bit_cast(
          Native, (__builtin_bit_cast(Bits, a.v[i]) << shift) + __builtin_bit_cast(Bits, b.v[i]));
    return a;
  }

  // Lane l of out[k] is from[l][k], for k = 0 .. 3.
  static void load_four(const Real* const (&from)[Lanes], Pack (&out)[4]) {
#if defined(__SSE2__)
    if constexpr (sizeof(Real) == 4 && kPerRegister >= 4) {
      for (int i = 0; i < kRegisters; ++i) {
        Native row[4];
        for (int l = 0; l < 4; ++l) row[l] = quads(from + i * kPerRegister + l);
        const Native xy01 = low_pairs(row[0], row[1]), xy23 = low_pairs(row[2], row[3]),
                     zw01 = high_pairs(row[0], row[1]), zw23 = high_pairs(row[2], row[3]);
        out[0].v[i] = low_halves(xy01, xy23);
        out[1].v[i] = high_halves(xy01, xy23);
        out[2].v[i] = low_halves(zw01, zw23);
        out[3].v[i] = high_halves(zw01, zw23);
      }
      return;
    }
#endif
    for (int k = 0; k < 4; ++k) {
      Real lanes[Lanes];
      for (int l = 0; l < Lanes; ++l) lanes[l] = from[l][k];
      out[k] = load(lanes);
    }
  }

  // (x, y, z) of lane l to to[3 * at[l]] and behind, for the lanes up to `count`.
  static void store_points(Pack x, Pack y, Pack z, Real* to, const int* at, int count) {
#if defined(__SSE2__)
    if constexpr (sizeof(Real) == 4 && kPerRegister >= 4) {
      if (count == Lanes) {
        using Two = typename Register<double, sizeof(Native) / 8>::Real;  // of (x, y) each
        for (int i = 0; i < kRegisters; ++i, at += kPerRegister) {
          const Two two[2] = {(Two)low_pairs(x.v[i], y.v[i]), (Two)high_pairs(x.v[i], y.v[i])};
          for (int l = 0; l < kPerRegister; ++l) {
            Real* const point = to + 3 * static_cast<std::ptrdiff_t>(at[l]);
            const double xy = two[l % 4 / 2][l / 4 * 2 + l % 2];
            std::memcpy(point, &xy, sizeof xy);
            point[2] = z.v[i][l];
          }
        }
        return;
      }
    }
#endif
    Real rows[3][Lanes];
    x.store(rows[0]);
    y.store(rows[1]);
    z.store(rows[2]);
    for (int l = 0; l < count; ++l)
      for (int c = 0; c < 3; ++c) to[3 * static_cast<std::ptrdiff_t>(at[l]) + c] = rows[c][l];
  }

 private:
  using Truth = decltype(Native{} < Native{});  // all bits of a lane, or none

  static bool whole(Truth m) {
    if constexpr (kPerRegister == 1) {
      return m;
    } else {
#if defined(__AVX__)
      if constexpr (sizeof(Truth) == 32 && sizeof(Real) == 4) return _mm256_movemask_ps((__m256)m) == 0xff;
      if constexpr (sizeof(Truth) == 32 && sizeof(Real) == 8) return _mm256_movemask_pd((__m256d)m) == 0xf;
#endif
#if defined(__SSE2__)
      if constexpr (sizeof(Truth) == 16 && sizeof(Real) == 4) return _mm_movemask_ps((__m128)m) == 0xf;
      if constexpr (sizeof(Truth) == 16 && sizeof(Real) == 8) return _mm_movemask_pd((__m128d)m) == 0x3;
#endif
      unsigned long long words[sizeof m / sizeof(long long)], both = ~0ull;
      std::memcpy(words, &m, sizeof m);
      for (const unsigned long long word : words) both &= word;
      return both == ~0ull;
    }
  }

  static Native root(Native x) {
    if constexpr (kPerRegister == 1) {
      return std::sqrt(x);
    } else {
#if defined(__AVX__)
      if constexpr (sizeof(Native) == 32 && sizeof(Real) == 4) return (Native)_mm256_sqrt_ps((__m256)x);
      if constexpr (sizeof(Native) == 32 && sizeof(Real) == 8) return (Native)_mm256_sqrt_pd((__m256d)x);
#endif
#if defined(__SSE2__)
      if constexpr (sizeof(Native) == 16 && sizeof(Real) == 4) return (Native)_mm_sqrt_ps((__m128)x);
      if constexpr (sizeof(Native) == 16 && sizeof(Real) == 8) return (Native)_mm_sqrt_pd((__m128d)x);
#endif
      for (int l = 0; l < kPerRegister; ++l) x[l] = std::sqrt(x[l]);
      return x;
    }
  }

#if defined(__SSE2__)
  // Shuffles of floats within 16 bytes, on one or two of them.
  static Native quads(const Real* const* from) {
#if defined(__AVX__)
    if constexpr (sizeof(Native) == 32)
      return (Native)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from[0])),
                                          _mm_loadu_ps(from[4]), 1);
    else
#endif
      return (Native)_mm_loadu_ps(from[0]);
  }
  static Native low_pairs(Native a, Native b) {
#if defined(__AVX__)
    if constexpr (sizeof(Native) == 32)
      return (Native)_mm256_unpacklo_ps((__m256)a, (__m256)b);
    else
#endif
      return (Native)_mm_unpacklo_ps((__m128)a, (__m128)b);
  }
  static Native high_pairs(Native a, Native b) {
#if defined(__AVX__)
    if constexpr (sizeof(Native) == 32)
      return (Native)_mm256_unpackhi_ps((__m256)a, (__m256)b);
    else
#endif
      return (Native)_mm_unpackhi_ps((__m128)a, (__m128)b);
  }
  static Native low_halves(Native a, Native b) {
#if defined(__AVX__)
    if constexpr (sizeof(Native) == 32)
      return (Native)_mm256_shuffle_ps((__m256)a, (__m256)b, 0x44);
    else
#endif
      return (Native)_mm_shuffle_ps((__m128)a, (__m128)b, 0x44);
  }
  static Native high_halves(Native a, Native b) {
#if defined(__AVX__)
    if constexpr (sizeof(Native) == 32)
      return (Native)_mm256_shuffle_ps((__m256)a, (__m256)b, 0xee);
    else
#endif
      return (Native)_mm_shuffle_ps((__m128)a, (__m128)b, 0xee);
  }
#endif
};

}  // namespace skinlight
