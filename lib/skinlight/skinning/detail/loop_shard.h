// A share of the table's loops over blocks: what one object file compiles (loops.cpp.in). Nothing is run from it before its
// instruction set is known to be there; the pointers are constants.
#pragma once

#include <type_traits>

#include "skinlight/skinning/block_loop.h"

namespace skinlight {

// Linear blending as engines have it frame by frame: a shard of its own, the first, so that it can be compiled to run fast
// where the rest has to be small.
template <class Kernel>
constexpr bool is_played = Kernel::method == Method::lbs &&
                           (Kernel::mode == NormalMode::standard || Kernel::mode == NormalMode::deform ||
                            Kernel::mode == NormalMode::smoothed ||
                            Kernel::mode == NormalMode::deform_vectors);

// Per kernel of the table its loops, null for those of other shards. The shards of a set are a ring.
template <class Real>
struct LoopShard {
  const LoopShard* next = nullptr;
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

template <class Lanes, class Real, LoopUse use, int shard, int shards>
consteval LoopShard<Real> loop_shard(const LoopShard<Real>* next) {
  LoopShard<Real> loops{next};
  KernelTable::for_each([&]<class Kernel>(Kernel) {
    constexpr int kIndex = table_index<Kernel>();
    constexpr int kOf = is_played<Kernel> ? 0 : 1 + kIndex % (shards - 1);
    if constexpr (kOf == shard) loops.of[kIndex] = loop_of<Kernel, Lanes, Real, use>;
  });
  return loops;
}

extern const LoopShard<float> loops_baseline_0, loops_avx2_0;
extern const LoopShard<double> loops_double_0;

}  // namespace skinlight
