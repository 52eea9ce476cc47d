// What packs of lanes are tested by: every function of a pack, run over numbers in memory. Nothing here but templates over
// the tag (see skinlight/core/pack.h).
#pragma once

#include <cstddef>

#include "skinlight/core/pack.h"

namespace skinlight::testing {

inline constexpr int kMostLanes = 16, kPackPoints = 20;
inline constexpr int kPackPrograms = 14;

// Inputs and results, of which as many lanes are used as the pack has.
template <class Real>
struct PackLanes {
  Real a[kMostLanes], b[kMostLanes];
  Real out[kPackPrograms][kMostLanes];
  Real rows[kPackPoints][4];    // of load_four(), lane l takes row at[l]
  Real four[4][kMostLanes];     // its result
  int at[kMostLanes];           // lanes' places, all different
  int count;                    // of lanes that are stored as points
  Real points[kPackPoints][3];  // where store_points() writes
  Real sums[kMostLanes];        // of sum_of_bits(a, 3, b)
};

template <class P, class Real>
void run_pack(PackLanes<Real>& lanes) {
  const P a = P::load(lanes.a), b = P::load(lanes.b);
  int program = 0;
  const auto keep = [&](P result) { result.store(lanes.out[program++]); };
  keep(a);
  keep(a + b);
  keep(a - b);
  keep(-a);
  keep(a * b);
  keep(a / b);
  keep(sqrt(a * a));
  keep(inversesqrt(b * b));
  keep(select(a < b, a, b));
  keep(select(a > b, a, b));
  keep(select(a < b && a > P(.1), a, b));
  keep(select(a < b || a > P(.1), a, b));
  keep(P(-.1));
  keep(P(all(a < b + P(1.5)) ? 1 : 0));

  const Real* from[P::kLanes];
  for (int l = 0; l < P::kLanes; ++l) from[l] = lanes.rows[lanes.at[l]];
  P four[4];
  P::load_four(from, four);
  for (int k = 0; k < 4; ++k) four[k].store(lanes.four[k]);
  P::store_points(a, b, a * b, lanes.points[0], lanes.at, lanes.count);
  if constexpr (sizeof(typename P::Bits) == sizeof(typename P::Native))
    sum_of_bits(a, 3, b).store(lanes.sums);
}

// The numbers of lanes that packs are tested with: one number, one register and several.
template <class Real>
inline constexpr int kPackWidths[4] = {1, 16 / static_cast<int>(sizeof(Real)),
                                       32 / static_cast<int>(sizeof(Real)),
                                       64 / static_cast<int>(sizeof(Real))};

// width: of kPackWidths.
template <class Tag, class Real>
void run_pack_programs(int width, PackLanes<Real>& lanes) {
  constexpr auto& kWidths = kPackWidths<Real>;
  if (width == 0) run_pack<Pack<kWidths[0], Real, Tag>>(lanes);
  if (width == 1) run_pack<Pack<kWidths[1], Real, Tag>>(lanes);
  if (width == 2) run_pack<Pack<kWidths[2], Real, Tag>>(lanes);
  if (width == 3) run_pack<Pack<kWidths[3], Real, Tag>>(lanes);
}

}  // namespace skinlight::testing
