// Compiled for AVX2 (see core/cpu.h).
#include "skinlight/preprocess/centres/detail/bone_pair_lanes.h"

namespace skinlight {

void sum_pair_sources_avx2(const PairSource* sources, long count, double largest, RowBlock& rows) {
  sum_block<8>(sources, count, largest, rows);
}

}  // namespace skinlight
