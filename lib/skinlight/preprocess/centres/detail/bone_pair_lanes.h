// The text of both kernels of bone_pair_kernel.h over vectors of `Bytes`. Everything here has internal
// linkage, so that no copy compiled for one instruction set stands in for another's. Vectors are those of the
// compilers (GCC, Clang): their arithmetic is per lane and rounds as that of double.
#pragma once

#include "skinlight/preprocess/centres/detail/bone_pair_kernel.h"

namespace skinlight {
namespace {

// Specialised, because GCC loses the attribute when the size depends on a template's parameter.
template <int Bytes>
struct Lanes;
template <>
struct Lanes<16> {
  using Real = double __attribute__((vector_size(16)));
  using Bits = unsigned long long __attribute__((vector_size(16)));
};
template <>
struct Lanes<32> {
  using Real = double __attribute__((vector_size(32)));
  using Bits = unsigned long long __attribute__((vector_size(32)));
};

// 2^-y for 0 <= y < 1022, within an ulp.
template <int Bytes>
inline typename Lanes<Bytes>::Real exp2_of_minus(typename Lanes<Bytes>::Real y) {
  using Real = typename Lanes<Bytes>::Real;
  using Bits = typename Lanes<Bytes>::Bits;
  constexpr double kToInteger = 0x1.8p52;  // less a number: its nearest integer is in the low bits
  const Real shifted = kToInteger - y;
  const Real r = (kToInteger - shifted) - y;  // exact, |r| <= 1/2
  // Of degree 11 with the least relative error, 3e-18 (Remez); even and odd powers apart: two short chains.
  const Real q = r * r;
  Real even = 0x1.e620fb67ac6ddp-28 * q + 0x1.62bfc3c1d2153p-20;
  even = even * q + 0x1.43091310bf66dp-13;
  even = even * q + 0x1.3b2ab6fb9f413p-7;
  even = even * q + 0x1.ebfbdff82c5adp-3;
  even = even * q;
  Real odd = 0x1.e7aa1c12faa3cp-32 * q + 0x1.b5267882d5309p-24;
  odd = odd * q + 0x1.ffcbfba7bc9a1p-17;
  odd = odd * q + 0x1.5d87fe78cf260p-10;
  odd = odd * q + 0x1.c6b08d7049fd1p-5;
  odd = odd * q + 0x1.62e42fefa39efp-1;
  const Real e = (odd * r + even) + 1.0;           // the 1 last: its rounding is the only one of its size
  return (Real)((Bits)e + ((Bits)shifted << 52));  // times 2^-(y + r)
}

template <int Bytes, int Vectors>
inline void sum_rows(const PairSource* sources, long count, double largest, RowBlock& rows, int first) {
  using Real = typename Lanes<Bytes>::Real;
  constexpr int kLanes = Bytes / 8;
  Real w_j[Vectors], w_k[Vectors], mass[Vectors] = {}, x[Vectors] = {}, y[Vectors] = {}, z[Vectors] = {};
  for (int v = 0; v < Vectors; ++v)
    for (int l = 0; l < kLanes; ++l) {
      w_j[v][l] = rows.w_j[first + v * kLanes + l];
      w_k[v][l] = rows.w_k[first + v * kLanes + l];
    }
  const Real limit = Real{} + largest;
  for (const PairSource* s = sources; s != sources + count; ++s)
    for (int v = 0; v < Vectors; ++v) {
      const Real difference = w_j[v] * s->w_k - w_k[v] * s->w_j;
      const Real square = difference * difference;
      const Real similar = exp2_of_minus<Bytes>(square < limit ? square : limit);
      mass[v] += similar * s->mass;
      x[v] += similar * s->x;
      y[v] += similar * s->y;
      z[v] += similar * s->z;
    }
  for (int v = 0; v < Vectors; ++v)
    for (int l = 0; l < kLanes; ++l) {
      const int row = first + v * kLanes + l;
      rows.mass[row] = mass[v][l];
      rows.x[row] = x[v][l];
      rows.y[row] = y[v][l];
      rows.z[row] = z[v][l];
    }
}

// A block in parts of two vectors: their sums fit into 16 registers.
template <int Bytes>
inline void sum_block(const PairSource* sources, long count, double largest, RowBlock& rows) {
  constexpr int kVectors = 2, kRows = kVectors * Bytes / 8;
  static_assert(kRowsPerBlock % kRows == 0);
  for (int first = 0; first < kRowsPerBlock; first += kRows)
    sum_rows<Bytes, kVectors>(sources, count, largest, rows, first);
}

}  // namespace
}  // namespace skinlight
