// The inner loop of sum_by_bone_pairs(), once per instruction set: the same bytes from all. Inside this room
// only.
#pragma once

namespace skinlight {

// A triangle as one pair of bones sees it: weights times sqrt(log2 e) / sigma, and a_t w_j w_k times
// (1, v_t).
struct PairSource {
  double w_j, w_k, mass, x, y, z;
};

inline constexpr int kRowsPerBlock = 8;

// The weights (w_j, w_k) that vertices have, and the sums over all sources of 2^-(w_j s_k - w_k s_j)^2 times
// their (mass, x, y, z).
struct RowBlock {
  double w_j[kRowsPerBlock], w_k[kRowsPerBlock];
  double mass[kRowsPerBlock], x[kRowsPerBlock], y[kRowsPerBlock], z[kRowsPerBlock];
};

// Exponents end at `largest`, below 1022. Every row adds up in the order of the sources.
using SumPairSources = void (*)(const PairSource* sources, long count, double largest, RowBlock& rows);
void sum_pair_sources(const PairSource* sources, long count, double largest, RowBlock& rows);
void sum_pair_sources_avx2(const PairSource* sources, long count, double largest, RowBlock& rows);

}  // namespace skinlight
