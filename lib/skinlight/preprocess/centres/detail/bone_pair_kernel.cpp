#include "skinlight/preprocess/centres/detail/bone_pair_lanes.h"

namespace skinlight {

void sum_pair_sources(const PairSource* sources, long count, double largest, RowBlock& rows) {
  sum_block<4>(sources, count, largest, rows);
}

}  // namespace skinlight
