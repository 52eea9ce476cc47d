#include "skinlight/skinning/detail/table_loops.h"

#include <array>
#include <utility>

#include "skinlight/skinning/detail/loop_shard.h"

namespace skinlight {

namespace {

template <class Real>
LoopOf<Real> find(std::size_t kernel, const LoopShard<Real>& set) {
  const LoopShard<Real>* shard = &set;
  while (!shard->of[kernel]) shard = shard->next;
  return shard->of[kernel];
}

std::size_t index_of(const KernelRow& kernel) {
  return static_cast<std::size_t>(&kernel - kernel_rows().data());
}

// What AVX2 has, else what any machine has: the values are the same.
template <std::size_t kernel>
BlockLoop<float> avx2_or_baseline(bool guarded, int slots) {
  const BlockLoop<float> loop = find(kernel, loops_avx2_0)(guarded, slots);
  return loop ? loop : find(kernel, loops_baseline_0)(guarded, slots);
}

template <std::size_t... kernel>
constexpr std::array<LoopOf<float>, sizeof...(kernel)> avx2_loops(std::index_sequence<kernel...>) {
  return {avx2_or_baseline<kernel>...};
}

}  // namespace

template <>
LoopOf<float> table_loops(const KernelRow& kernel, InstructionSet set) {
  static constexpr auto kAvx2Loops = avx2_loops(std::make_index_sequence<KernelTable::count>());
  return set == InstructionSet::avx2 ? kAvx2Loops[index_of(kernel)]
                                     : find(index_of(kernel), loops_baseline_0);
}

template <>
LoopOf<double> table_loops(const KernelRow& kernel, InstructionSet /*set*/) {
  return find(index_of(kernel), loops_double_0);
}

}  // namespace skinlight
