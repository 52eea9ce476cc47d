#include "skinlight/skinning/detail/table_loops.h"

#include <array>
#include <utility>

#include "skinlight/skinning/detail/loop_shard.h"

namespace skinlight {

namespace {

template <class Real>
using Shards = std::array<const LoopShard<Real>*, kLoopShards>;

constexpr Shards<float> kBaseline = {&loops_baseline_0, &loops_baseline_1, &loops_baseline_2,
                                     &loops_baseline_3, &loops_baseline_4, &loops_baseline_5};
constexpr Shards<float> kAvx2 = {&loops_avx2_0, &loops_avx2_1, &loops_avx2_2,
                                 &loops_avx2_3, &loops_avx2_4, &loops_avx2_5};
constexpr Shards<double> kDouble = {&loops_double_0, &loops_double_1, &loops_double_2,
                                    &loops_double_3, &loops_double_4, &loops_double_5};

template <class Real>
LoopOf<Real> find(std::size_t kernel, const Shards<Real>& shards) {
  for (const LoopShard<Real>* shard : shards)
    if (shard->of[kernel]) return shard->of[kernel];
  return nullptr;  // a set that this build has not
}

std::size_t index_of(const KernelRow& kernel) {
  return static_cast<std::size_t>(&kernel - kernel_rows().data());
}

// What AVX2 has, else what any machine has: the values are the same.
template <std::size_t kernel>
BlockLoop<float> avx2_or_baseline(bool guarded, int slots) {
  const BlockLoop<float> loop = find(kernel, kAvx2)(guarded, slots);
  return loop ? loop : find(kernel, kBaseline)(guarded, slots);
}

template <std::size_t... kernel>
constexpr std::array<LoopOf<float>, sizeof...(kernel)> avx2_loops(std::index_sequence<kernel...>) {
  return {avx2_or_baseline<kernel>...};
}

}  // namespace

template <>
LoopOf<float> table_loops(const KernelRow& kernel, InstructionSet set) {
  static constexpr auto kAvx2Loops = avx2_loops(std::make_index_sequence<KernelTable::count>());
  return set == InstructionSet::avx2 ? kAvx2Loops[index_of(kernel)] : find(index_of(kernel), kBaseline);
}

template <>
LoopOf<double> table_loops(const KernelRow& kernel, InstructionSet /*set*/) {
  return find(index_of(kernel), kDouble);
}

}  // namespace skinlight
