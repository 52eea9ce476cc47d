// Linear blend skinning on the CPU.
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/skinning/detail/skin_range.h"

namespace skinlight {

namespace {

// The loop over vertices with the slots of `source`: deform factors or deform vectors.
template <class Real>
SkinRange range_over(const SkinJob<Real>& job, const NormalRecord& source) {
  const GuardInput guard = guard_input(job.options.guard, job.pose);
  const std::vector<Mat4x3<Real>> M(job.pose.M.begin(), job.pose.M.end());
  return with_kernels<Real>(source.slots, [&](auto kernels) -> SkinRange {
    using K = decltype(kernels);
    return [job, M, guard, &source](int begin, int end) {
      pose_range<K>(job, begin, end, [&](int vertex, const typename K::RestVertex& rest) {
        LbsInput<K> in;
        in.rest = rest;
        read_slots(in, source, vertex);
        for_each_slot<K>(source, vertex,
                         [&](int s, std::size_t bone, std::ptrdiff_t) { in.x.M[s] = M[bone]; });
        return pose_vertex(in, job.options, guard);
      });
    };
  });
}

}  // namespace

template <class Real>
SkinRange lbs_range(const SkinJob<Real>& job) {
  if (job.options.mode == NormalMode::deform_vectors) return range_over(job, *job.data.vectors);
  return range_over(job, job.data.factors);
}

template SkinRange lbs_range(const SkinJob<float>&);
template SkinRange lbs_range(const SkinJob<double>&);

}  // namespace skinlight
