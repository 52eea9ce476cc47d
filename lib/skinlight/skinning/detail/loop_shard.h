// A share of the table's loops over blocks: what one object file compiles (loops.cpp.in). Nothing is run from it before its
// instruction set is known to be there; the pointers are constants.
#pragma once

#include <type_traits>

#include "skinlight/skinning/block_loop.h"

namespace skinlight {

inline constexpr int kLoopShards = 6;  // as CMakeLists.txt makes

// Linear blending as engines have it frame by frame: a shard of its own, the first, so that it can be compiled to run fast
// where the rest has to be small.
template <class Kernel>
constexpr bool is_played = Kernel::method == Method::lbs &&
                           (Kernel::mode == NormalMode::standard || Kernel::mode == NormalMode::deform ||
                            Kernel::mode == NormalMode::smoothed ||
                            Kernel::mode == NormalMode::deform_vectors);

// Per kernel of the table its loops, null for those of other shards.
template <class Real>
struct LoopShard {
  LoopOf<Real> of[KernelTable::count] = {};
};

template <class Kernel>
constexpr int table_index() {
  int index = 0, found = -1;
  KernelTable::for_each([&]<class Other>(Other) {
    if (std::is_same_v<Other, Kernel>) found = index;
    ++index;
  });
  return found;
}

template <class Lanes, class Real, LoopUse use, int shard>
consteval LoopShard<Real> loop_shard() {
  LoopShard<Real> loops;
  KernelTable::for_each([&]<class Kernel>(Kernel) {
    constexpr int kIndex = table_index<Kernel>();
    constexpr int kOf = is_played<Kernel> ? 0 : 1 + kIndex % (kLoopShards - 1);
    if constexpr (kOf == shard) loops.of[kIndex] = loop_of<Kernel, Lanes, Real, use>;
  });
  return loops;
}

extern const LoopShard<float> loops_baseline_0, loops_baseline_1, loops_baseline_2, loops_baseline_3,
    loops_baseline_4, loops_baseline_5;
extern const LoopShard<float> loops_avx2_0, loops_avx2_1, loops_avx2_2, loops_avx2_3, loops_avx2_4,
    loops_avx2_5;
extern const LoopShard<double> loops_double_0, loops_double_1, loops_double_2, loops_double_3, loops_double_4,
    loops_double_5;

}  // namespace skinlight
