// The text of both kernels of bone_pair_kernel.h over packs of doubles. Everything here has internal linkage, so
// that no copy compiled for one instruction set stands in for another's.
#pragma once

#include "skinlight/core/pack.h"
#include "skinlight/preprocess/centres/detail/bone_pair_kernel.h"

namespace skinlight {
namespace {

struct Here;  // see core/pack.h

// 2^-y for 0 <= y < 1022, within an ulp.
template <class Real>
Real exp2_of_minus(Real y) {
  const Real kToInteger(0x1.8p52);  // less a number: its nearest integer is in the low bits
  const Real shifted = kToInteger - y;
  const Real r = (kToInteger - shifted) - y;  // exact, |r| <= 1/2
  // Of degree 11 with the least relative error, 3e-18 (Remez); even and odd powers apart: two short chains.
  const Real q = r * r;
  Real even = Real(0x1.e620fb67ac6ddp-28) * q + Real(0x1.62bfc3c1d2153p-20);
  even = even * q + Real(0x1.43091310bf66dp-13);
  even = even * q + Real(0x1.3b2ab6fb9f413p-7);
  even = even * q + Real(0x1.ebfbdff82c5adp-3);
  even = even * q;
  Real odd = Real(0x1.e7aa1c12faa3cp-32) * q + Real(0x1.b5267882d5309p-24);
  odd = odd * q + Real(0x1.ffcbfba7bc9a1p-17);
  odd = odd * q + Real(0x1.5d87fe78cf260p-10);
  odd = odd * q + Real(0x1.c6b08d7049fd1p-5);
  odd = odd * q + Real(0x1.62e42fefa39efp-1);
  const Real e = (odd * r + even) + Real(1.0);  // the 1 last: its rounding is the only one of its size
  return sum_of_bits(shifted, 52, e);           // times 2^-(y + r)
}

// Lanes: rows at a time. Two registers of them: their sums fit into 16.
template <int Lanes>
void sum_block(const PairSource* sources, long count, double largest, RowBlock& rows) {
  using Real = Pack<Lanes, double, Here>;
  static_assert(kRowsPerBlock % Lanes == 0);
  const Real limit(largest);
  for (int first = 0; first < kRowsPerBlock; first += Lanes) {
    const Real w_j = Real::load(rows.w_j + first), w_k = Real::load(rows.w_k + first);
    Real mass(0.0), x(0.0), y(0.0), z(0.0);
    for (const PairSource* s = sources; s != sources + count; ++s) {
      const Real difference = w_j * Real(s->w_k) - w_k * Real(s->w_j);
      const Real square = difference * difference;
      const Real similar = exp2_of_minus(select(square < limit, square, limit));
      mass = mass + similar * Real(s->mass);
      x = x + similar * Real(s->x);
      y = y + similar * Real(s->y);
      z = z + similar * Real(s->z);
    }
    mass.store(rows.mass + first);
    x.store(rows.x + first);
    y.store(rows.y + first);
    z.store(rows.z + first);
  }
}

}  // namespace
}  // namespace skinlight
