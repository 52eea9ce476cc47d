#include "skinlight/skinning/detail/table_loops.h"

#include "skinlight/skinning/detail/loop_shard.h"

namespace skinlight {

namespace {

template <class Real>
LoopOf<Real> find(const KernelRow& kernel, const LoopShard<Real>* const (&shards)[kLoopShards]) {
  const auto index = &kernel - kernel_rows().data();
  for (const LoopShard<Real>* shard : shards)
    if (shard->of[index]) return shard->of[index];
  return nullptr;  // a set that this build has not
}

}  // namespace

template <>
LoopOf<float> table_loops(const KernelRow& kernel, InstructionSet set) {
  if (set == InstructionSet::avx2)
    return find(kernel, {&loops_avx2_0, &loops_avx2_1, &loops_avx2_2, &loops_avx2_3, &loops_avx2_4});
  return find(kernel, {&loops_baseline_0, &loops_baseline_1, &loops_baseline_2, &loops_baseline_3,
                       &loops_baseline_4});
}

template <>
LoopOf<double> table_loops(const KernelRow& kernel, InstructionSet /*set*/) {
  return find(kernel, {&loops_double_0, &loops_double_1, &loops_double_2, &loops_double_3, &loops_double_4});
}

}  // namespace skinlight
